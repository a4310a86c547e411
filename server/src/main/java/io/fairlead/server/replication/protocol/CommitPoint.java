// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The commit point: the newest entry that a majority of the voting data-bearing members have. Only
 * a primary finds it, and only among entries of its own term; with such an entry everything before
 * it is committed too.
 */
final class CommitPoint {
  private CommitPoint() {}

  static void recompute(Turn turn) {
    if (!turn.leads()) {
      return;
    }
    int self = turn.selfId();
    List<OpTime> positions = new ArrayList<>();
    for (MemberConfig member : turn.configuration().members()) {
      if (member.votingDataBearing()) {
        Peer peer = turn.peers.get(member.id());
        OpTime others = peer == null ? OpTime.NONE : peer.applied();
        positions.add(member.id() == self ? turn.applied : others);
      }
    }
    positions.sort(Comparator.reverseOrder());
    int majority = turn.configuration().writeMajority();
    if (positions.size() < majority) {
      return;
    }
    OpTime candidate = positions.get(majority - 1);
    if (candidate.term() == turn.term) {
      advance(turn, candidate.compareTo(turn.applied) > 0 ? turn.applied : candidate);
    }
  }

  /**
   * A follower hears of the commit point. Within the term of its own last entry its log is a prefix
   * of the primary's, so what is committed up to there is in it.
   */
  static void heard(Turn turn, OpTime committed) {
    if (turn.leads()
        || committed.term() > turn.applied.term()
        || turn.data == ReplicaState.Data.ROLLBACK) {
      return;
    }
    if (committed.term() == turn.applied.term()) {
      advance(turn, committed.compareTo(turn.applied) > 0 ? turn.applied : committed);
    }
  }

  private static void advance(Turn turn, OpTime committed) {
    if (committed.compareTo(turn.committed) > 0) {
      turn.committed = committed;
      turn.act(new Action.CommitAdvanced(committed));
    }
  }
}
