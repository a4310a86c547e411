// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

import com.mongodb.connection.ConnectionPoolSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The public driver's pool settings, in the pool's own units.
 *
 * @param settings as given, for events
 * @param sizeMax most connections at once, in use and idle together
 * @param sizeMin connections kept open while the server is well
 * @param connectingMax most connections being opened at once
 * @param waitNanos how long a caller waits in line; negative: without limit
 * @param idleNanos how long a connection may lie idle; zero: without limit
 * @param lifeNanos how old a connection may become; zero: without limit
 * @param maintenanceEvery how often idle connections are looked through
 */
record PoolOptions(
    ConnectionPoolSettings settings,
    int sizeMax,
    int sizeMin,
    int connectingMax,
    long waitNanos,
    long idleNanos,
    long lifeNanos,
    Duration maintenanceEvery) {

  static PoolOptions of(ConnectionPoolSettings settings) {
    return new PoolOptions(
        settings,
        settings.getMaxSize() == 0 ? Integer.MAX_VALUE : settings.getMaxSize(),
        settings.getMinSize(),
        settings.getMaxConnecting(),
        waitOf(settings.getMaxWaitTime(TimeUnit.NANOSECONDS)),
        settings.getMaxConnectionIdleTime(TimeUnit.NANOSECONDS),
        settings.getMaxConnectionLifeTime(TimeUnit.NANOSECONDS),
        Duration.ofNanos(settings.getMaintenanceFrequency(TimeUnit.NANOSECONDS)));
  }

  private static long waitOf(long nanos) {
    return nanos > 0 ? nanos : -1;
  }
}
