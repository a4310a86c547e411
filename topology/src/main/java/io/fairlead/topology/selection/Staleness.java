// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far a secondary lags, as the max-staleness specification estimates it: against the primary,
 * else against the freshest secondary; plus one heartbeat, as it may fall behind that much until it
 * is heard of again.
 */
final class Staleness {
  /** An idle primary writes a no-op this often; nothing finer can be told from write dates. */
  private static final Duration IDLE_WRITE_PERIOD = Duration.ofSeconds(10);

  private static final Duration SMALLEST = Duration.ofSeconds(90);

  private final TopologyDescription topology;
  private final Duration heartbeat;

  Staleness(TopologyDescription topology, Duration heartbeat) {
    this.topology = topology;
    this.heartbeat = heartbeat;
  }

  /** Why such a limit can't be kept; absent if it can. */
  static Optional<String> refusal(Duration maxStaleness, Duration heartbeat) {
    if (maxStaleness.compareTo(SMALLEST) < 0) {
      return Optional.of(
          "maxStalenessSeconds must be at least 90, was " + maxStaleness.toSeconds());
    }
    Duration finest = heartbeat.plus(IDLE_WRITE_PERIOD);
    if (maxStaleness.compareTo(finest) < 0) {
      return Optional.of(
          "maxStalenessSeconds must be at least the heartbeat ("
              + Words.duration(heartbeat)
              + ") and the idle write period (10 s) together, was "
              + maxStaleness.toSeconds());
    }
    return Optional.empty();
  }

  boolean within(ServerDescription server, Duration maxStaleness) {
    if (server.type() == ServerType.RS_PRIMARY) {
      return true;
    }
    Duration estimate = estimate(server);
    return estimate != null && estimate.compareTo(maxStaleness) <= 0;
  }

  String tooStale(ServerDescription server) {
    Duration estimate = estimate(server);
    return estimate == null
        ? "has not told when it last wrote"
        : "lags an estimated " + Words.duration(estimate) + ", one heartbeat included";
  }

  private @Nullable Duration estimate(ServerDescription server) {
    Instant lastWrite = server.lastWriteDate();
    Instant heard = server.lastUpdateTime();
    if (lastWrite == null) {
      return null;
    }
    ServerDescription primary = topology.primary().orElse(null);
    if (primary != null && heard != null) {
      Instant primaryWrite = primary.lastWriteDate();
      Instant primaryHeard = primary.lastUpdateTime();
      if (primaryWrite != null && primaryHeard != null) {
        Duration own = Duration.between(lastWrite, heard);
        return own.minus(Duration.between(primaryWrite, primaryHeard)).plus(heartbeat);
      }
    }
    return Duration.between(lastWrite, freshest(lastWrite)).plus(heartbeat);
  }

  private Instant freshest(Instant atLeast) {
    Instant freshest = atLeast;
    for (ServerDescription server : topology.list()) {
      Instant write = server.lastWriteDate();
      if (server.type() == ServerType.RS_SECONDARY && write != null && write.isAfter(freshest)) {
        freshest = write;
      }
    }
    return freshest;
  }
}
