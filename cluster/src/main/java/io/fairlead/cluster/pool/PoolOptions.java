// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

import com.mongodb.connection.ConnectionPoolSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The public driver's pool settings, in the pool's own units.
 *
 * @param sizeMax most connections at once, in use and idle together
 * @param sizeMin connections kept open while the server is well
 * @param connectingMax most connections being opened at once
 * @param waitNanos how long a caller waits in line before a connection is being opened for it;
 *     zero: not at all, {@link Long#MAX_VALUE}: without limit
 * @param idleNanos how long a connection may lie idle; zero: without limit
 * @param lifeNanos how old a connection may become; zero: without limit
 * @param firstUpkeep how long after the start idle connections are looked through first
 * @param upkeepEvery how often they are from then on
 */
record PoolOptions(
    int sizeMax,
    int sizeMin,
    int connectingMax,
    long waitNanos,
    long idleNanos,
    long lifeNanos,
    Duration firstUpkeep,
    Duration upkeepEvery) {
  private static final Duration IDLE_LOOK_MIN = Duration.ofMillis(10);
  private static final Duration LOOK_MIN = Duration.ofMillis(1);

  static PoolOptions of(ConnectionPoolSettings settings) {
    long waitNanos = settings.getMaxWaitTime(TimeUnit.NANOSECONDS);
    Duration idle = Duration.ofNanos(settings.getMaxConnectionIdleTime(TimeUnit.NANOSECONDS));
    return new PoolOptions(
        settings.getMaxSize() == 0 ? Integer.MAX_VALUE : settings.getMaxSize(),
        settings.getMinSize(),
        settings.getMaxConnecting(),
        waitNanos < 0 ? Long.MAX_VALUE : waitNanos,
        idle.toNanos(),
        settings.getMaxConnectionLifeTime(TimeUnit.NANOSECONDS),
        Duration.ofNanos(settings.getMaintenanceInitialDelay(TimeUnit.NANOSECONDS)),
        upkeepEvery(
            Duration.ofNanos(settings.getMaintenanceFrequency(TimeUnit.NANOSECONDS)), idle));
  }

  /** Often enough to find an idle connection before it is twice as idle as it may be. */
  private static Duration upkeepEvery(Duration frequency, Duration idle) {
    Duration every =
        idle.isPositive() ? least(frequency, most(idle.dividedBy(2), IDLE_LOOK_MIN)) : frequency;
    return most(every, LOOK_MIN);
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration most(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
