// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.traffic;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;

/**
 * Reads by {@code _id} and retryable {@code $inc}s by {@code _id}, in turn, from several threads in
 * a closed loop.
 */
public final class Load {

  /** How many documents the collection has: {@code _id} 0 to this, exclusive. */
  public static final int DOCUMENTS = 1_000;

  private final MongoCollection<Document> collection;
  private final Attempts attempts;
  private final int threads;

  public Load(MongoCollection<Document> collection, Attempts attempts, int threads) {
    this.collection = collection;
    this.attempts = attempts;
    this.threads = threads;
  }

  /**
   * What a run of the load saw: the latency of every operation, failed ones included, and how many
   * failed.
   */
  public static final class Run {
    private final long[] nanos;
    private final int readsFailed;
    private final int writesFailed;

    private Run(long[] nanos, int readsFailed, int writesFailed) {
      Arrays.sort(nanos);
      this.nanos = nanos;
      this.readsFailed = readsFailed;
      this.writesFailed = writesFailed;
    }

    public int readsFailed() {
      return readsFailed;
    }

    public int writesFailed() {
      return writesFailed;
    }

    /** A percentile of the latencies, in milliseconds; 0 when there was no operation. */
    public double percentileMillis(double percent) {
      if (nanos.length == 0) {
        return 0;
      }
      int index = (int) Math.ceil(percent / 100 * nanos.length) - 1;
      return nanos[Math.max(0, index)] / 1e6;
    }
  }

  /** Runs so many operations, half of them reads; returns when all have ended. */
  public Run run(int operations) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    AtomicInteger readsFailed = new AtomicInteger();
    AtomicInteger writesFailed = new AtomicInteger();
    long[] nanos = new long[operations];
    List<Future<?>> workers = new ArrayList<>();
    try (ExecutorService pool =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("demo-load-", 0).factory())) {
      for (int i = 0; i < threads; i++) {
        workers.add(
            pool.submit(
                () -> {
                  int mine;
                  while ((mine = next.getAndIncrement()) < operations) {
                    boolean read = mine % 2 == 0;
                    long started = System.nanoTime();
                    if (!once(read, mine)) {
                      (read ? readsFailed : writesFailed).incrementAndGet();
                    }
                    nanos[mine] = System.nanoTime() - started;
                  }
                }));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "a load thread ended with what is no server error", e.getCause());
    }
    return new Run(nanos, readsFailed.get(), writesFailed.get());
  }

  /** One operation; false when it failed for the application. */
  private boolean once(boolean read, int number) {
    attempts.operationBegins();
    int id = (number / 2) % DOCUMENTS;
    try {
      if (read) {
        return collection.find(Filters.eq("_id", id)).first() != null;
      }
      return collection.updateOne(Filters.eq("_id", id), Updates.inc("n", 1)).getMatchedCount()
          == 1;
    } catch (MongoException e) {
      return false; // what the scenario counts
    }
  }
}
