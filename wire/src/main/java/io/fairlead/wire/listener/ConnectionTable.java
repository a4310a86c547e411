// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import io.fairlead.wire.channel.MessageChannel;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one listener: gives each its number and thread, keeps to the limit, and closes
 * them all. Once closed it accepts nothing more. Any thread may call.
 */
final class ConnectionTable {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionTable.class);
  private static final long CLOSE_SECONDS = 20;
  private static final long WATCH_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long WATCH_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  /**
   * So many connections over TCP have a platform thread each, which the operating system wakes by
   * itself when a request comes: half of the CPU time that waking a virtual thread by way of its
   * poller takes for a small command. Those beyond have virtual threads, which cost less memory.
   */
  private static final int PLATFORM_THREADS_MAX = 256;

  private final String name;
  private final ListenerSettings settings;
  private final ServiceFactory services;
  private final AtomicLong ids = new AtomicLong();
  private final Map<ServedConnection, Thread> threads = new ConcurrentHashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread watch;

  ConnectionTable(String name, ListenerSettings settings, ServiceFactory services) {
    this.name = name;
    this.settings = settings;
    this.services = services;
    this.watch = Thread.ofVirtual().name("wire-watch-" + name).unstarted(this::watch);
  }

  void start() {
    watch.start();
  }

  /** Serves a new connection, or closes it when there are too many or the listener closes. */
  void accept(MessageChannel channel) {
    if (threads.size() >= settings.connectionsMax()) {
      LOG.warn(
          "{}: {} turned away, {} connections are open and no more are allowed",
          name,
          channel.peer(),
          threads.size());
      channel.close();
      return;
    }
    long id = ids.incrementAndGet();
    ServedConnection connection = new ServedConnection(id, channel, settings, services, this);
    Thread thread = threadOf(connection);
    threads.put(connection, thread);
    if (isClosing()) { // after the put: either close() sees the entry, or this sees that it closes
      threads.remove(connection);
      channel.close();
      return;
    }
    thread.start();
  }

  private Thread threadOf(ServedConnection connection) {
    String called = "wire-connection-" + name + "-" + connection.id();
    return connection.inProcess() || threads.size() >= PLATFORM_THREADS_MAX
        ? Thread.ofVirtual().name(called).unstarted(connection)
        : Thread.ofPlatform().daemon().name(called).unstarted(connection);
  }

  void ended(ServedConnection connection) {
    threads.remove(connection);
  }

  Set<ClientConnection> connections() {
    return new HashSet<>(threads.keySet());
  }

  boolean isClosing() {
    return closing.getCount() == 0;
  }

  private void watch() {
    long period =
        Math.clamp(settings.shortestTimeout().toNanos(), WATCH_NANOS_MIN, WATCH_NANOS_MAX);
    try {
      while (!closing.await(period, TimeUnit.NANOSECONDS)) {
        threads.keySet().forEach(ServedConnection::closeIfLate);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Closes every connection and waits for their threads, unless one of them is the caller. */
  void close() {
    closing.countDown();
    Map<ServedConnection, Thread> left = Map.copyOf(threads);
    left.keySet().forEach(ServedConnection::close);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
    left.forEach((connection, thread) -> awaitEnd(connection, thread, deadline));
    awaitEnd("watch", watch, deadline);
  }

  static void awaitEnd(Object what, Thread thread, long deadlineNanos) {
    if (thread == Thread.currentThread() || thread.getState() == Thread.State.NEW) {
      return;
    }
    try {
      long millis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
      if (!thread.join(java.time.Duration.ofMillis(Math.max(1, millis)))) {
        LOG.warn("{} still runs {} s after it was closed", what, CLOSE_SECONDS);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
