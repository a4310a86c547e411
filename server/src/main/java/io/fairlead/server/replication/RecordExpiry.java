// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Engine;
import io.fairlead.server.retryable.RetryableWrites;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops, once a minute on a virtual thread of its own, the records of sessions that have been idle
 * for half an hour.
 */
final class RecordExpiry implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RecordExpiry.class);
  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final Duration IDLE_MAX = Duration.ofMinutes(30);

  private final String name;
  private final Engine engine;
  private final RetryableWrites records;
  private final InstantSource wall;
  private final Thread thread;

  RecordExpiry(String name, Engine engine, RetryableWrites records, InstantSource wall) {
    this.name = name;
    this.engine = engine;
    this.records = records;
    this.wall = wall;
    this.thread = Thread.ofVirtual().name("fairlead-" + name + "-expiry").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(EVERY);
        expire();
      }
    } catch (InterruptedException e) {
      LOG.debug("[{}] stopped dropping idle sessions", name); // only close() interrupts
    }
  }

  private void expire() {
    try {
      records.expire(engine, wall.instant().minus(IDLE_MAX));
    } catch (RuntimeException failure) {
      LOG.warn(
          "[{}] idle sessions could not be dropped, next try in {}: {}",
          name,
          EVERY,
          failure.getMessage());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
