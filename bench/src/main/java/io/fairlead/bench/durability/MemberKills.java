// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.durability;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * A replica set of three processes, each on a directory of its own, under writers that ask for a
 * majority; one process, or two, or all are killed (SIGKILL) and started again, over and over. In
 * the end every acknowledged document must be there, every acknowledged increment must have been
 * made exactly once, all three must hold the same, and no term may have had two leaders.
 */
public final class MemberKills {
  private static final int MEMBERS = 3;
  private static final int WRITERS = 3;
  private static final int LONGEST_MILLIS = 1500;
  private static final long SETTLED_SECONDS = 60;

  private final Path directory;
  private final SplittableRandom random;
  private final String hosts;
  private final String setId = new ObjectId().toHexString();
  private final @Nullable MemberProcess[] members = new MemberProcess[MEMBERS];
  private final Map<Long, Integer> leaders = new ConcurrentHashMap<>();
  private final Set<String> wrong = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong acknowledged = new AtomicLong();

  private MemberKills(Path directory, long seed) throws IOException {
    this.directory = directory;
    this.random = new SplittableRandom(seed);
    this.hosts = freeHosts();
  }

  private static String freeHosts() throws IOException {
    List<ServerSocket> taken = new ArrayList<>();
    List<String> hosts = new ArrayList<>();
    try {
      for (int i = 0; i < MEMBERS; i++) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        taken.add(socket);
        hosts.add("127.0.0.1:" + socket.getLocalPort());
      }
    } finally {
      for (ServerSocket socket : taken) {
        socket.close();
      }
    }
    return String.join(",", hosts);
  }

  /** Kills that many times, on new directories below that one. */
  public static Kills.Result run(int kills, Path directory, long seed)
      throws IOException, InterruptedException {
    MemberKills run = new MemberKills(directory, seed);
    int done = 0;
    try {
      for (int place = 0; place < MEMBERS; place++) {
        run.start(place);
      }
      List<Writer> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        writers.add(run.new Writer(i));
      }
      while (done < kills && run.wrong.isEmpty()) {
        done += run.killSome();
      }
      run.over.set(true);
      for (Writer writer : writers) {
        writer.thread.join();
      }
      run.checkAll(writers);
    } finally {
      for (MemberProcess member : run.members) {
        if (member != null) {
          member.kill();
        }
      }
    }
    return new Kills.Result(done, run.acknowledged.get(), List.copyOf(run.wrong));
  }

  private void start(int place) throws IOException, InterruptedException {
    members[place] =
        MemberProcess.start(
            place,
            hosts,
            directory.resolve("member-" + place),
            setId,
            directory.resolve("member-" + place + ".log"),
            term -> {
              Integer before = leaders.putIfAbsent(term, place);
              if (before != null && before != place) {
                wrong.add("term " + term + " had two leaders, " + before + " and " + place);
              }
            });
    if (members[place] == null) {
      wrong.add("member " + place + " did not start on what was left of it");
    }
  }

  /** Usually one, now and then two or all. */
  private int killSome() throws IOException, InterruptedException {
    TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_MILLIS));
    int count = Math.max(1, random.nextInt(-2, MEMBERS + 1));
    int first = random.nextInt(MEMBERS);
    for (int i = 0; i < count; i++) {
      MemberProcess member = members[(first + i) % MEMBERS];
      if (member != null) {
        member.kill();
      }
    }
    TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_MILLIS));
    for (int i = 0; i < count; i++) {
      start((first + i) % MEMBERS);
    }
    return count;
  }

  private MongoClient client(String connection) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(connection))
            .applyToClusterSettings(
                each -> each.serverSelectionTimeout(SETTLED_SECONDS, TimeUnit.SECONDS))
            .writeConcern(WriteConcern.MAJORITY.withWTimeout(10, TimeUnit.SECONDS))
            .build());
  }

  private MongoClient client() {
    return client("mongodb://" + hosts + "/?replicaSet=" + KilledMember.SET);
  }

  /** Inserts its numbers one by one, and counts them in a document of its own. */
  private final class Writer {
    private final int number;
    private final Thread thread;

    // of the thread, read when it has ended
    private final List<Long> inserted = new ArrayList<>();
    private long counted;
    private long uncertain;

    Writer(int number) {
      this.number = number;
      this.thread = Thread.ofPlatform().name("writer-" + number).start(this::write);
    }

    private void write() {
      try (MongoClient client = client()) {
        MongoCollection<Document> numbers = client.getDatabase("kills").getCollection("numbers");
        MongoCollection<Document> counters = client.getDatabase("kills").getCollection("counters");
        for (long n = 1; !over.get(); n++) {
          try {
            numbers.insertOne(new Document("_id", id(n)));
            inserted.add(n);
            acknowledged.incrementAndGet();
          } catch (MongoException notKnown) {
            pause();
          }
          try {
            counters.updateOne(
                Filters.eq("_id", number), Updates.inc("n", 1L), new UpdateOptions().upsert(true));
            counted++;
            acknowledged.incrementAndGet();
          } catch (MongoException notKnown) {
            uncertain++;
            pause();
          }
        }
      }
    }

    private void pause() {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }

    String id(long n) {
      return number + "-" + n;
    }
  }

  private void checkAll(List<Writer> writers) throws InterruptedException {
    List<Document> states = new ArrayList<>();
    for (String host : hosts.split(",", -1)) {
      try (MongoClient direct = client("mongodb://" + host + "/?directConnection=true")) {
        states.add(settled(direct, writers));
      } catch (MongoException unreachable) {
        wrong.add(host + " does not answer: " + unreachable.getMessage());
      }
    }
    if (states.stream().distinct().count() > 1) {
      wrong.add("the members do not hold the same: " + states);
    }
  }

  /** What a member holds when it has everything that was acknowledged, or after a minute. */
  private Document settled(MongoClient member, List<Writer> writers) throws InterruptedException {
    MongoCollection<Document> numbers = member.getDatabase("kills").getCollection("numbers");
    MongoCollection<Document> counters = member.getDatabase("kills").getCollection("counters");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLED_SECONDS);
    List<String> missing = missing(numbers, counters, writers);
    while (!missing.isEmpty() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(200);
      missing = missing(numbers, counters, writers);
    }
    wrong.addAll(missing);
    TimeUnit.SECONDS.sleep(1);
    Document state = new Document("documents", numbers.countDocuments());
    counters.find().forEach(each -> state.append(String.valueOf(each.get("_id")), each.get("n")));
    return state;
  }

  private List<String> missing(
      MongoCollection<Document> numbers, MongoCollection<Document> counters, List<Writer> writers) {
    List<String> missing = new ArrayList<>();
    Set<Object> there = ConcurrentHashMap.newKeySet();
    numbers.find().forEach(each -> there.add(each.get("_id")));
    for (Writer writer : writers) {
      writer.inserted.stream()
          .map(writer::id)
          .filter(id -> !there.contains(id))
          .limit(3)
          .forEach(id -> missing.add(id + " was acknowledged and is not there"));
      Document counter = counters.find(Filters.eq("_id", writer.number)).first();
      long n = counter == null ? 0 : counter.getLong("n");
      if (n < writer.counted || n > writer.counted + writer.uncertain) {
        missing.add(
            "counter "
                + writer.number
                + " is "
                + n
                + ", and "
                + writer.counted
                + " increments were acknowledged, "
                + writer.uncertain
                + " more are uncertain");
      }
    }
    return missing;
  }
}
