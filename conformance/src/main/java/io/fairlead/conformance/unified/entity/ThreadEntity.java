// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.entity;

import io.fairlead.conformance.unified.match.TestFailure;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A thread of a test: runs one operation after the other. */
public final class ThreadEntity implements AutoCloseable {
  private final ExecutorService executor;
  private final LinkedBlockingQueue<Future<?>> begun = new LinkedBlockingQueue<>();

  ThreadEntity(String name) {
    executor = Executors.newSingleThreadExecutor(Thread.ofVirtual().name("test-" + name).factory());
  }

  /** Runs an operation after those before it; does not wait. */
  public void run(Runnable operation) {
    begun.add(executor.submit(operation));
  }

  /**
   * Waits for all that was begun.
   *
   * @throws TestFailure when an operation failed, or is not done within the time
   */
  public void await(Duration atMost) throws InterruptedException {
    for (Future<?> each = begun.poll(); each != null; each = begun.poll()) {
      try {
        each.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
      } catch (ExecutionException failure) {
        throw failed(failure.getCause());
      } catch (TimeoutException late) {
        throw new TestFailure("a thread is not done after " + atMost, late);
      }
    }
  }

  private static TestFailure failed(@Nullable Throwable cause) {
    return cause instanceof TestFailure failure
        ? failure
        : new TestFailure("a thread failed: " + cause, cause == null ? new Error() : cause);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
