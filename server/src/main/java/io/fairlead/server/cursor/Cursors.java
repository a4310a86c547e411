// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.cursor;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.server.command.Failures;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.bson.BsonBinary;
import org.jspecify.annotations.Nullable;

/**
 * The open cursors of a server. Bounded; an idle one is closed after the timeout. Any thread may
 * call.
 */
public final class Cursors {
  /** Beyond this many open cursors a new one is refused. */
  static final int CURSORS_MAX = 100_000;

  private final long timeoutNanos;
  private final LongSupplier nanoTime;
  private final RandomGenerator random;
  private final ConcurrentHashMap<Long, ServerCursor> open = new ConcurrentHashMap<>();
  private final LongAdder timedOut = new LongAdder();

  public Cursors(Duration timeout, LongSupplier nanoTime, RandomGenerator random) {
    this.timeoutNanos = timeout.toNanos();
    this.nanoTime = nanoTime;
    this.random = random;
  }

  /** A cursor that the calling command has, and that nobody else can find before {@link #keep}. */
  public ServerCursor create(
      Namespace namespace,
      ServerCursor.Kind kind,
      @Nullable BsonBinary session,
      boolean immortal,
      OperationContext.Interrupt interruption,
      ServerCursor.Opening opening) {
    if (open.size() >= CURSORS_MAX) {
      throw Failures.of(146, "there are " + CURSORS_MAX + " open cursors already");
    }
    return new ServerCursor(namespace, kind, session, immortal, interruption, opening);
  }

  private long freshId() {
    long id;
    do {
      id = random.nextLong(1, Long.MAX_VALUE);
    } while (open.containsKey(id));
    return id;
  }

  /** Keeps a cursor open for later commands. */
  public void keep(ServerCursor cursor) {
    if (cursor.id() == ServerCursor.NO_ID) {
      cursor.name(freshId());
    }
    open.put(cursor.id(), cursor);
    if (!cursor.checkIn(nanoTime.getAsLong())) {
      open.remove(cursor.id());
    }
  }

  /** Closes a cursor that the calling command has. */
  public void close(ServerCursor cursor) {
    open.remove(cursor.id());
    cursor.close();
  }

  /**
   * Takes a cursor for one command, which then calls {@link #keep} or {@link #close}.
   *
   * @throws io.fairlead.engine.error.EngineException 43 where there is no such cursor, 143 while
   *     another command has it
   */
  public ServerCursor checkOut(long id, OperationContext.Interrupt interruption) {
    ServerCursor cursor = find(id);
    if (cursor == null) {
      throw Failures.of(43, "cursor id " + id + " not found");
    }
    if (!cursor.checkOut(interruption)) {
      throw Failures.of(143, "cursor id " + id + " is already in use");
    }
    return cursor;
  }

  /** The open cursor of that id, or null. */
  public @Nullable ServerCursor find(long id) {
    return open.get(id);
  }

  /**
   * Closes the cursor of that id, at once or when the command that has it is done; false where
   * there is none.
   */
  public boolean kill(long id) {
    ServerCursor cursor = open.remove(id);
    if (cursor != null) {
      cursor.kill();
    }
    return cursor != null;
  }

  /** Closes the cursors of a session that has ended. */
  public void killOfSession(BsonBinary session) {
    open.forEach(
        (id, cursor) -> {
          if (session.equals(cursor.session())) {
            kill(id);
          }
        });
  }

  /** Closes all. */
  public void killAll() {
    open.keySet().forEach(this::kill);
  }

  /** Closes those that have been idle for too long. Called now and then. */
  public void sweep() {
    long now = nanoTime.getAsLong();
    open.forEach(
        (id, cursor) -> {
          if (!cursor.isImmortal()
              && cursor.session() == null
              && cursor.isIdle(now, timeoutNanos)
              && kill(id)) {
            timedOut.increment();
          }
        });
  }

  /** How many are open. */
  public int count() {
    return open.size();
  }

  /** How many were closed for being idle. */
  public long timedOut() {
    return timedOut.sum();
  }
}
