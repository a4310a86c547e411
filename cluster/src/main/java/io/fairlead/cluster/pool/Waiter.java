// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One caller in line. The outcome is set once, under the pool's lock, by whoever takes the waiter
 * out of the line; the caller parks until then.
 */
final class Waiter {
  private final Thread thread = Thread.currentThread();
  private volatile @Nullable Object outcome;

  /** Hands over a connection. Under the pool's lock. */
  void give(PooledConnection connection) {
    outcome = connection;
  }

  /** Lets the caller fail. Under the pool's lock. */
  void fail(CheckOutException why) {
    outcome = why;
  }

  /** Wakes the caller, after the lock was released. */
  void wake() {
    LockSupport.unpark(thread);
  }

  /** The connection that was handed over; null when none was. */
  @Nullable PooledConnection connection() {
    return outcome instanceof PooledConnection given ? given : null;
  }

  /** Why the caller fails; null when it does not. */
  @Nullable CheckOutException failure() {
    return outcome instanceof CheckOutException why ? why : null;
  }

  /**
   * Parks until settled, interrupted, or the deadline.
   *
   * @param untilNanos by the clock; {@link Long#MAX_VALUE}: never
   * @return false when the deadline passed or the thread was interrupted; its interrupt status is
   *     then still set
   */
  boolean await(long untilNanos, LongSupplier nanoTime) {
    while (outcome == null) {
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
      if (untilNanos == Long.MAX_VALUE) {
        LockSupport.park(this);
        continue;
      }
      long left = untilNanos - nanoTime.getAsLong();
      if (left <= 0) {
        return false;
      }
      LockSupport.parkNanos(this, left);
    }
    return true;
  }
}
