// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.failover;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Writers that each insert a document of their own and increment a counter of their own, in turn,
 * until they are stopped, and keep the books of what was acknowledged. Owns its threads; {@link
 * #stop} stops and joins them.
 */
final class Writers {

  private static final int DUPLICATE_KEY = 11000;

  private final MongoCollection<Document> collection;
  private final AtomicBoolean stop = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();
  private final Set<String> inserted = new ConcurrentSkipListSet<>();
  private final Map<String, LongAdder> incremented = new ConcurrentHashMap<>();
  private final Set<Long> acknowledgedAt = new ConcurrentSkipListSet<>();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicReference<@Nullable MongoException> firstFailure = new AtomicReference<>();
  private final AtomicInteger duplicateKeys = new AtomicInteger();

  Writers(MongoCollection<Document> collection, int count) {
    this.collection = collection;
    for (int i = 0; i < count; i++) {
      int writer = i;
      threads.add(Thread.ofVirtual().name("demo-writer-" + i).unstarted(() -> write(writer)));
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  int acknowledged() {
    return acknowledgedAt.size();
  }

  int failed() {
    return failed.get();
  }

  int duplicateKeys() {
    return duplicateKeys.get();
  }

  /** What the application was told of the first write that failed; empty when none did. */
  String firstFailure() {
    MongoException first = firstFailure.get();
    return first == null ? "" : ", the first by " + first;
  }

  /** Whether a write was acknowledged after that moment of the JVM's nanosecond clock. */
  boolean acknowledgedSince(long nanos) {
    return acknowledgedAt.stream().anyMatch(at -> at > nanos);
  }

  /** The longest time without an acknowledged write of any writer. */
  Duration longestGap() {
    long longest = 0;
    long before = -1;
    for (long at : acknowledgedAt) {
      longest = before < 0 ? 0 : Math.max(longest, at - before);
      before = at;
    }
    return Duration.ofNanos(longest);
  }

  /** Acknowledged writes that the collection does not hold. */
  long lost() {
    Set<String> present = new ConcurrentSkipListSet<>();
    long missing = 0;
    for (Document document : collection.find()) {
      present.add(document.getString("_id"));
      LongAdder acknowledged = incremented.get(document.getString("_id"));
      if (acknowledged != null) {
        missing += Math.max(0, acknowledged.sum() - document.getInteger("n"));
      }
    }
    return missing + inserted.stream().filter(id -> !present.contains(id)).count();
  }

  /**
   * Increments that were applied more often than they were acknowledged; one that failed may have
   * been applied once.
   */
  long appliedTwice() {
    long more = 0;
    for (Document document : collection.find(Filters.exists("n"))) {
      LongAdder acknowledged = incremented.get(document.getString("_id"));
      more +=
          Math.max(0, document.getInteger("n") - (acknowledged == null ? 0 : acknowledged.sum()));
    }
    return Math.max(0, more - failed.get());
  }

  /** Returns when every writer has ended its last write. */
  void stop() throws InterruptedException {
    stop.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void write(int writer) {
    String counter = "counter-" + writer;
    UpdateOptions upsert = new UpdateOptions().upsert(true);
    for (int number = 0; !stop.get(); number++) {
      String id = "w" + writer + "-" + number;
      if (acknowledged(() -> collection.insertOne(new Document("_id", id)))) {
        inserted.add(id);
      }
      if (acknowledged(
          () -> collection.updateOne(Filters.eq("_id", counter), Updates.inc("n", 1), upsert))) {
        incremented.computeIfAbsent(counter, key -> new LongAdder()).increment();
      }
    }
  }

  private boolean acknowledged(Runnable operation) {
    try {
      operation.run();
      acknowledgedAt.add(System.nanoTime());
      return true;
    } catch (MongoException e) {
      failed.incrementAndGet();
      firstFailure.compareAndSet(null, e);
      if (e.getCode() == DUPLICATE_KEY) {
        duplicateKeys.incrementAndGet();
      }
      return false;
    }
  }
}
