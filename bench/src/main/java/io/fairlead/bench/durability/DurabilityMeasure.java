// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.durability;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Row;
import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.bson.Document;

/** Kills writers, and measures what {@code j: true} costs. */
public final class DurabilityMeasure {
  private static final int KILLS = 200;
  private static final int MEMBER_KILLS = 60;
  private static final int THREADS = 8;

  private DurabilityMeasure() {}

  /** Measures and reports. */
  public static void into(Report report, boolean quick) throws IOException, InterruptedException {
    long seed = System.nanoTime();
    Path directory = Files.createTempDirectory("fairlead-kills");
    try {
      int wanted = quick ? 3 : KILLS;
      Kills.Result result = Kills.run(wanted, directory.resolve("data"), seed);
      report.add(
          Row.of("writers killed (SIGKILL)", result.kills(), null, "")
              .asking(
                  "nothing lost, nothing else",
                  result.wrong().isEmpty()
                      && result.kills() == wanted
                      && result.acknowledged() > 0));
      report.add(Row.of("  commits acknowledged", (double) result.acknowledged(), null, ""));
      result.wrong().stream().limit(10).forEach(report::note);
    } finally {
      delete(directory);
    }
    killMembers(report, quick, seed);
    rate(report, quick);
  }

  private static void killMembers(Report report, boolean quick, long seed)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("fairlead-member-kills");
    try {
      int wanted = quick ? 2 : MEMBER_KILLS;
      Kills.Result result = MemberKills.run(wanted, directory, seed);
      report.add(
          Row.of("members of a set killed (SIGKILL)", result.kills(), null, "")
              .asking(
                  "nothing lost, nothing twice",
                  result.wrong().isEmpty()
                      && result.kills() >= wanted
                      && result.acknowledged() > 0));
      report.add(Row.of("  writes acknowledged", (double) result.acknowledged(), null, ""));
      result.wrong().stream().limit(10).forEach(report::note);
    } finally {
      delete(directory);
    }
  }

  private static void rate(Report report, boolean quick) throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("fairlead-journal");
    try (Engine engine = Engine.open(EngineOptions.defaults(), directory.resolve("data"));
        Server server = Server.start(ServerSettings.standalone(0), engine);
        MongoClient client = MongoClients.create("mongodb://127.0.0.1:" + server.port() + "/")) {
      Duration time = quick ? Duration.ofMillis(200) : Duration.ofSeconds(3);
      insert(client, WriteConcern.JOURNALED, time);
      double journaled = insert(client, WriteConcern.JOURNALED, time);
      double plain = insert(client, WriteConcern.W1, time);
      report.add(Row.of("insert one, j: true, data directory", journaled, null, "/s"));
      report.add(Row.of("insert one, w: 1, data directory", plain, null, "/s"));
    } finally {
      delete(directory);
    }
  }

  private static double insert(MongoClient client, WriteConcern concern, Duration time)
      throws InterruptedException {
    AtomicLong inserted = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (System.nanoTime() - start < time.toNanos()) {
                      client
                          .getDatabase("bench")
                          .getCollection("journaled")
                          .withWriteConcern(concern)
                          .insertOne(new Document("n", inserted.get()));
                      inserted.incrementAndGet();
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return inserted.get() * 1e9 / (System.nanoTime() - start);
  }

  private static void delete(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(directory)) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
