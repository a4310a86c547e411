// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

import com.mongodb.connection.ConnectionPoolSettings;
import com.mongodb.event.ConnectionCheckOutFailedEvent.Reason;
import io.fairlead.cluster.connection.Connection;
import io.fairlead.cluster.connection.Connector;
import io.fairlead.cluster.event.PoolEvents;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one server. Begins paused; {@link #ready} opens it, {@link #clear} pauses it and
 * makes every connection opened so far stale, {@link #close} ends it.
 *
 * <p>Any thread may call. One short lock guards the {@link PoolState}; opening and closing of
 * connections, listeners and the failure callback run outside of it. Callers without a connection
 * wait in line, first in, first out, and a connection that comes back is handed to the first of
 * them.
 */
public final class ConnectionPool implements AutoCloseable {
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
  private final ConnectionPoolSettings settings;
  private final PoolOptions options;
  private final PoolEvents events;
  private final OpeningFailures openingFailures;
  private final LongSupplier nanoTime;
  private final String name;
  private final Upkeep upkeep;
  private final ReentrantLock lock = new ReentrantLock();
  private final PoolState state;

  /** Assembles the pool; {@link #start} starts it. */
  public ConnectionPool(
      Connector connector,
      ConnectionPoolSettings settings,
      PoolEvents events,
      OpeningFailures openingFailures,
      LongSupplier nanoTime) {
    this.connector = connector;
    this.settings = settings;
    this.options = PoolOptions.of(settings);
    this.events = events;
    this.openingFailures = openingFailures;
    this.nanoTime = nanoTime;
    this.name = connector.serverId().getAddress().toString();
    this.upkeep = new Upkeep(name, options.firstUpkeep(), options.upkeepEvery(), this::lookThrough);
    this.state =
        new PoolState(
            name,
            options,
            events,
            generation -> new Dial(name, connector.nextId(), generation, this::open));
  }

  /**
   * Announces the pool and starts its upkeep: a thread that closes idle connections and keeps the
   * least number open.
   */
  public void start() {
    events.poolCreated(settings);
    upkeep.start();
    events.deliver();
  }

  /**
   * Lends a connection; it must come back through {@link #checkIn}.
   *
   * @param operation for events
   * @param deadlineNanos when the caller's own time is up, by the pool's clock, whatever the pool's
   *     own limit; {@link Long#MAX_VALUE}: the caller has none, and the pool's limit holds
   * @throws InterruptedException when the calling thread was interrupted while waiting
   */
  public PooledConnection checkOut(long operation, long deadlineNanos)
      throws CheckOutException, InterruptedException {
    long begin = nanoTime.getAsLong();
    events.checkOutStarted(operation);
    events.deliver();
    Aftermath after = new Aftermath();
    Waiter waiter = null;
    PooledConnection idle = null;
    CheckOutException refusal;
    lock.lock();
    try {
      refusal = state.refusal();
      if (refusal == null) {
        idle = state.lendIdle(begin, after);
        if (idle == null) {
          waiter = new Waiter();
          state.queue(waiter, after);
        }
      }
    } finally {
      lock.unlock();
    }
    after.happen();
    if (waiter != null) {
      events.deliver();
      waitInLine(waiter, begin, deadlineNanos);
      idle = waiter.connection();
      refusal = waiter.failure();
    }
    long elapsed = nanoTime.getAsLong() - begin;
    if (idle != null) {
      events.checkedOut(idle.id(), operation, elapsed);
      events.deliver();
      return idle;
    }
    boolean interrupted = refusal == null && Thread.interrupted();
    events.checkOutFailed(operation, reasonOf(refusal, interrupted), elapsed);
    events.deliver();
    if (interrupted) {
      throw new InterruptedException("interrupted while waiting for a connection to " + name);
    }
    throw refusal == null ? timedOut(elapsed) : refusal;
  }

  /**
   * Waits until the caller is settled, interrupted, or late; then it has left the line. Once a
   * connection is being opened for it, the pool's own limit has no say any more: connecting has
   * limits of its own.
   */
  private void waitInLine(Waiter waiter, long begin, long deadlineNanos) {
    boolean limitedByPool =
        deadlineNanos == Long.MAX_VALUE && options.waitNanos() != Long.MAX_VALUE;
    long limit = limitedByPool ? begin + options.waitNanos() : deadlineNanos;
    boolean settled = waiter.await(limit, nanoTime);
    if (!settled && limitedByPool && isDialledFor(waiter)) {
      settled = waiter.await(Long.MAX_VALUE, nanoTime);
    }
    if (!settled) {
      change(after -> state.leave(waiter));
    }
  }

  private boolean isDialledFor(Waiter waiter) {
    lock.lock();
    try {
      return state.isDialledFor(waiter);
    } finally {
      lock.unlock();
    }
  }

  private CheckOutException timedOut(long elapsed) {
    return new CheckOutException.TimedOut(
        "no connection to "
            + name
            + " after "
            + Duration.ofNanos(elapsed).toMillis()
            + " ms: "
            + figures());
  }

  private static Reason reasonOf(@Nullable CheckOutException failure, boolean interrupted) {
    return switch (failure) {
      case null -> interrupted ? Reason.UNKNOWN : Reason.TIMEOUT;
      case CheckOutException.PoolClosed ignored -> Reason.POOL_CLOSED;
      case CheckOutException.TimedOut ignored -> Reason.TIMEOUT;
      case CheckOutException.PoolCleared ignored -> Reason.CONNECTION_ERROR;
      case CheckOutException.OpeningFailed ignored -> Reason.CONNECTION_ERROR;
    };
  }

  /**
   * Takes a connection back. A broken, stale or old one is closed; else the first in line gets it.
   *
   * @throws IllegalStateException if it is not lent by this pool
   */
  public void checkIn(PooledConnection connection, long operation) {
    Aftermath after = new Aftermath();
    long now = nanoTime.getAsLong();
    lock.lock();
    try {
      events.checkedIn(connection.id(), operation);
      state.takeBack(connection, now, after);
    } finally {
      lock.unlock();
    }
    after.happen();
    events.deliver();
  }

  /**
   * Lets connections be made and lent: the server is known to be well. Queues its event and calls
   * nobody.
   */
  public void ready() {
    lock.lock();
    try {
      if (state.ready()) {
        upkeep.soon();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Pauses the pool: everything opened so far is stale, whoever waits in line fails.
   *
   * @param next the generation of what is opened from now on; one that is not newer changes nothing
   * @param interruptInUse whether connections in use are closed under their holders, and those
   *     being opened are given up
   * @param because what the waiting are told
   * @return closes what became stale and wakes the waiting; to be run once the caller holds no lock
   */
  public Runnable clear(long next, boolean interruptInUse, Throwable because) {
    Aftermath after = new Aftermath();
    lock.lock();
    try {
      state.clear(next, interruptInUse, because, after);
    } finally {
      lock.unlock();
    }
    return after::happen;
  }

  /** Ends the pool: idle connections are closed now, those in use when they come back. */
  @Override
  public void close() {
    change(
        after -> {
          if (state.close(after)) {
            upkeep.end();
          }
        });
    upkeep.join();
  }

  /** Connections open now, in use and idle. */
  public int openConnections() {
    lock.lock();
    try {
      return state.openConnections();
    } finally {
      lock.unlock();
    }
  }

  /** What connections opened now carry. */
  public long generation() {
    lock.lock();
    try {
      return state.generation();
    } finally {
      lock.unlock();
    }
  }

  /** {@code 3 in use, 2 idle, 1 opening, 4 waiting; at most 100}: for messages. */
  public String figures() {
    lock.lock();
    try {
      return state.figures();
    } finally {
      lock.unlock();
    }
  }

  /** Changes the state under the lock; then, without it, does what is left to do. */
  private void change(Consumer<Aftermath> transition) {
    Aftermath after = new Aftermath();
    lock.lock();
    try {
      transition.accept(after);
    } finally {
      lock.unlock();
    }
    after.happen();
    events.deliver();
  }

  /** Runs on the dial's own thread. However it ends, the pool hears of it. */
  private void open(Dial dial) {
    long begin = nanoTime.getAsLong();
    Connection connection;
    try {
      connection = connector.open(dial.id());
    } catch (IOException refused) {
      try {
        if (!dial.isAbandoned()) {
          openingFailures.failed(refused, dial.generation());
        }
      } finally {
        change(after -> state.failed(dial, refused, after));
      }
      return;
    } catch (RuntimeException | Error broken) {
      change(after -> state.failed(dial, broken, after));
      throw broken;
    }
    long now = nanoTime.getAsLong();
    PooledConnection opened = new PooledConnection(connection, dial.generation(), now);
    change(
        after -> {
          if (state.opened(dial, opened, now - begin, now, after)) {
            upkeep.soon();
          }
        });
  }

  /** Runs on the upkeep's own thread. */
  private void lookThrough() {
    change(after -> state.lookThrough(nanoTime.getAsLong(), after));
  }
}
