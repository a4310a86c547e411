// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.monitor;

import io.fairlead.cluster.Threads;
import io.fairlead.cluster.connection.Connection;
import io.fairlead.cluster.connection.Connector;
import io.fairlead.cluster.connection.Handshake;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.TopologyVersion;
import io.fairlead.topology.discovery.TopologyEvent.HelloReceived;
import io.fairlead.topology.discovery.TopologyEvent.RoundTripMeasured;
import io.fairlead.wire.message.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the network to a server whose hello is streamed, on a connection and a thread of its
 * own. Its failures say nothing about the server: that is the other monitor's to judge. {@link
 * #start}, {@link #requestCheck} and {@link #close} may come from any thread.
 *
 * <p>An immediate check is answered here too: the streaming connection only speaks when the server
 * has news, and a server that was taken for unknown because of an error without a topology version
 * has none. As long as such checks bring no newer topology version the time between them doubles,
 * from the least heartbeat to the ordinary one.
 *
 * <p>A first sample, and one far from the average, is followed by a dozen at short intervals, and a
 * dozen more while they do not agree, up to four: one hiccup, of a cold process say, would
 * otherwise keep a server out of the latency window for many heartbeats, and a server that has
 * really moved would keep its reads for as long.
 */
final class RoundTripMonitor {
  private static final int SAMPLES_AT_ONCE = 12;
  private static final int BURSTS_MAX = 4;
  private static final Duration BETWEEN_SAMPLES_AT_ONCE = Duration.ofMillis(15);
  private static final long STARTLING_NANOS = Duration.ofMillis(3).toNanos();
  private static final Logger LOG = LoggerFactory.getLogger(RoundTripMonitor.class);

  private final HostAddress server;
  private final Connector connector;
  private final MonitorOptions options;
  private final TopologyInbox inbox;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wanted = lock.newCondition();
  private final Thread thread;
  private volatile @Nullable Connection connection;
  private boolean started;
  private boolean checkRequested;
  private volatile boolean closed;

  // The thread's own.
  private Duration leastPause;
  private @Nullable TopologyVersion lastVersion;
  private long averageNanos = -1;
  private int samplesToTake;
  private int bursts;

  RoundTripMonitor(
      HostAddress server, Connector connector, MonitorOptions options, TopologyInbox inbox) {
    this.server = server;
    this.connector = connector;
    this.options = options;
    this.inbox = inbox;
    this.leastPause = options.heartbeatMin();
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

  /** Wants the server's whole answer told soon, not only how long it took. */
  void requestCheck() {
    lock.lock();
    try {
      checkRequested = true;
      wanted.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void close() {
    boolean running;
    lock.lock();
    try {
      closed = true;
      running = started;
      wanted.signalAll();
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
      boolean requested = false;
      while (!closed) {
        measure(requested);
        requested = rest();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      hangUp();
    }
  }

  private void measure(boolean requested) {
    try {
      Connection open = connection;
      if (open != null && !open.isUsable()) {
        hangUp();
        open = null;
      }
      BsonDocument hello;
      Duration roundTrip;
      if (open == null) {
        open = connector.open(connector.nextId());
        connection = open;
        averageNanos = -1;
        if (closed) {
          return;
        }
        hello = open.handshake().hello();
        roundTrip = open.handshake().roundTrip();
      } else {
        long before = System.nanoTime();
        hello =
            open.exchange(
                Message.command(HelloCommand.polled(open, options)), options.replyTimeout());
        roundTrip = Duration.ofNanos(System.nanoTime() - before);
      }
      inbox.heard(
          requested && Handshake.isOk(hello)
              ? new HelloReceived(server, hello, roundTrip)
              : new RoundTripMeasured(server, roundTrip));
      paceAfter(requested, TopologyVersion.in(hello));
      lookAgainAfter(roundTrip.toNanos());
    } catch (IOException failure) {
      LOG.debug("[{}] round-trip time not measured: {}", server, failure.getMessage());
      hangUp();
    }
  }

  private void lookAgainAfter(long sampleNanos) {
    long distance = Math.abs(sampleNanos - averageNanos);
    boolean startling =
        averageNanos < 0 || (distance > STARTLING_NANOS && distance > averageNanos / 4);
    if (samplesToTake > 0) {
      samplesToTake--;
    }
    if (!startling) {
      if (samplesToTake == 0) {
        bursts = 0;
      }
    } else if (samplesToTake == 0 && bursts < BURSTS_MAX) {
      samplesToTake = SAMPLES_AT_ONCE;
      bursts++;
    }
    averageNanos = averageNanos < 0 ? sampleNanos : (averageNanos * 4 + sampleNanos) / 5;
  }

  private void paceAfter(boolean requested, @Nullable TopologyVersion version) {
    boolean noNews = requested && Objects.equals(version, lastVersion);
    lastVersion = version;
    Duration doubled = leastPause.multipliedBy(2);
    leastPause =
        !noNews
            ? options.heartbeatMin()
            : doubled.compareTo(options.heartbeat()) < 0 ? doubled : options.heartbeat();
  }

  /**
   * Waits for the next heartbeat, or for a request and the least pause; tells whether it was a
   * request.
   */
  private boolean rest() throws InterruptedException {
    long begin = System.nanoTime();
    lock.lockInterruptibly();
    try {
      Duration pause = options.heartbeat();
      if (samplesToTake > 0 && BETWEEN_SAMPLES_AT_ONCE.compareTo(pause) < 0) {
        pause = BETWEEN_SAMPLES_AT_ONCE;
      }
      long left = pause.toNanos();
      while (!checkRequested && !closed && left > 0) {
        left = wanted.awaitNanos(left);
      }
      if (!checkRequested) {
        return false;
      }
      left = leastPause.toNanos() - (System.nanoTime() - begin);
      while (!closed && left > 0) {
        left = wanted.awaitNanos(left);
      }
      boolean requested = checkRequested;
      checkRequested = false;
      return requested;
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
}
