// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Replication protocol version 1: {@code (state, event, now, random) → (state, actions)}.
 *
 * <p>What always holds, whatever is lost, late or down: at most one member is elected in a term; an
 * entry that a majority has is never lost; the log of whoever is elected contains every committed
 * entry.
 *
 * <p>Liveness is judged by when something was last heard, not by timers that fired; and when this
 * process itself was held up, the time it lost is given to its peers too, so that a busy machine
 * does not elect one primary after the other.
 */
public final class Protocol {

  private Protocol() {}

  /**
   * Works on one event.
   *
   * @param now never earlier than at the event before
   * @param random for what must not happen at all members at the same moment
   */
  public static Step on(ReplicaState state, Event event, Instant now, RandomGenerator random) {
    Turn turn = new Turn(state, now, random);
    Pauses.forgive(turn, state.lastEvent());
    switch (event) {
      case Event.Tick(boolean diskWorks) -> turn.diskIs(diskWorks);
      case Event.HeartbeatReceived received ->
          Heartbeats.received(turn, received.request(), received.message());
      case Event.HeartbeatAnswered answered ->
          Heartbeats.answered(turn, answered.member(), answered.reply(), answered.roundTrip());
      case Event.HeartbeatFailed failed -> Heartbeats.failed(turn, failed.member(), failed.why());
      case Event.VoteRequested requested ->
          Elections.requested(turn, requested.request(), requested.message());
      case Event.VoteAnswered answered ->
          Elections.answered(
              turn, answered.member(), answered.dryRun(), answered.term(), answered.reply());
      case Event.VoteFailed failed ->
          Elections.failed(turn, failed.member(), failed.dryRun(), failed.term());
      case Event.PositionsReported reported -> positions(turn, reported.applied());
      case Event.Applied(OpTime applied) -> applied(turn, applied);
      case Event.CommittedHeard(OpTime committed) -> CommitPoint.heard(turn, committed);
      case Event.SourceFailed failed ->
          SyncSources.failed(turn, failed.member(), failed.avoidFor());
      case Event.SourceRefused refused -> SyncSources.refused(turn, refused.member());
      case Event.DataChanged(ReplicaState.Data data) -> turn.data = data;
      case Event.ConfigOffered(ReplicaSetConfig config) -> Configs.offered(turn, config);
      case Event.Opened opened -> Elections.opened(turn);
      case Event.StandForElection stand ->
          Elections.stand(turn, "it was asked to", stand.skipDryRun());
      case Event.StepDown stepDown -> StepDowns.asked(turn, stepDown);
      case Event.Freeze(Duration duration) -> StepDowns.freeze(turn, duration);
    }
    if (turn.me() != null) {
      StepDowns.check(turn);
      if (!isProgress(event)) {
        Heartbeats.due(turn);
        Elections.due(turn);
        SyncSources.choose(turn);
      }
    }
    return turn.done();
  }

  /**
   * Whether the event only says how far somebody's log is. There are several for each write; what
   * depends on time is looked at with the ticks between them.
   */
  private static boolean isProgress(Event event) {
    return event instanceof Event.Applied
        || event instanceof Event.PositionsReported
        || event instanceof Event.CommittedHeard;
  }

  private static void applied(Turn turn, OpTime applied) {
    turn.applied = applied;
    if (turn.committed.compareTo(applied) > 0) {
      // only after a rollback of entries that were never committed, so this does not happen; a
      // resync starts anew
      turn.committed = applied;
    }
    if (turn.config == null) {
      return;
    }
    if (turn.leads()) {
      CommitPoint.recompute(turn);
      Elections.caughtUp(turn);
    } else if (turn.syncSource >= 0) {
      turn.act(new Action.ReportPosition());
    }
  }

  private static void positions(Turn turn, Map<Integer, OpTime> reported) {
    if (turn.config == null) {
      return;
    }
    reported.forEach(
        (member, applied) -> {
          Peer peer = turn.peers.get(member);
          if (peer != null && applied.compareTo(peer.applied()) > 0) {
            turn.put(member, peer.withApplied(applied));
          }
        });
    if (turn.leads()) {
      CommitPoint.recompute(turn);
    } else if (turn.syncSource >= 0) {
      turn.act(new Action.ReportPosition());
    }
  }
}
