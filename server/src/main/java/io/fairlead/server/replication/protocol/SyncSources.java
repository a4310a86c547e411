// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/**
 * Whom to pull the log from: the primary when it is there, so that a majority has a write after one
 * hop; else, where chaining is allowed, the nearest member that has more. A source that refused is
 * left alone until leadership has changed.
 */
final class SyncSources {
  private SyncSources() {}

  static void choose(Turn turn) {
    if (!pulls(turn)) {
      stop(turn);
      return;
    }
    if (turn.syncSource >= 0 && suits(turn, turn.syncSource) && !betterIsPrimary(turn)) {
      return;
    }
    Optional<Integer> best = best(turn);
    if (best.isEmpty()) {
      stop(turn);
    } else if (best.get() != turn.syncSource) {
      turn.syncSource = best.get();
      turn.act(new Action.SyncFrom(turn.syncSource));
    }
  }

  private static boolean pulls(Turn turn) {
    MemberConfig me = turn.me();
    if (me == null || me.arbiterOnly()) {
      return false;
    }
    return !(turn.role instanceof Role.Leader leader) || leader.phase() == Role.Phase.CATCHING_UP;
  }

  private static void stop(Turn turn) {
    if (turn.syncSource >= 0) {
      turn.syncSource = -1;
      turn.act(new Action.StopSyncing());
    }
  }

  private static boolean betterIsPrimary(Turn turn) {
    return turn.primary >= 0
        && turn.primary != turn.syncSource
        && turn.primary != turn.selfId()
        && suits(turn, turn.primary);
  }

  private static Optional<Integer> best(Turn turn) {
    return turn.others()
        .map(MemberConfig::id)
        .filter(id -> suits(turn, id))
        .min(
            Comparator.<Integer>comparingInt(id -> id == turn.primary ? 0 : 1)
                .thenComparing(id -> Objects.requireNonNull(turn.peers.get(id)).contact().ping())
                .thenComparing(id -> id));
  }

  private static boolean suits(Turn turn, int id) {
    MemberConfig member = turn.configuration().member(id).orElse(null);
    Peer peer = turn.peers.get(id);
    MemberConfig me = turn.me();
    if (member == null || peer == null || me == null || member.arbiterOnly()) {
      return false;
    }
    boolean refused = peer.refusal().counts(turn.epoch, turn.now);
    if (refused || !turn.isAlive(id) || !peer.state().isReadable()) {
      return false;
    }
    if (id == turn.primary) {
      return true;
    }
    boolean chained =
        turn.configuration().settings().chainingAllowed() || turn.leads() || turn.primary < 0;
    boolean hasMore = peer.applied().compareTo(turn.applied) > 0;
    boolean seen = member.delay().compareTo(me.delay()) <= 0 && (!member.hidden() || me.hidden());
    // A chain that leads back here would pull nothing for ever.
    return chained && hasMore && seen && peer.report().syncSource() != turn.selfId();
  }

  static void failed(Turn turn, int member, Duration avoidFor) {
    Peer peer = turn.peers.get(member);
    if (peer != null) {
      turn.put(member, peer.refused(Peer.Refusal.WHATEVER_CHANGES, turn.now.plus(avoidFor)));
    }
    forget(turn, member);
  }

  static void refused(Turn turn, int member) {
    Peer peer = turn.peers.get(member);
    if (peer != null && turn.config != null) {
      // Not before leadership has changed. A change that came before the refusal is not seen again,
      // so the wait has an end.
      turn.put(member, peer.refused(turn.epoch, turn.now.plus(turn.electionTimeout())));
    }
    forget(turn, member);
  }

  private static void forget(Turn turn, int member) {
    if (turn.syncSource == member) {
      turn.syncSource = -1;
      turn.act(new Action.StopSyncing());
    }
  }
}
