// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import java.time.Duration;

/**
 * How long a write concern is waited for: as long as it says itself ({@code wtimeout}), and never
 * longer than its operation may last.
 */
final class WriteConcernWait {
  private final WriteConcern concern;
  private final boolean ownFirst;
  private final long deadline;

  private WriteConcernWait(WriteConcern concern, boolean ownFirst, long deadline) {
    this.concern = concern;
    this.ownFirst = ownFirst;
    this.deadline = deadline;
  }

  /** Begins now. */
  static WriteConcernWait of(WriteConcern concern, Duration operation) {
    Duration own = concern.timeout();
    boolean ownFirst = !own.isZero() && own.compareTo(operation) <= 0;
    Duration shorter = ownFirst ? own : operation;
    return new WriteConcernWait(concern, ownFirst, System.nanoTime() + shorter.toNanos());
  }

  Duration left() {
    return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
  }

  /** What it is when the time was over first: 64 by its own timeout, else 50. */
  WriteConcernResult over() {
    return ownFirst ? WriteConcernCheck.timedOut(concern) : WriteConcernCheck.outOfTime(concern);
  }
}
