// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Who is there, in which term, and how far. */
final class Heartbeats {
  private Heartbeats() {}

  static void due(Turn turn) {
    turn.others()
        .forEach(
            member -> {
              Peer peer = turn.peers.computeIfAbsent(member.id(), id -> Peer.unknown(turn.now));
              PeerContact contact = peer.contact();
              if (!contact.awaiting() && !contact.nextHeartbeat().isAfter(turn.now)) {
                turn.put(member.id(), peer.asked());
                turn.act(new Action.SendHeartbeat(member.id(), request(turn, member.id())));
              }
            });
  }

  private static Message.HeartbeatRequest request(Turn turn, int to) {
    ReplicaSetConfig config = turn.configuration();
    return new Message.HeartbeatRequest(
        turn.setName,
        to,
        turn.selfId(),
        turn.self,
        turn.term,
        config.version(),
        config.term(),
        turn.primary);
  }

  static void received(Turn turn, long requestNumber, Message.HeartbeatRequest request) {
    if (turn.config == null) {
      if (request.from() >= 0) {
        turn.act(new Action.FetchConfig(request.fromHost()));
      }
      turn.act(new Action.Answer(requestNumber, reply(turn, null)));
      return;
    }
    turn.seen(request.term(), request.fromHost());
    Peer peer = turn.peers.get(request.from());
    if (peer != null) {
      boolean revived = peer.state() == MemberState.DOWN;
      turn.put(request.from(), peer.heard(turn.now, revived));
      if (request.primary() == request.from() && request.term() == turn.term) {
        Peer leading = turn.peers.get(request.from());
        if (leading != null && leading.state() != MemberState.PRIMARY) {
          turn.put(request.from(), leading.withState(MemberState.PRIMARY));
        }
        primaryHeard(turn, request.from());
      }
    }
    ReplicaSetConfig config = turn.config;
    boolean older =
        ReplicaSetConfig.compare(
                request.configTerm(), request.configVersion(), config.term(), config.version())
            < 0;
    turn.act(
        new Action.Answer(requestNumber, reply(turn, older || request.from() < 0 ? config : null)));
  }

  private static Message.HeartbeatReply reply(Turn turn, @Nullable ReplicaSetConfig config) {
    ReplicaState state = turn.state();
    ReplicaSetConfig mine = turn.config;
    return new Message.HeartbeatReply(
        turn.setName,
        turn.selfId(),
        state.memberState(),
        turn.term,
        turn.primary,
        turn.applied,
        turn.committed,
        mine == null ? -2 : mine.version(),
        mine == null ? -1 : mine.term(),
        turn.syncSource,
        turn.diskWorks(),
        config);
  }

  static void answered(Turn turn, int member, Message.HeartbeatReply reply, Duration roundTrip) {
    Peer peer = turn.peers.get(member);
    if (peer == null) {
      return;
    }
    turn.put(
        member, peer.answered(reply, roundTrip, turn.now, turn.now.plus(turn.heartbeatInterval())));
    turn.seen(reply.term(), turn.nameOf(member));
    ReplicaSetConfig offered = reply.config();
    if (offered != null) {
      Configs.offered(turn, offered);
    }
    if (reply.term() == turn.term
        && reply.state() == MemberState.PRIMARY
        && reply.primary() == member) {
      primaryHeard(turn, member);
    } else if (turn.primary == member) {
      turn.primary = -1;
      turn.epoch++;
    }
    if (turn.leads()) {
      CommitPoint.recompute(turn);
    } else {
      CommitPoint.heard(turn, reply.committed());
    }
  }

  private static void primaryHeard(Turn turn, int member) {
    if (turn.leads()) {
      return;
    }
    if (turn.role instanceof Role.Candidate) {
      turn.becomeFollower("because " + turn.nameOf(member) + " leads");
    }
    turn.follow(member);
    turn.postponeElection();
    Elections.considerTakeover(turn);
  }

  static void failed(Turn turn, int member, String why) {
    Peer peer = turn.peers.get(member);
    if (peer == null) {
      return;
    }
    Instant next = turn.now.plus(turn.heartbeatInterval());
    if (peer.state() != MemberState.DOWN) {
      turn.note(turn.nameOf(member) + " " + peer.state() + " → DOWN, because " + why);
    }
    turn.put(member, peer.failed(why, next));
    if (turn.primary == member) {
      turn.primary = -1;
      turn.epoch++;
    }
  }
}
