// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.cursor;

import io.fairlead.engine.error.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The open cursors of a router under numbers of its own. One is used by one request at a time, and
 * forgotten after ten idle minutes. Any thread may call.
 */
public final class Cursors {

  private static final int CURSOR_NOT_FOUND = 43;
  private static final int CURSOR_IN_USE = 12051;
  private static final long IDLE_NANOS_MAX = Duration.ofMinutes(10).toNanos();

  private final RandomGenerator random;
  private final LongSupplier nanoTime;
  private final Map<Long, Entry> open = new ConcurrentHashMap<>();

  private static final class Entry {
    private OpenCursor cursor;
    private boolean inUse;
    private boolean killed;
    private long lastUsedNanos;

    Entry(OpenCursor cursor, long now) {
      this.cursor = cursor;
      this.lastUsedNanos = now;
    }
  }

  public Cursors(RandomGenerator random, LongSupplier nanoTime) {
    this.random = random;
    this.nanoTime = nanoTime;
  }

  /**
   * Keeps a cursor.
   *
   * @return its number, never 0
   */
  public long add(OpenCursor cursor) {
    Entry entry = new Entry(cursor, nanoTime.getAsLong());
    while (true) {
      long id = random.nextLong(1, Long.MAX_VALUE);
      if (open.putIfAbsent(id, entry) == null) {
        return id;
      }
    }
  }

  /**
   * Takes a cursor for a request; it is to be given back.
   *
   * @throws EngineException 43 when there is none, 12051 when another request has it
   */
  public OpenCursor take(long id, String namespace) {
    Entry entry = open.get(id);
    if (entry == null) {
      throw new EngineException(CURSOR_NOT_FOUND, "cursor id " + id + " not found");
    }
    synchronized (entry) { // a few fields, never held across a wait
      if (!entry.cursor.namespace().equals(namespace)) {
        throw new EngineException(
            13,
            "Requested getMore on namespace '"
                + namespace
                + "', but cursor belongs to a different namespace "
                + entry.cursor.namespace());
      }
      if (entry.inUse) {
        throw new EngineException(CURSOR_IN_USE, "cursor id " + id + " is already in use");
      }
      entry.inUse = true;
      return entry.cursor;
    }
  }

  /**
   * Gives a cursor back.
   *
   * @param exhausted whether it is over and can be forgotten
   * @return whether it was killed meanwhile, so that the caller has to close it
   */
  public boolean giveBack(long id, boolean exhausted) {
    Entry entry = exhausted ? open.remove(id) : open.get(id);
    if (entry == null) {
      return false;
    }
    synchronized (entry) {
      entry.inUse = false;
      entry.lastUsedNanos = nanoTime.getAsLong();
      if (entry.killed) {
        open.remove(id);
      }
      return entry.killed;
    }
  }

  /**
   * Takes a cursor out for good.
   *
   * @return null when there is none, or when the request that has it will close it
   */
  public @org.jspecify.annotations.Nullable Killed kill(long id) {
    Entry entry = open.get(id);
    if (entry == null) {
      return null;
    }
    synchronized (entry) {
      if (entry.inUse) {
        entry.killed = true;
        return new Killed(null);
      }
    }
    return open.remove(id, entry) ? new Killed(entry.cursor) : null;
  }

  /**
   * What became of a kill: the cursor to close, or null when the request that is using it does
   * that.
   */
  public record Killed(@org.jspecify.annotations.Nullable OpenCursor toClose) {}

  /** Takes out those that have been idle for too long; they are the caller's to close. */
  public List<OpenCursor> takeIdle() {
    long now = nanoTime.getAsLong();
    List<OpenCursor> idle = new ArrayList<>();
    open.forEach(
        (id, entry) -> {
          synchronized (entry) {
            if (!entry.inUse
                && now - entry.lastUsedNanos > IDLE_NANOS_MAX
                && open.remove(id, entry)) {
              idle.add(entry.cursor);
            }
          }
        });
    return idle;
  }

  public int size() {
    return open.size();
  }
}
