// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

import static java.util.Objects.requireNonNull;

import com.mongodb.connection.ConnectionId;
import com.mongodb.connection.ConnectionPoolSettings;
import com.mongodb.event.ConnectionCheckOutFailedEvent;
import com.mongodb.event.ConnectionClosedEvent;
import io.fairlead.cluster.connection.Connection;
import io.fairlead.cluster.connection.Connector;
import io.fairlead.cluster.event.PoolEvents;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one server. Begins paused; {@link #ready} opens it, {@link #clear} pauses it and
 * makes every connection opened so far stale, {@link #close} ends it.
 *
 * <p>Any thread may call. One short lock guards all fields; opening and closing of connections,
 * listeners and the failure callback run outside of it. Callers without a connection wait in line,
 * first in, first out, and a connection that comes back is handed to the first of them. Every
 * connection is counted from the start of its dialling until it is closed, so nothing can be lost
 * between two counters.
 */
public final class ConnectionPool implements AutoCloseable {
  private enum Mode {
    PAUSED,
    READY,
    CLOSED
  }

  /**
   * Hears of connections that could not be opened, before those who waited for them do. Called
   * without the pool's lock.
   */
  @FunctionalInterface
  public interface OpeningFailures {
    /**
     * A connection could not be opened.
     *
     * @param generation the pool's when the opening began
     */
    void failed(IOException cause, long generation);
  }

  private final Connector connector;
  private final PoolOptions options;
  private final PoolEvents events;
  private final OpeningFailures openingFailures;
  private final LongSupplier nanoTime;
  private final String name;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition maintenanceWanted = lock.newCondition();
  private final ArrayDeque<PooledConnection> idle = new ArrayDeque<>();
  private final Set<PooledConnection> open = new HashSet<>();
  private final Set<Thread> dialling = new HashSet<>();
  private final ArrayDeque<Waiter> line = new ArrayDeque<>();
  private Mode mode = Mode.PAUSED;
  private long generation;
  private @Nullable Throwable pausedBecause;
  private boolean lookAgain;
  private @Nullable Thread maintenance;

  /** Assembles the pool; {@link #start} starts it. */
  public ConnectionPool(
      Connector connector,
      ConnectionPoolSettings settings,
      PoolEvents events,
      OpeningFailures openingFailures,
      LongSupplier nanoTime) {
    this.connector = connector;
    this.options = PoolOptions.of(settings);
    this.events = events;
    this.openingFailures = openingFailures;
    this.nanoTime = nanoTime;
    this.name = connector.serverId().getAddress().toString();
  }

  /**
   * Announces the pool and starts its upkeep: a thread that closes idle connections and keeps the
   * least number open.
   */
  public void start() {
    events.poolCreated(options.settings());
    Thread upkeep = Thread.ofVirtual().name("fairlead-pool-" + name).unstarted(this::maintain);
    lock.lock();
    try {
      maintenance = upkeep;
    } finally {
      lock.unlock();
    }
    upkeep.start();
    events.deliver();
  }

  /**
   * Lends a connection; it must come back through {@link #checkIn}.
   *
   * @param operation for events
   * @param deadlineNanos when the caller's own time is up, by the pool's clock; {@link
   *     Long#MAX_VALUE}: never
   * @throws InterruptedException when the calling thread was interrupted while waiting
   */
  public PooledConnection checkOut(long operation, long deadlineNanos)
      throws CheckOutException, InterruptedException {
    long begin = nanoTime.getAsLong();
    events.checkOutStarted(operation);
    events.deliver();
    Aftermath after = new Aftermath();
    Waiter waiter = null;
    PooledConnection found;
    boolean waitsForDialling = false;
    lock.lock();
    try {
      found = mode == Mode.READY && line.isEmpty() ? takeIdle(begin, after) : null;
      if (found != null) {
        events.checkedOut(
            found.connection.description().getConnectionId(),
            operation,
            nanoTime.getAsLong() - begin);
      } else if (mode != Mode.READY) {
        throw refusal(operation, begin);
      } else {
        waiter = new Waiter();
        line.add(waiter);
        waitsForDialling = dialFor(line.size(), after) >= line.size();
      }
    } finally {
      lock.unlock();
      after.happen();
      events.deliver();
    }
    if (found != null || waiter == null) {
      return requireNonNull(found, "found");
    }
    return waitInLine(waiter, operation, begin, deadlineNanos, waitsForDialling);
  }

  /**
   * Takes a connection back. A broken, stale or old one is closed; else the first in line gets it.
   */
  public void checkIn(PooledConnection connection, long operation) {
    Waiter first = null;
    ConnectionClosedEvent.Reason perished;
    Aftermath after = null;
    long now = nanoTime.getAsLong();
    lock.lock();
    try {
      connection.inUse = false;
      connection.idleSinceNanos = now;
      events.checkedIn(connection.connection.description().getConnectionId(), operation);
      perished = whyPerished(connection, now);
      if (perished != null) {
        after = new Aftermath();
        forget(connection, perished, after);
        dialFor(line.size(), after);
      } else {
        first = line.poll();
        if (first != null) {
          connection.inUse = true;
          first.give(connection);
        } else {
          idle.push(connection);
        }
      }
    } finally {
      lock.unlock();
    }
    if (first != null) {
      first.wake();
    }
    if (after != null) {
      after.happen();
    }
    events.deliver();
  }

  /**
   * Lets connections be made and lent: the server is known to be well. Queues its event and calls
   * nobody.
   */
  public void ready() {
    lock.lock();
    try {
      if (mode != Mode.PAUSED) {
        return;
      }
      mode = Mode.READY;
      pausedBecause = null;
      events.poolReady();
      wantMaintenance();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Pauses the pool: everything opened so far is stale, whoever waits in line fails.
   *
   * @param next the generation of what is opened from now on; one that is not newer changes nothing
   * @param interruptInUse whether connections in use are closed under their holders
   * @param because what the waiting are told
   * @return closes what became stale and wakes the waiting; to be run once the caller holds no lock
   */
  public Runnable clear(long next, boolean interruptInUse, Throwable because) {
    Aftermath after = new Aftermath();
    lock.lock();
    try {
      if (mode == Mode.CLOSED || next <= generation) {
        return () -> {};
      }
      generation = next;
      boolean wasReady = mode == Mode.READY;
      mode = Mode.PAUSED;
      pausedBecause = because;
      if (wasReady) {
        events.poolCleared();
      }
      failLine(new CheckOutException.PoolCleared(pausedMessage(), because), after);
      while (!idle.isEmpty()) {
        forget(idle.poll(), ConnectionClosedEvent.Reason.STALE, after);
      }
      if (interruptInUse) {
        // their holders check them in later, where they are forgotten as stale
        open.forEach(each -> after.then(each.connection::close));
      }
    } finally {
      lock.unlock();
    }
    return after::happen;
  }

  /** Ends the pool: idle connections are closed now, those in use when they come back. */
  @Override
  public void close() {
    Aftermath after = new Aftermath();
    Thread upkeep;
    lock.lock();
    try {
      if (mode == Mode.CLOSED) {
        return;
      }
      mode = Mode.CLOSED;
      failLine(new CheckOutException.PoolClosed("the pool of " + name + " is closed"), after);
      while (!idle.isEmpty()) {
        forget(idle.poll(), ConnectionClosedEvent.Reason.POOL_CLOSED, after);
      }
      dialling.forEach(Thread::interrupt);
      events.poolClosed();
      wantMaintenance();
      upkeep = maintenance;
    } finally {
      lock.unlock();
    }
    after.happen();
    events.deliver();
    if (upkeep != null) {
      joinBriefly(upkeep);
    }
  }

  /** Connections open now, in use and idle. */
  public int openConnections() {
    lock.lock();
    try {
      return open.size();
    } finally {
      lock.unlock();
    }
  }

  /** What connections opened now carry. */
  public long generation() {
    lock.lock();
    try {
      return generation;
    } finally {
      lock.unlock();
    }
  }

  /** {@code 3 in use, 2 idle, 1 opening, 4 waiting; at most 100}: for messages. */
  public String figures() {
    lock.lock();
    try {
      return (open.size() - idle.size())
          + " in use, "
          + idle.size()
          + " idle, "
          + dialling.size()
          + " opening, "
          + line.size()
          + " waiting; at most "
          + (options.sizeMax() == Integer.MAX_VALUE ? "any number" : options.sizeMax());
    } finally {
      lock.unlock();
    }
  }

  private PooledConnection waitInLine(
      Waiter waiter, long operation, long begin, long deadlineNanos, boolean waitsForDialling)
      throws CheckOutException, InterruptedException {
    long limit = limitOf(begin, deadlineNanos, waitsForDialling);
    boolean settled = waiter.await(limit != Long.MAX_VALUE, limit, nanoTime);
    if (!settled) {
      lock.lock();
      try {
        // settled after all, between the last look and the lock: then the outcome is the caller's
        // to keep
        settled = waiter.isSettled();
        if (!settled) {
          line.remove(waiter);
        }
      } finally {
        lock.unlock();
      }
    }
    long elapsed = nanoTime.getAsLong() - begin;
    PooledConnection given = waiter.connection();
    if (given != null) {
      events.checkedOut(given.connection.description().getConnectionId(), operation, elapsed);
      events.deliver();
      return given;
    }
    CheckOutException failure = waiter.failure();
    boolean interrupted = failure == null && Thread.interrupted();
    if (failure == null && !interrupted) {
      failure =
          new CheckOutException.TimedOut(
              "no connection to "
                  + name
                  + " after "
                  + Duration.ofNanos(elapsed).toMillis()
                  + " ms: "
                  + figures());
    }
    events.checkOutFailed(
        operation,
        interrupted ? ConnectionCheckOutFailedEvent.Reason.UNKNOWN : reasonOf(failure),
        elapsed);
    events.deliver();
    if (failure == null) {
      throw new InterruptedException("interrupted while waiting for a connection to " + name);
    }
    throw failure;
  }

  /**
   * The earlier of the pool's own limit and the caller's. A pool that may not wait still waits for
   * its own dialling.
   */
  private long limitOf(long begin, long deadlineNanos, boolean waitsForDialling) {
    if (options.waitNanos() == 0 && waitsForDialling) {
      return deadlineNanos;
    }
    if (options.waitNanos() < 0) {
      return deadlineNanos;
    }
    long own = begin + options.waitNanos();
    return deadlineNanos == Long.MAX_VALUE || own - deadlineNanos < 0 ? own : deadlineNanos;
  }

  private CheckOutException refusal(long operation, long begin) {
    CheckOutException refusal =
        mode == Mode.CLOSED
            ? new CheckOutException.PoolClosed("the pool of " + name + " is closed")
            : new CheckOutException.PoolCleared(pausedMessage(), pausedBecause);
    events.checkOutFailed(operation, reasonOf(refusal), nanoTime.getAsLong() - begin);
    return refusal;
  }

  private String pausedMessage() {
    Throwable because = pausedBecause;
    return "the pool of "
        + name
        + " is paused"
        + (because == null ? "" : " because " + because.getMessage());
  }

  private static ConnectionCheckOutFailedEvent.Reason reasonOf(
      @Nullable CheckOutException failure) {
    return switch (failure) {
      case null -> ConnectionCheckOutFailedEvent.Reason.UNKNOWN;
      case CheckOutException.PoolClosed ignored -> ConnectionCheckOutFailedEvent.Reason.POOL_CLOSED;
      case CheckOutException.TimedOut ignored -> ConnectionCheckOutFailedEvent.Reason.TIMEOUT;
      case CheckOutException.PoolCleared ignored ->
          ConnectionCheckOutFailedEvent.Reason.CONNECTION_ERROR;
      case CheckOutException.OpeningFailed ignored ->
          ConnectionCheckOutFailedEvent.Reason.CONNECTION_ERROR;
    };
  }

  // Everything below, down to the threads' own methods, runs under the lock.

  private @Nullable PooledConnection takeIdle(long now, Aftermath after) {
    for (PooledConnection next = idle.poll(); next != null; next = idle.poll()) {
      ConnectionClosedEvent.Reason perished = whyPerished(next, now);
      if (perished == null) {
        next.inUse = true;
        return next;
      }
      forget(next, perished, after);
    }
    return null;
  }

  private ConnectionClosedEvent.@Nullable Reason whyPerished(
      PooledConnection connection, long now) {
    if (mode == Mode.CLOSED) {
      return ConnectionClosedEvent.Reason.POOL_CLOSED;
    }
    if (connection.generation != generation) {
      return ConnectionClosedEvent.Reason.STALE;
    }
    if (!connection.connection.isUsable()) {
      return ConnectionClosedEvent.Reason.ERROR;
    }
    boolean tooIdle =
        options.idleNanos() > 0 && now - connection.idleSinceNanos > options.idleNanos();
    boolean tooOld = options.lifeNanos() > 0 && now - connection.openedNanos > options.lifeNanos();
    return tooIdle || tooOld ? ConnectionClosedEvent.Reason.IDLE : null;
  }

  private void forget(
      PooledConnection connection, ConnectionClosedEvent.Reason reason, Aftermath after) {
    open.remove(connection);
    events.connectionClosed(connection.connection.description().getConnectionId(), reason);
    after.then(connection.connection::close);
  }

  private void wantMaintenance() {
    lookAgain = true;
    maintenanceWanted.signalAll();
  }

  private void failLine(CheckOutException why, Aftermath after) {
    for (Waiter waiter = line.poll(); waiter != null; waiter = line.poll()) {
      waiter.fail(why);
      after.then(waiter::wake);
    }
  }

  /**
   * Begins to dial until that many connections are on their way, as far as the limits allow.
   *
   * @return how many are on their way now
   */
  private int dialFor(int wanted, Aftermath after) {
    while (mode == Mode.READY
        && dialling.size() < Math.min(wanted, options.connectingMax())
        && open.size() + dialling.size() < options.sizeMax()) {
      ConnectionId id = connector.nextId();
      long since = generation;
      events.connectionCreated(id);
      Thread dialler =
          Thread.ofVirtual().name("fairlead-dial-" + name).unstarted(() -> dial(id, since));
      dialling.add(dialler);
      after.then(dialler::start);
    }
    return dialling.size();
  }

  // The dialling thread's own.

  private void dial(ConnectionId id, long since) {
    long begin = nanoTime.getAsLong();
    Connection connection;
    try {
      connection = connector.open(id);
    } catch (IOException failure) {
      openingFailures.failed(failure, since);
      endDial(id, failure, since);
      return;
    } catch (RuntimeException broken) {
      endDial(id, broken, since);
      throw broken;
    }
    Aftermath after = new Aftermath();
    lock.lock();
    try {
      dialling.remove(Thread.currentThread());
      long now = nanoTime.getAsLong();
      events.connectionReady(connection.description().getConnectionId(), now - begin);
      PooledConnection opened = new PooledConnection(connection, since, now);
      open.add(opened);
      ConnectionClosedEvent.Reason perished = whyPerished(opened, now);
      Waiter first = perished == null ? line.poll() : null;
      if (perished != null) {
        forget(opened, perished, after);
      } else if (first != null) {
        opened.inUse = true;
        first.give(opened);
        after.then(first::wake);
      } else {
        idle.push(opened);
      }
      dialFor(line.size(), after);
      if (open.size() < options.sizeMin()) {
        wantMaintenance();
      }
    } finally {
      lock.unlock();
    }
    after.happen();
    events.deliver();
  }

  private void endDial(ConnectionId id, Throwable failure, long since) {
    Aftermath after = new Aftermath();
    lock.lock();
    try {
      dialling.remove(Thread.currentThread());
      events.connectionClosed(id, ConnectionClosedEvent.Reason.ERROR);
      Waiter first = line.poll();
      if (first != null) {
        first.fail(new CheckOutException.OpeningFailed(failure, since));
        after.then(first::wake);
      }
      dialFor(line.size(), after);
    } finally {
      lock.unlock();
    }
    after.happen();
    events.deliver();
  }

  // The upkeep thread's own.

  private void maintain() {
    try {
      while (lookThrough()) {
        events.deliver();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    events.deliver();
  }

  /**
   * Closes what lies idle too long, begins to fill up to the least size, and sleeps until there is
   * reason to look again.
   */
  private boolean lookThrough() throws InterruptedException {
    Aftermath after = new Aftermath();
    long now = nanoTime.getAsLong();
    lock.lock();
    try {
      if (mode == Mode.CLOSED) {
        return false;
      }
      for (Iterator<PooledConnection> each = idle.iterator(); each.hasNext(); ) {
        PooledConnection connection = each.next();
        ConnectionClosedEvent.Reason perished = whyPerished(connection, now);
        if (perished != null) {
          each.remove();
          forget(connection, perished, after);
        }
      }
      dialFor(Math.max(line.size(), options.sizeMin() - open.size()), after);
    } finally {
      lock.unlock();
    }
    after.happen();
    events.deliver();
    lock.lock();
    try {
      long left = napNanos();
      while (!lookAgain && left > 0) {
        left = maintenanceWanted.awaitNanos(left);
      }
      lookAgain = false;
      return mode != Mode.CLOSED;
    } finally {
      lock.unlock();
    }
  }

  private long napNanos() {
    long nap = options.maintenanceEvery().toNanos();
    if (options.idleNanos() > 0) {
      nap = Math.min(nap, Math.max(options.idleNanos() / 2, TimeUnit.MILLISECONDS.toNanos(10)));
    }
    return Math.max(nap, TimeUnit.MILLISECONDS.toNanos(1));
  }

  private static void joinBriefly(Thread thread) {
    try {
      thread.join(Duration.ofSeconds(2));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** What is left to do once the lock is released; usually nothing. */
  private static final class Aftermath {
    private @Nullable List<Runnable> steps;

    void then(Runnable step) {
      List<Runnable> all = steps;
      if (all == null) {
        all = new ArrayList<>();
        steps = all;
      }
      all.add(step);
    }

    void happen() {
      List<Runnable> all = steps;
      if (all != null) {
        all.forEach(Runnable::run);
      }
    }
  }
}
