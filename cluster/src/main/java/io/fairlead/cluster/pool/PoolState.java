// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

import com.mongodb.event.ConnectionClosedEvent;
import io.fairlead.cluster.event.PoolEvents;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a pool has and whom it owes, and how that changes. Guarded by the pool's lock: calls nobody,
 * queues events, and leaves what is to be done without the lock to an {@link Aftermath}.
 *
 * <p>Always true: an idle connection lies there only while nobody waits; every connection counts
 * from the start of its dialling until it is closed; whoever has begun to wait is settled once, by
 * a connection, by a failure, or by leaving the line itself.
 */
final class PoolState {
  private enum Mode {
    PAUSED,
    READY,
    CLOSED
  }

  private final String name;
  private final PoolOptions options;
  private final PoolEvents events;
  private final LongFunction<Dial> newDial;
  private final ArrayDeque<PooledConnection> idle = new ArrayDeque<>();
  private final Set<PooledConnection> open = new HashSet<>();
  private final Set<Dial> dialling = new HashSet<>();
  private final ArrayDeque<Waiter> line = new ArrayDeque<>();
  private Mode mode = Mode.PAUSED;
  private long generation;
  private @Nullable Throwable pausedBecause;

  /**
   * @param newDial the dial of a new connection, by the generation it will belong to
   */
  PoolState(String name, PoolOptions options, PoolEvents events, LongFunction<Dial> newDial) {
    this.name = name;
    this.options = options;
    this.events = events;
    this.newDial = newDial;
  }

  /** Why nobody may check out now; null while the pool is ready. */
  @Nullable CheckOutException refusal() {
    return switch (mode) {
      case READY -> null;
      case CLOSED -> new CheckOutException.PoolClosed("the pool of " + name + " is closed");
      case PAUSED -> new CheckOutException.PoolCleared(pausedMessage(), pausedBecause);
    };
  }

  private String pausedMessage() {
    Throwable because = pausedBecause;
    return "the pool of "
        + name
        + " is paused"
        + (because == null ? "" : " because " + because.getMessage());
  }

  /** An idle connection that is still good, for a caller that finds nobody before it in line. */
  @Nullable PooledConnection lendIdle(long now, Aftermath after) {
    if (!line.isEmpty()) {
      return null;
    }
    for (PooledConnection next = idle.poll(); next != null; next = idle.poll()) {
      ConnectionClosedEvent.Reason perished = next.whyPerished(generation, options, now);
      if (perished == null) {
        next.lend();
        return next;
      }
      forget(next, perished, after);
    }
    return null;
  }

  /** Puts a caller at the end of the line, and begins to dial for it where the limits allow. */
  void queue(Waiter waiter, Aftermath after) {
    line.add(waiter);
    dialForLine(after);
  }

  /**
   * Whether a connection is being opened for a caller: as many are on their way as stand in line up
   * to it. Stays so, as each that comes or fails takes the first out of the line.
   */
  boolean isDialledFor(Waiter waiter) {
    int ahead = 0;
    for (Waiter each : line) {
      if (each == waiter) {
        return ahead < dialling.size();
      }
      ahead++;
    }
    return false;
  }

  /** Takes a caller out of the line; it may have been settled just before. */
  void leave(Waiter waiter) {
    line.remove(waiter);
  }

  void takeBack(PooledConnection connection, long now, Aftermath after) {
    if (!open.contains(connection)) {
      throw new IllegalStateException(connection.connection() + " is none of the pool of " + name);
    }
    connection.takeBack(now);
    place(connection, now, after);
  }

  /** Gives a connection to the first in line, else lets it lie idle; closes one that perished. */
  private void place(PooledConnection connection, long now, Aftermath after) {
    ConnectionClosedEvent.Reason perished =
        mode == Mode.CLOSED
            ? ConnectionClosedEvent.Reason.POOL_CLOSED
            : connection.whyPerished(generation, options, now);
    if (perished != null) {
      forget(connection, perished, after);
      dialForLine(after);
      return;
    }
    Waiter first = line.poll();
    if (first == null) {
      idle.push(connection);
    } else {
      connection.lend();
      first.give(connection);
      after.then(first::wake);
    }
  }

  /** Opens a paused pool; tells whether that changed anything. */
  boolean ready() {
    if (mode != Mode.PAUSED) {
      return false;
    }
    mode = Mode.READY;
    pausedBecause = null;
    events.poolReady();
    return true;
  }

