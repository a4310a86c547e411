// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.monitor;

import io.fairlead.cluster.connection.Connection;
import io.fairlead.cluster.connection.Connector;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.discovery.TopologyEvent.RoundTripMeasured;
import io.fairlead.wire.message.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the network to a server whose hello is streamed, on a connection and a thread of its
 * own. Its failures say nothing about the server: that is the other monitor's to judge. {@link
 * #start} and {@link #close} may come from any thread.
 */
final class RoundTripMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(RoundTripMonitor.class);

  private final HostAddress server;
  private final Connector connector;
  private final MonitorOptions options;
  private final TopologyInbox inbox;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private final Thread thread;
  private volatile @Nullable Connection connection;
  private boolean started;
  private volatile boolean closed;

  RoundTripMonitor(
      HostAddress server, Connector connector, MonitorOptions options, TopologyInbox inbox) {
    this.server = server;
    this.connector = connector;
    this.options = options;
    this.inbox = inbox;
    this.thread = Thread.ofVirtual().name("fairlead-roundtrip-" + server).unstarted(this::run);
  }

  /** Starts measuring; does nothing the second time. */
  void start() {
    lock.lock();
    try {
      if (started || closed) {
        return;
      }
      started = true;
    } finally {
      lock.unlock();
    }
    thread.start();
  }

  void close() {
    boolean running;
    lock.lock();
    try {
      closed = true;
      running = started;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
    thread.interrupt();
    hangUp();
    if (running) {
      Threads.joinBriefly(thread);
    }
  }

  private void run() {
    try {
      while (!closed) {
        measure();
        rest();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      hangUp();
    }
  }

  private void measure() {
    try {
      Connection open = connection;
      if (open == null) {
        open = connector.open(connector.nextId());
        connection = open;
        if (closed) {
          return;
        }
        inbox.heard(new RoundTripMeasured(server, open.handshake().roundTrip()));
        return;
      }
      long before = System.nanoTime();
      open.exchange(Message.command(HelloCommand.polled(open, options)), options.replyTimeout());
      inbox.heard(new RoundTripMeasured(server, Duration.ofNanos(System.nanoTime() - before)));
    } catch (IOException failure) {
      LOG.debug("[{}] round-trip time not measured: {}", server, failure.getMessage());
      hangUp();
    }
  }

  private void rest() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = options.heartbeat().toNanos();
      while (!closed && left > 0) {
        left = closing.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private void hangUp() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      open.close();
    }
  }

  /** For the thread's name in messages. */
  @Override
  public String toString() {
    return thread.getName()
        + " every "
        + TimeUnit.NANOSECONDS.toMillis(options.heartbeat().toNanos())
        + " ms";
  }
}
