// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Duration;
import java.time.Instant;

/** Notices that this process did not run for a while, and does not hold that against its peers. */
final class Pauses {
  /** A member ticks several times in this; a longer silence is its own. */
  private static final Duration LONGEST_USUAL = Duration.ofMillis(300);

  private Pauses() {}

  static void forgive(Turn turn, Instant lastEvent) {
    Duration gap = Duration.between(lastEvent, turn.now);
    if (gap.compareTo(LONGEST_USUAL) <= 0 || turn.config == null) {
      return;
    }
    turn.note("was held up for " + gap.toMillis() + " ms; its timers start anew");
    turn.peers.replaceAll((id, peer) -> peer.shifted(gap));
    if (!turn.electionAt.equals(Instant.MAX)) {
      turn.electionAt = turn.electionAt.plus(gap);
    }
  }
}
