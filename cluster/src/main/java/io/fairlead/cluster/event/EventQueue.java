// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.event;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers events in the order in which they were put in, one at a time.
 *
 * <p>{@link #put} never blocks and may be called under a lock; {@link #deliver} calls the listeners
 * and must not be. Whoever calls {@code deliver} first delivers for everybody, so that nearly
 * always an event has been delivered when the call that caused it returns, and no thread has to be
 * kept for it. A listener may itself cause events: they are delivered after it returned.
 */
public final class EventQueue {
  private static final Logger LOG = LoggerFactory.getLogger(EventQueue.class);

  private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger undelivered = new AtomicInteger();

  /** Appends one delivery. */
  public void put(Runnable delivery) {
    waiting.add(delivery);
  }

  /**
   * Delivers what is waiting, unless another thread does so already: that thread then delivers
   * these too.
   */
  public void deliver() {
    if (waiting.isEmpty() || undelivered.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      for (Runnable delivery = waiting.poll(); delivery != null; delivery = waiting.poll()) {
        try {
          delivery.run();
        } catch (RuntimeException
            | Error broken) { // also a failed assertion: the next event must not be lost for it
          LOG.warn("a listener threw; the event counts as delivered", broken);
        }
      }
      seen = undelivered.addAndGet(-seen);
    } while (seen != 0);
  }
}
