// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a chore at intervals on its own thread, until it is closed. A chore that fails is logged and
 * tried again.
 */
final class Sweeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

  private final Duration every;
  private final Runnable chore;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  private Sweeper(String name, Duration every, Runnable chore) {
    this.every = every;
    this.chore = chore;
    this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
  }

  static Sweeper start(String name, Duration every, Runnable chore) {
    Sweeper sweeper = new Sweeper(name, every, chore);
    sweeper.thread.start();
    return sweeper;
  }

  private void run() {
    try {
      while (!closing.await(every.toNanos(), TimeUnit.NANOSECONDS)) {
        sweep();
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void sweep() {
    try {
      chore.run();
    } catch (RuntimeException failure) {
      LOG.error("[{}] sweep failed, will be tried again in {}", thread.getName(), every, failure);
    }
  }

  /** Stops the thread and waits for it. */
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
