// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.channel;

import io.fairlead.wire.message.Message;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a connection inside this JVM: a few messages underway, as a socket's buffers
 * hold them.
 */
final class Mailbox {

  private static final int UNDERWAY_MAX = 16;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Message> underway = new ArrayDeque<>();
  private boolean senderGone;
  private boolean receiverGone;

  /** Waits for room; false when either side is gone. */
  boolean put(Message message) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (underway.size() >= UNDERWAY_MAX && !senderGone && !receiverGone) {
        changed.await();
      }
      if (senderGone || receiverGone) {
        return false;
      }
      underway.add(message);
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** What a receiver got. */
  record Taken(@Nullable Message message, boolean gone) {}

  private static final Taken LATE = new Taken(null, false);
  private static final Taken GONE = new Taken(null, true);

  /** Waits for a message; what was sent before the sender went is still delivered. */
  Taken take(long timeoutNanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long remaining = timeoutNanos;
      while (underway.isEmpty() && !senderGone && !receiverGone) {
        if (timeoutNanos == 0) {
          changed.await();
        } else if (remaining <= 0) {
          return LATE;
        } else {
          remaining = changed.awaitNanos(remaining);
        }
      }
      if (receiverGone || underway.isEmpty()) {
        return GONE;
      }
      Message message = underway.remove();
      changed.signalAll();
      return new Taken(message, false);
    } finally {
      lock.unlock();
    }
  }

  void senderCloses() {
    close(true);
  }

  void receiverCloses() {
    close(false);
  }

  private void close(boolean bySender) {
    lock.lock();
    try {
      if (bySender) {
        senderGone = true;
      } else {
        receiverGone = true;
        underway.clear();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  static long nanos(java.time.Duration timeout) {
    return timeout.isZero() ? 0 : Math.max(1, TimeUnit.NANOSECONDS.convert(timeout));
  }
}
