// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.status;

import com.mongodb.MongoException;
import io.fairlead.router.cursor.Cursors;
import io.fairlead.router.cursor.OpenCursor;
import io.fairlead.router.shard.Shards;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a router does once a second on a thread of its own: reads the shards and the routing setting
 * again, says which members have lost their reads, and closes cursors that nobody has used for
 * long. {@link #close} stops the thread and waits for it.
 */
public final class Housekeeping implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final Shards shards;
  private final LiveRouting live;
  private final Cursors cursors;
  private final Consumer<OpenCursor> closeCursor;
  private final ReadLosses losses = new ReadLosses();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  public Housekeeping(
      String name,
      Shards shards,
      LiveRouting live,
      Cursors cursors,
      Consumer<OpenCursor> closeCursor) {
    this.shards = shards;
    this.live = live;
    this.cursors = cursors;
    this.closeCursor = closeCursor;
    this.thread = Thread.ofVirtual().name("router-housekeeping-" + name).unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!closing.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        round();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void round() {
    try {
      shards.refresh();
      live.refresh(shards);
      losses.look(shards);
      cursors.takeIdle().forEach(closeCursor);
    } catch (MongoException unreachable) {
      LOG.debug("this round of housekeeping was cut short: {}", unreachable.getMessage());
    } catch (RuntimeException failed) {
      LOG.warn("this round of housekeeping failed", failed);
    }
  }

  @Override
  public void close() {
    closing.countDown();
    thread.interrupt();
    try {
      if (!thread.join(Duration.ofSeconds(10))) {
        LOG.warn("{} still runs 10 s after it was closed", thread.getName());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
