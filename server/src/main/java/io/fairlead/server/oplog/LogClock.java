// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.oplog;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonTimestamp;

/**
 * The cluster time: seconds since 1970 and an increment, always above everything written or seen
 * before. Any thread may call.
 *
 * <p>A time that is more than a year ahead of the wall clock is not taken over, so that a broken
 * client cannot use up the future.
 */
public final class LogClock {
  private static final long DRIFT_SECONDS_MAX = 365L * 24 * 3600;

  private final InstantSource wall;
  private final AtomicLong latest = new AtomicLong();

  public LogClock(InstantSource wall) {
    this.wall = wall;
  }

  /** A new time, above all others. */
  public BsonTimestamp next() {
    long now = wall.instant().getEpochSecond() << 32;
    return new BsonTimestamp(
        latest.updateAndGet(last -> Long.compareUnsigned(now, last) > 0 ? now | 1 : last + 1));
  }

  /** Goes on after a time that is in this member's own log, however far ahead of the clock. */
  void follow(BsonTimestamp logged) {
    latest.accumulateAndGet(
        logged.getValue(), (last, other) -> Long.compareUnsigned(last, other) >= 0 ? last : other);
  }

  /** Takes note of a time seen elsewhere. */
  public void seen(BsonTimestamp time) {
    long seconds = Integer.toUnsignedLong(time.getTime());
    if (seconds <= wall.instant().getEpochSecond() + DRIFT_SECONDS_MAX) {
      follow(time);
    }
  }

  /** The highest time written or seen. */
  public BsonTimestamp latest() {
    return new BsonTimestamp(latest.get());
  }
}
