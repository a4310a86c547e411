// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.sessions;

import io.fairlead.server.command.Failures;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.bson.BsonBinary;

/**
 * The logical sessions that this server has heard of, each until it has not been used for the
 * timeout. Bounded. Any thread may call.
 */
public final class Sessions {
  /** Beyond this many sessions a new one is refused with TooManyLogicalSessions (261). */
  static final int SESSIONS_MAX = 1_000_000;

  private final long timeoutNanos;
  private final LongSupplier nanoTime;
  private final Consumer<BsonBinary> ended;
  private final ConcurrentHashMap<BsonBinary, Use> uses = new ConcurrentHashMap<>();

  /** When a session was used last, until it ends. */
  private static final class Use {
    private long nanos;
    private boolean ended;

    Use(long nanos) {
      this.nanos = nanos;
    }

    /** Notes another use; false where the session has just ended. */
    synchronized boolean again(long now) {
      nanos = now;
      return !ended;
    }

    /** Ends the session where it has not been used for so long. */
    synchronized boolean endsAfter(long idleNanos, long now) {
      ended |= now - nanos >= idleNanos;
      return ended;
    }

    synchronized long nanos() {
      return nanos;
    }
  }

  /**
   * @param timeout of a session that is not used
   * @param ended told of every session that ends, for whoever keeps things on its behalf
   */
  public Sessions(Duration timeout, LongSupplier nanoTime, Consumer<BsonBinary> ended) {
    this.timeoutNanos = timeout.toNanos();
    this.nanoTime = nanoTime;
    this.ended = ended;
  }

  /** Notes that a command used the session; a new one begins with that. */
  public void use(BsonBinary id) {
    long now = nanoTime.getAsLong();
    Use use = uses.get(id);
    if (use != null && use.again(now)) {
      return;
    }
    if (uses.size() >= SESSIONS_MAX) {
      throw Failures.of(
          261, "cannot add session into the cache: there are " + SESSIONS_MAX + " already");
    }
    uses.put(id, new Use(now));
  }

  /** Ends the session at once. */
  public void end(BsonBinary id) {
    if (uses.remove(id) != null) {
      ended.accept(id);
    }
  }

  /** Ends every session. */
  public void endAll() {
    uses.keySet().forEach(this::end);
  }

  /** Ends the sessions whose time is over. Called now and then. */
  public void sweep() {
    long now = nanoTime.getAsLong();
    uses.forEach(
        (id, use) -> {
          if (use.endsAfter(timeoutNanos, now) && uses.remove(id, use)) {
            ended.accept(id);
          }
        });
  }

  /** Every session, and for how many milliseconds it has not been used. */
  public Map<BsonBinary, Long> idleMillis() {
    long now = nanoTime.getAsLong();
    Map<BsonBinary, Long> idle = new LinkedHashMap<>();
    uses.forEach((id, use) -> idle.put(id, Duration.ofNanos(now - use.nanos()).toMillis()));
    return idle;
  }

  /** How many there are. */
  public int count() {
    return uses.size();
  }
}
