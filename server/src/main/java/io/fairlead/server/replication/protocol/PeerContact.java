// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Duration;
import java.time.Instant;

/**
 * When another member was heard of, and when it is to be asked again.
 *
 * @param lastHeard when anything came from it; {@link Instant#MIN} for never
 * @param lastRequest when it last sent a heartbeat of its own
 * @param nextHeartbeat when it is to be asked again
 * @param awaiting whether a heartbeat to it is on its way
 * @param ping smoothed round trip of its heartbeats
 */
public record PeerContact(
    Instant lastHeard,
    Instant lastRequest,
    Instant nextHeartbeat,
    boolean awaiting,
    Duration ping) {

  static PeerContact due(Instant now) {
    return new PeerContact(Instant.MIN, Instant.MIN, now, false, Duration.ZERO);
  }

  PeerContact asked() {
    return new PeerContact(lastHeard, lastRequest, nextHeartbeat, true, ping);
  }

  PeerContact answered(Duration roundTrip, Instant now, Instant next) {
    Duration smoothed =
        ping.isZero() ? roundTrip : ping.multipliedBy(4).plus(roundTrip).dividedBy(5);
    return new PeerContact(now, lastRequest, next, false, smoothed);
  }

  PeerContact failed(Instant next) {
    return new PeerContact(lastHeard, lastRequest, next, false, ping);
  }

  PeerContact heard(Instant now) {
    return new PeerContact(now, now, nextHeartbeat, awaiting, ping);
  }

  PeerContact dueAt(Instant next) {
    return new PeerContact(lastHeard, lastRequest, next, awaiting, ping);
  }

  /** What was heard before this process was held up counts as heard so much later. */
  PeerContact shifted(Duration gap) {
    return lastHeard.equals(Instant.MIN)
        ? this
        : new PeerContact(lastHeard.plus(gap), lastRequest, nextHeartbeat, awaiting, ping);
  }
}
