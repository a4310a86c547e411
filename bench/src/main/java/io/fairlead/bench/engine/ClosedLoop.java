// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.engine;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.bson.Document;

/**
 * Threads that each send their next operation when the last one has come back. What is under way at
 * the end is finished and counts, with the time it takes.
 */
final class ClosedLoop {
  /** Documents in a thread's own collection before it is emptied. */
  private static final int OWN_MAX = 20_000;

  /**
   * What a run came to.
   *
   * @param operations finished by all threads together
   * @param perSecond the sum of each thread's own rate
   */
  record Rate(long operations, double perSecond) {}

  private record Share(long operations, double perSecond) {}

  private final MongoDatabase database;
  private final int threads;

  ClosedLoop(MongoDatabase database, int threads) {
    this.database = database;
    this.threads = threads;
  }

  Rate run(Workload workload, Duration time, long seed) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(threads);
    CountDownLatch go = new CountDownLatch(1);
    List<FutureTask<Share>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      MongoCollection<Document> own =
          database.getCollection(workload.name().toLowerCase(java.util.Locale.ROOT) + i);
      SplittableRandom random = new SplittableRandom(seed * threads + i);
      FutureTask<Share> task =
          new FutureTask<>(
              () -> {
                if (workload.inserts()) {
                  workload.empty(own);
                }
                ready.countDown();
                go.await();
                return loop(workload, own, random, time);
              });
      tasks.add(task);
      Thread.ofPlatform().name("bench-" + i).daemon().start(task);
    }
    ready.await();
    go.countDown();
    long operations = 0;
    double perSecond = 0;
    for (FutureTask<Share> task : tasks) {
      try {
        Share share = task.get();
        operations += share.operations();
        perSecond += share.perSecond();
      } catch (ExecutionException | CancellationException e) {
        throw new IllegalStateException(workload.title() + " failed", e);
      }
    }
    return new Rate(operations, perSecond);
  }

  private Share loop(
      Workload workload, MongoCollection<Document> own, SplittableRandom random, Duration time) {
    long start = System.nanoTime();
    long end = start + time.toNanos();
    long operations = 0;
    int stored = 0;
    long now = start;
    while (now < end) {
      workload.run(database, own, random);
      operations++;
      stored += workload.added();
      if (stored >= OWN_MAX) {
        workload.empty(own);
        stored = 0;
      }
      now = System.nanoTime();
    }
    return new Share(operations, operations * 1e9 / (now - start));
  }
}
