// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Wakes everybody who waits for something about this member. Whoever waits looks for himself. */
final class Signal implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile boolean closed;

  void changed() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until {@code probe} gives something.
   *
   * @param probe quick and without side effects; must give something, or be given up, once this is
   *     closed
   * @return null when the time was over or this was closed first
   */
  <T> @Nullable T await(Supplier<@Nullable T> probe, Duration atMost) throws InterruptedException {
    T first = probe.get();
    if (first != null) {
      return first;
    }
    long left = nanos(atMost);
    lock.lockInterruptibly();
    try {
      while (true) {
        T found = probe.get();
        if (found != null || closed || left <= 0) {
          return found;
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
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
