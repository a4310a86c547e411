// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.ttl;

import io.fairlead.engine.Engine;
import io.fairlead.engine.Namespace;
import io.fairlead.server.replication.ReplicationCoordinator;
import io.fairlead.server.replication.WriteOrigin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes documents whose time has come, in passes with a pause between them, on a virtual thread
 * of its own. Only a primary deletes; the deletions reach the others by the log. How long the pause
 * is and whether passes are made may be changed at any time, from any thread.
 */
public final class TtlMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TtlMonitor.class);

  /** How many documents one commit deletes at most, so that writers get their turns. */
  private static final long BATCH = 1_000;

  private final Engine engine;
  private final ReplicationCoordinator coordinator;
  private final InstantSource clock;
  private final Thread thread;
  private final LongAdder passes = new LongAdder();
  private final LongAdder deleted = new LongAdder();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Duration pause = Duration.ofSeconds(60);
  private boolean enabled = true;
  private boolean closed;

  /** A new monitor; {@link #start()} starts its thread. */
  public TtlMonitor(
      String name, Engine engine, ReplicationCoordinator coordinator, InstantSource clock) {
    this.engine = engine;
    this.coordinator = coordinator;
    this.clock = clock;
    this.thread = Thread.ofVirtual().name("ttl-monitor-" + name).unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  /** The pause between two passes; 60 s at first. */
  public Duration pause() {
    lock.lock();
    try {
      return pause;
    } finally {
      lock.unlock();
    }
  }

  /** Sets the pause between two passes; a pause under way begins anew. */
  public void setPause(Duration value) {
    lock.lock();
    try {
      pause = value;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether passes are made. */
  public boolean isEnabled() {
    lock.lock();
    try {
      return enabled;
    } finally {
      lock.unlock();
    }
  }

  public void setEnabled(boolean value) {
    lock.lock();
    try {
      enabled = value;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many passes have been made. */
  public long passes() {
    return passes.sum();
  }

  /** How many documents have been deleted. */
  public long deletedDocuments() {
    return deleted.sum();
  }

  private void run() {
    try {
      while (awaitTurn()) {
        pass(clock.instant());
      }
    } catch (InterruptedException e) {
      LOG.debug("[{}] stopped", thread.getName()); // nobody interrupts it while the JVM lives
    }
  }

  /** Waits out the pause; false when the monitor is closed. */
  private boolean awaitTurn() throws InterruptedException {
    lock.lock();
    try {
      long left = pause.toNanos();
      Duration waited = pause;
      while (!closed && (left > 0 || !enabled)) {
        left = changed.awaitNanos(Math.max(left, TimeUnit.SECONDS.toNanos(1)));
        if (!waited.equals(pause)) {
          waited = pause;
          left = pause.toNanos();
        }
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * One pass: deletes what has expired by {@code now}, where this member is the primary. What fails
   * is logged and met again by the next pass.
   *
   * @return how many documents were deleted
   */
  public long pass(Instant now) {
    long before = deleted.sum();
    for (Namespace namespace : engine.snapshot().expiring()) {
      if (!coordinator.isWritablePrimary()) {
        break;
      }
      try {
        sweep(namespace, now);
      } catch (RuntimeException failure) {
        LOG.warn(
            "[{}] documents of {} could not be expired, next try in {}: {}",
            thread.getName(),
            namespace,
            pause(),
            failure.getMessage());
      }
    }
    passes.increment();
    return deleted.sum() - before;
  }

  private void sweep(Namespace namespace, Instant now) {
    boolean more = !namespace.database().equals("local");
    while (more && coordinator.isWritablePrimary()) {
      long gone =
          coordinator
              .write(
                  WriteOrigin.PLAIN,
                  transaction -> transaction.deleteExpired(namespace, now, BATCH))
              .value();
      deleted.add(gone);
      more = gone == BATCH && mayGoOn();
    }
  }

  private boolean mayGoOn() {
    lock.lock();
    try {
      return enabled && !closed;
    } finally {
      lock.unlock();
    }
  }

  /** Stops the thread, after the batch that it is deleting, and waits for it. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
