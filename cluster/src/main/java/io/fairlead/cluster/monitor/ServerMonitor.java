// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.monitor;

import com.mongodb.connection.ConnectionId;
import io.fairlead.cluster.Threads;
import io.fairlead.cluster.connection.Connection;
import io.fairlead.cluster.connection.Connector;
import io.fairlead.cluster.connection.Handshake;
import io.fairlead.cluster.event.MonitorEvents;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.TopologyVersion;
import io.fairlead.topology.discovery.TopologyEvent.CheckFailed;
import io.fairlead.topology.discovery.TopologyEvent.HelloReceived;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.ReadTimeoutException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks one server for ever, on one connection: asks it how it is, tells the inbox, waits. A
 * server that tells a topology version is asked to answer again by itself whenever that changes
 * (streaming); another is asked every heartbeat.
 *
 * <p>Runs on the monitor's own thread, which survives whatever a check brings; {@link
 * #requestCheck}, {@link #cancelCheck} and {@link #close} may come from any.
 */
public final class ServerMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(ServerMonitor.class);

  private final HostAddress server;
  private final Connector connector;
  private final MonitorOptions options;
  private final TopologyInbox inbox;
  private final MonitorEvents events;
  private final RoundTripMonitor roundTrips;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wanted = lock.newCondition();
  private boolean checkRequested;
  private volatile boolean closed;
  private volatile boolean cancelled;
  private volatile @Nullable Connection connection;

  // The monitor thread's own.
  private @Nullable TopologyVersion topologyVersion;
  private boolean replyOnItsWay;
  private int awaitedRequestId;
  private boolean known;

  /** Assembles the monitor; {@link #start} starts it. */
  public ServerMonitor(
      HostAddress server,
      Connector connector,
      MonitorOptions options,
      TopologyInbox inbox,
      MonitorEvents events) {
    this.server = server;
    this.connector = connector;
    this.options = options;
    this.inbox = inbox;
    this.events = events;
    this.roundTrips = new RoundTripMonitor(server, connector, options, inbox);
    this.thread = Thread.ofVirtual().name("fairlead-monitor-" + server).unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  /**
   * Wants the server checked soon: now if it is not being checked, though never sooner than the
   * least heartbeat allows.
   */
  public void requestCheck() {
    lock.lock();
    try {
      checkRequested = true;
      wanted.signalAll();
    } finally {
      lock.unlock();
    }
    roundTrips.requestCheck();
  }

  /**
   * Closes the connection of a check in progress: it is probably dead. The server is checked anew,
   * though never sooner than the least heartbeat allows.
   */
  public void cancelCheck() {
    Connection open = connection;
    if (open != null) {
      cancelled = true;
      open.close();
    }
    requestCheck(); // or a server that only lost connections would stay unknown for a whole
    // heartbeat
  }

  /** Ends both loops and waits for them, two seconds at most. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      wanted.signalAll();
    } finally {
      lock.unlock();
    }
    thread.interrupt();
    Connection open = connection;
    if (open != null) {
      open.close();
    }
    roundTrips.close();
    Threads.joinBriefly(thread);
  }

  private void run() {
    try {
      while (!closed) {
        boolean again;
        try {
          again = check();
        } catch (RuntimeException broken) {
          // a bug must not end the watch over a server: it would never be seen to recover
          LOG.error("[{}] check failed unexpectedly", server, broken);
          hangUp();
          again = false;
        }
        if (!again) {
          rest();
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      hangUp();
    }
  }

  /**
   * One check, told to the inbox.
   *
   * @return whether the next should follow at once: a streamed answer is on its way, or a server
   *     that was well failed once
   */
  private boolean check() {
    boolean wasKnown = known;
    if (connection != null && !connection.isUsable()) {
      hangUp(); // a cancelled check has closed it between two checks
    }
    Connection open = connection;
    boolean awaited = open != null && isStreaming();
    ConnectionId id = open == null ? connector.nextId() : open.description().getConnectionId();
    long begin = System.nanoTime();
    cancelled = false;
    try {
      if (!replyOnItsWay) {
        events.started(id, awaited);
      }
      BsonDocument hello = open == null ? connect(id) : awaited ? await(open) : poll(open);
      Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
      boolean ok = Handshake.isOk(hello);
      if (ok) {
        topologyVersion = TopologyVersion.in(hello);
        events.succeeded(id, hello, elapsed, awaited);
      } else {
        events.failed(
            id, elapsed, awaited, new IOException("hello was answered with " + hello.toJson()));
        hangUp();
      }
      known = ok;
      Duration roundTrip =
          awaited ? null : open == null && ok ? roundTripOfHandshake(elapsed) : elapsed;
      inbox.heard(new HelloReceived(server, hello, roundTrip));
      events.deliver();
      if (ok && isStreaming()) {
        roundTrips.start();
        return true;
      }
      return false;
    } catch (Handshake.RefusedException refused) {
      lost(id, begin, awaited, refused);
      inbox.heard(new HelloReceived(server, refused.reply(), null));
    } catch (IOException failure) {
      boolean wasCancelled = cancelled;
      lost(id, begin, awaited, failure);
      if (closed) {
        return false;
      }
      if (wasCancelled) {
        // whoever cancelled has told the topology already, and knew more
        return false;
      }
      inbox.heard(
          new CheckFailed(server, messageOf(failure), failure instanceof ReadTimeoutException));
    }
    events.deliver();
    return wasKnown;
  }

  private BsonDocument connect(ConnectionId id) throws IOException {
    Connection opened = connector.open(id);
    connection = opened;
    if (closed) {
      opened.close();
    }
    return opened.handshake().hello();
  }

  private BsonDocument poll(Connection open) throws IOException {
    return open.exchange(
        Message.command(HelloCommand.polled(open, options)), options.replyTimeout());
  }

  /**
   * Waits for the next streamed answer, asking for it first unless the server sends it by itself.
   */
  private BsonDocument await(Connection open) throws IOException {
    if (!replyOnItsWay) {
      TopologyVersion seen = topologyVersion;
      if (seen == null) {
        throw new IllegalStateException("a streamed hello needs a topology version");
      }
      Message command =
          Message.command(HelloCommand.streamed(open, options, seen))
              .withFlags(Message.EXHAUST_ALLOWED);
      open.send(command);
      awaitedRequestId = command.requestId();
    }
    Message reply = open.receive(awaitedRequestId, awaitLimit());
    replyOnItsWay = reply.moreToCome();
    // servers answer their own last message from the second reply on
    awaitedRequestId = replyOnItsWay ? reply.requestId() : 0;
    return reply.body();
  }

  private Duration awaitLimit() {
    return options.replyTimeout().isZero()
        ? Duration.ZERO
        : options.replyTimeout().plus(options.heartbeat());
  }

  private boolean isStreaming() {
    return options.streaming() && topologyVersion != null;
  }

  private Duration roundTripOfHandshake(Duration elapsed) {
    Connection open = connection;
    return open == null ? elapsed : open.handshake().roundTrip();
  }

  private void lost(ConnectionId id, long begin, boolean awaited, IOException failure) {
    hangUp();
    known = false;
    if (!closed) {
      events.failed(id, Duration.ofNanos(System.nanoTime() - begin), awaited, failure);
    }
  }

  private void hangUp() {
    Connection open = connection;
    connection = null;
    topologyVersion = null;
    replyOnItsWay = false;
    if (open != null) {
      open.close();
    }
  }

  private void rest() throws InterruptedException {
    long begin = System.nanoTime();
    lock.lockInterruptibly();
    try {
      long left = options.heartbeat().toNanos();
      while (!checkRequested && !closed && left > 0) {
        left = wanted.awaitNanos(left);
      }
      checkRequested = false;
      left = options.heartbeatMin().toNanos() - (System.nanoTime() - begin);
      while (!closed && left > 0) {
        left = wanted.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private static String messageOf(IOException failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
