// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.server.oplog.OplogEntry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Whom a member is to follow now, and how far behind. The protocol's thread gives orders, the
 * puller's waits for them; an order that another has followed, or that was withdrawn, is not
 * current any more.
 */
final class PullOrders {
  /** To follow a member. Two orders to follow the same one are different. */
  record Order(int member, long number) {}

  private final InstantSource wall;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // under lock
  private @Nullable Order current;
  private long given;
  private Duration lag = Duration.ZERO;
  private boolean closed;

  PullOrders(InstantSource wall) {
    this.wall = wall;
  }

  void follow(int member) {
    change(() -> current = new Order(member, ++given));
  }

  void stop() {
    change(() -> current = null);
  }

  /** Ends that order, unless another has taken its place; whether it was current. */
  boolean withdraw(Order order) {
    lock.lock();
    try {
      boolean was = order.equals(current);
      if (was) {
        current = null;
        changed.signalAll();
      }
      return was;
    } finally {
      lock.unlock();
    }
  }

  /** Entries are due only when they are that old. */
  void lagBehind(Duration duration) {
    change(() -> lag = duration);
  }

  void close() {
    change(() -> closed = true);
  }

  private void change(Runnable what) {
    lock.lock();
    try {
      what.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isCurrent(Order order) {
    lock.lock();
    try {
      return !closed && order.equals(current);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for an order that is not the one of that number, 0 for none; null when there will be no
   * more.
   */
  @Nullable Order awaitAfter(long number) throws InterruptedException {
    lock.lock();
    try {
      while (!closed && (current == null || current.number == number)) {
        changed.await();
      }
      return closed ? null : current;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the entry at {@code from} is old enough; the end of those that are, or {@code from}
   * when the order is over.
   */
  int awaitDue(Order order, List<OplogEntry> entries, int from) throws InterruptedException {
    lock.lock();
    try {
      while (!closed && order.equals(current)) {
        if (lag.isZero()) {
          return entries.size();
        }
        long before = wall.millis() - lag.toMillis();
        int to = from;
        while (to < entries.size() && entries.get(to).wallMillis() <= before) {
          to++;
        }
        if (to > from) {
          return to;
        }
        changed.await(entries.get(from).wallMillis() - before, TimeUnit.MILLISECONDS);
      }
      return from;
    } finally {
      lock.unlock();
    }
  }
}