  /** Begins a newer generation, paused; one that is not newer changes nothing. */
  void clear(long next, boolean interruptInUse, Throwable because, Aftermath after) {
    if (mode == Mode.CLOSED || next <= generation) {
      return;
    }
    generation = next;
    boolean wasReady = mode == Mode.READY;
    mode = Mode.PAUSED;
    pausedBecause = because;
    if (wasReady) {
      events.poolCleared();
    }
    forgetIdle(ConnectionClosedEvent.Reason.STALE, after);
    if (interruptInUse) {
      abandonDials(ConnectionClosedEvent.Reason.STALE, after);
      // their holders check them in later, where they are forgotten as stale
      open.forEach(each -> after.then(each.connection()::close));
    }
    failLine(new CheckOutException.PoolCleared(pausedMessage(), because), after);
  }

  /** Ends the pool; tells whether that changed anything. */
  boolean close(Aftermath after) {
    if (mode == Mode.CLOSED) {
      return false;
    }
    mode = Mode.CLOSED;
    forgetIdle(ConnectionClosedEvent.Reason.POOL_CLOSED, after);
    abandonDials(ConnectionClosedEvent.Reason.POOL_CLOSED, after);
    events.poolClosed();
    failLine(new CheckOutException.PoolClosed("the pool of " + name + " is closed"), after);
    return true;
  }

  private void failLine(CheckOutException why, Aftermath after) {
    for (Waiter waiter = line.poll(); waiter != null; waiter = line.poll()) {
      waiter.fail(why);
      after.then(waiter::wake);
    }
  }

  private void forgetIdle(ConnectionClosedEvent.Reason reason, Aftermath after) {
    while (!idle.isEmpty()) {
      forget(idle.poll(), reason, after);
    }
  }

  private void forget(
      PooledConnection connection, ConnectionClosedEvent.Reason reason, Aftermath after) {
    open.remove(connection);
    events.connectionClosed(connection.id(), reason);
    after.then(connection.connection()::close);
  }

  private void abandonDials(ConnectionClosedEvent.Reason reason, Aftermath after) {
    for (Dial dial : dialling) {
      events.connectionClosed(dial.id(), reason);
      after.then(dial::abandon);
    }
    dialling.clear();
  }

  /** Closes what lay idle too long or is broken, and dials up to the least number. */
  void lookThrough(long now, Aftermath after) {
    for (Iterator<PooledConnection> each = idle.iterator(); each.hasNext(); ) {
      PooledConnection connection = each.next();
      ConnectionClosedEvent.Reason perished = connection.whyPerished(generation, options, now);
      if (perished != null) {
        each.remove();
        forget(connection, perished, after);
      }
    }
    dial(Math.max(line.size(), options.sizeMin() - open.size()), after);
  }

  private void dialForLine(Aftermath after) {
    dial(line.size(), after);
  }

  /** Begins to dial until that many connections are on their way, as far as the limits allow. */
  private void dial(int wanted, Aftermath after) {
    while (mode == Mode.READY
        && dialling.size() < Math.min(wanted, options.connectingMax())
        && open.size() + dialling.size() < options.sizeMax()) {
      Dial dial = newDial.apply(generation);
      dialling.add(dial);
      events.connectionCreated(dial.id());
      after.then(dial::start);
    }
  }

  /**
   * A dial has succeeded.
   *
   * @return whether more are to be opened for the least number
   */
  boolean opened(Dial dial, PooledConnection connection, long elapsed, long now, Aftermath after) {
    if (!dialling.remove(dial)) {
      after.then(connection.connection()::close); // it was abandoned, and has been told of
      return false;
    }
    open.add(connection);
    events.connectionReady(connection.id(), elapsed);
    place(connection, now, after);
    dialForLine(after);
    return open.size() < options.sizeMin();
  }

  /**
   * A dial has failed, and with it the first in line; a dial of an older generation only makes room
   * for another.
   */
  void failed(Dial dial, Throwable failure, Aftermath after) {
    if (!dialling.remove(dial)) {
      return;
    }
    events.connectionClosed(dial.id(), ConnectionClosedEvent.Reason.ERROR);
    Waiter first = dial.generation() == generation ? line.poll() : null;
    if (first != null) {
      first.fail(new CheckOutException.OpeningFailed(failure, dial.generation()));
      after.then(first::wake);
    }
    dialForLine(after);
  }

  int openConnections() {
    return open.size();
  }

  long generation() {
    return generation;
  }

  String figures() {
    return (open.size() - idle.size())
        + " in use, "
        + idle.size()
        + " idle, "
        + dialling.size()
        + " opening, "
        + line.size()
        + " waiting; at most "
        + (options.sizeMax() == Integer.MAX_VALUE ? "any number" : options.sizeMax());
  }
}
