// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

import io.fairlead.cluster.Threads;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that looks through a pool now and then, and at once when asked. {@link #soon} and
 * {@link #end} may be called under a lock.
 */
final class Upkeep {
  private final Runnable look;
  private final long firstAfterNanos;
  private final long everyNanos;
  private final Thread thread;
  private volatile boolean wanted;
  private volatile boolean ended;

  /**
   * @param firstAfter how long to wait before the first look
   * @param every how long to wait between two that nobody asked for
   */
  Upkeep(String server, Duration firstAfter, Duration every, Runnable look) {
    this.look = look;
    this.firstAfterNanos = firstAfter.toNanos();
    this.everyNanos = every.toNanos();
    this.thread = Thread.ofVirtual().name("fairlead-pool-" + server).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Asks for a look as soon as may be. */
  void soon() {
    wanted = true;
    LockSupport.unpark(thread);
  }

  /** Tells the thread to end. */
  void end() {
    ended = true;
    LockSupport.unpark(thread);
  }

  /** Waits for the thread, a short while. */
  void join() {
    Threads.joinBriefly(thread);
  }

  private void run() {
    long start = System.nanoTime();
    while (!ended && System.nanoTime() - start < firstAfterNanos) {
      LockSupport.parkNanos(this, firstAfterNanos - (System.nanoTime() - start));
    }
    while (!ended) {
      wanted = false;
      look.run();
      long looked = System.nanoTime();
      while (!wanted && !ended && System.nanoTime() - looked < everyNanos) {
        LockSupport.parkNanos(this, everyNanos - (System.nanoTime() - looked));
      }
    }
  }
}
