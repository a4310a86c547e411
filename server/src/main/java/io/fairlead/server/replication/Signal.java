// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Wakes those who wait for something about this member, each only when what it waits for is there:
 * whoever changes something looks on behalf of all. With a write a millisecond and a dozen waiting
 * hellos, waking everybody to look for himself would cost more than the write.
 */
final class Signal implements AutoCloseable {
  private final Set<Waiter<?>> waiters = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** One who waits, with what it waits for. */
  private static final class Waiter<T> {
    private final Supplier<@Nullable T> probe;
    private final Thread thread = Thread.currentThread();
    private volatile boolean over;

    Waiter(Supplier<@Nullable T> probe) {
      this.probe = probe;
    }

    /** Whether there is nothing left to wait for. A probe that fails is its own thread's to see. */
    boolean isOver() {
      if (!over) {
        try {
          over = probe.get() != null;
        } catch (RuntimeException failure) {
          over = true;
        }
      }
      return over;
    }
  }

  /** Something has changed: wakes those whose waiting is over. */
  void changed() {
    for (Waiter<?> waiter : waiters) {
      if (!waiter.over && (waiter.isOver() || closed)) {
        LockSupport.unpark(waiter.thread);
      }
    }
  }

  /**
   * Waits until {@code probe} gives something.
   *
   * @param probe quick and without side effects, since it is called by those who change something,
   *     perhaps with a lock in hand; must give something, or be given up, once this is closed; what
   *     it once gave it goes on giving, or is asked again here
   * @return null when the time was over or this was closed first
   */
  <T> @Nullable T await(Supplier<@Nullable T> probe, Duration atMost) throws InterruptedException {
    T found = probe.get();
    if (found != null) {
      return found;
    }
    long deadline = System.nanoTime() + nanos(atMost);
    while (true) {
      waitOnce(probe, deadline);
      found = probe.get();
      if (found != null || closed || System.nanoTime() - deadline >= 0) {
        return found;
      }
    }
  }

  private <T> void waitOnce(Supplier<@Nullable T> probe, long deadline)
      throws InterruptedException {
    Waiter<T> waiter = new Waiter<>(probe);
    waiters.add(waiter);
    try {
      // what changed before the waiter was seen is seen by this look
      while (!waiter.isOver() && !closed) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return;
        }
        LockSupport.parkNanos(this, left);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    } finally {
      waiters.remove(waiter);
    }
  }

  private static long nanos(Duration duration) {
    return duration.compareTo(Duration.ofDays(365)) > 0
        ? Duration.ofDays(365).toNanos()
        : duration.toNanos();
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    changed();
  }
}
