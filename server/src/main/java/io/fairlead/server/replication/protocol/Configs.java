// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;

/** Which configuration is in force. */
final class Configs {
  private Configs() {}

  static void offered(Turn turn, ReplicaSetConfig offered) {
    ReplicaSetConfig present = turn.config;
    if (!offered.name().equals(turn.setName)
        || (present != null && !offered.isNewerThan(present))) {
      return;
    }
    turn.config = offered;
    turn.epoch++;
    turn.act(new Action.StoreConfig(offered));
    Set<Integer> others = turn.others().map(MemberConfig::id).collect(Collectors.toSet());
    turn.peers.keySet().retainAll(others);
    others.forEach(id -> turn.peers.putIfAbsent(id, Peer.unknown(turn.now)));
    if (present == null) {
      turn.postponeElection();
    }
    MemberConfig me = turn.me();
    if (me == null || !me.electable()) {
      turn.becomeFollower("because the new configuration does not let it lead");
    }
    if (turn.leads()) {
      // members learn of it with the next heartbeat, which is due now
      turn.peers.replaceAll((id, peer) -> peer.contact().awaiting() ? peer : peer.dueAt(turn.now));
      CommitPoint.recompute(turn);
    } else {
      turn.takeoverAt = Instant.MAX;
    }
  }
}
