// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Duration;
import java.time.Instant;

/**
 * What a member knows of another one.
 *
 * @param state by its last heartbeat; {@link MemberState#DOWN} when it does not answer, {@link
 *     MemberState#UNKNOWN} before the first
 * @param applied its last known log entry
 * @param lastHeard when anything came from it
 * @param lastRequest when it last sent a heartbeat of its own
 * @param nextHeartbeat when it is to be asked again
 * @param awaiting whether a heartbeat to it is on its way
 * @param ping smoothed round trip of its heartbeats
 * @param configVersion that it has; -2 when unknown
 * @param configTerm that it has
 * @param syncSource whom it pulls from, by id; -1 for nobody
 * @param refusedIn the leadership epoch in which it refused to be a sync source, if that counts
 * @param refusedUntil when that refusal is forgotten at the latest
 * @param trouble why it is down, empty when it is not
 */
public record Peer(
    MemberState state,
    OpTime applied,
    Instant lastHeard,
    Instant lastRequest,
    Instant nextHeartbeat,
    boolean awaiting,
    Duration ping,
    long configVersion,
    long configTerm,
    int syncSource,
    long refusedIn,
    Instant refusedUntil,
    String trouble) {

  /** The epoch of a refusal that lasts whatever changes. */
  static final long WHATEVER_CHANGES = -1;

  static Peer unknown(Instant now) {
    return new Peer(
        MemberState.UNKNOWN,
        OpTime.NONE,
        Instant.MIN,
        Instant.MIN,
        now,
        false,
        Duration.ZERO,
        -2,
        -1,
        -1,
        -1,
        Instant.MIN,
        "");
  }

  /** Whether it has been heard of within {@code window}. */
  public boolean isAlive(Instant now, Duration window) {
    return state != MemberState.DOWN
        && !lastHeard.equals(Instant.MIN)
        && !lastHeard.plus(window).isBefore(now);
  }

  Peer asked() {
    return new Peer(
        state,
        applied,
        lastHeard,
        lastRequest,
        nextHeartbeat,
        true,
        ping,
        configVersion,
        configTerm,
        syncSource,
        refusedIn,
        refusedUntil,
        trouble);
  }

  Peer answered(Message.HeartbeatReply reply, Duration roundTrip, Instant now, Instant next) {
    Duration smoothed =
        ping.isZero() ? roundTrip : ping.multipliedBy(4).plus(roundTrip).dividedBy(5);
    return new Peer(
        reply.state(),
        // Taken as it is: a member that lost its data must not be thought to have it.
        reply.applied(),
        now,
        lastRequest,
        next,
        false,
        smoothed,
        reply.configVersion(),
        reply.configTerm(),
        reply.syncSource(),
        refusedIn,
        refusedUntil,
        "");
  }

  Peer failed(String why, Instant next) {
    return new Peer(
        MemberState.DOWN,
        applied,
        lastHeard,
        lastRequest,
        next,
        false,
        ping,
        configVersion,
        configTerm,
        -1,
        refusedIn,
        refusedUntil,
        why);
  }

  /** It sent a request, so it lives; what it is will be known from its next answer. */
  Peer heard(Instant now, boolean revived) {
    return new Peer(
        revived ? MemberState.UNKNOWN : state,
        applied,
        now,
        now,
        revived && !awaiting ? now : nextHeartbeat,
        awaiting,
        ping,
        configVersion,
        configTerm,
        syncSource,
        refusedIn,
        refusedUntil,
        revived ? "" : trouble);
  }

  Peer withState(MemberState newState) {
    return new Peer(
        newState,
        applied,
        lastHeard,
        lastRequest,
        nextHeartbeat,
        awaiting,
        ping,
        configVersion,
        configTerm,
        syncSource,
        refusedIn,
        refusedUntil,
        trouble);
  }

  Peer withApplied(OpTime newApplied) {
    return new Peer(
        state,
        newApplied,
        lastHeard,
        lastRequest,
        nextHeartbeat,
        awaiting,
        ping,
        configVersion,
        configTerm,
        syncSource,
        refusedIn,
        refusedUntil,
        trouble);
  }

  Peer dueAt(Instant next) {
    return new Peer(
        state,
        applied,
        lastHeard,
        lastRequest,
        next,
        awaiting,
        ping,
        configVersion,
        configTerm,
        syncSource,
        refusedIn,
        refusedUntil,
        trouble);
  }

  Peer refused(long epoch, Instant until) {
    return new Peer(
        state,
        applied,
        lastHeard,
        lastRequest,
        nextHeartbeat,
        awaiting,
        ping,
        configVersion,
        configTerm,
        syncSource,
        epoch,
        until,
        trouble);
  }

  Peer shifted(Duration gap) {
    return new Peer(
        state,
        applied,
        lastHeard.equals(Instant.MIN) ? lastHeard : lastHeard.plus(gap),
        lastRequest,
        nextHeartbeat,
        awaiting,
        ping,
        configVersion,
        configTerm,
        syncSource,
        refusedIn,
        refusedUntil,
        trouble);
  }
}
