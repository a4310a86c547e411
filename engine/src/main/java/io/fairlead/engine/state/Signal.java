// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Lets threads wait until a growing number has passed a value. Raising it costs nothing while
 * nobody waits.
 */
final class Signal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition raised = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();

  /** After the number has grown. */
  void raise() {
    if (waiting.get() == 0) {
      return;
    }
    lock.lock();
    try {
      raised.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the number is greater than {@code seen}, or the time has run out; returns the
   * number.
   */
  long await(LongSupplier number, long seen, Duration timeout) throws InterruptedException {
    long remaining = timeout.toNanos();
    lock.lockInterruptibly();
    try {
      waiting.incrementAndGet();
      while (number.getAsLong() <= seen && remaining > 0) {
        remaining = raised.awaitNanos(remaining);
      }
    } finally {
      waiting.decrementAndGet();
      lock.unlock();
    }
    return number.getAsLong();
  }
}
