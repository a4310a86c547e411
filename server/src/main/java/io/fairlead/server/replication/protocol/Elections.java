// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Votes. A candidate first asks whether it would win (a dry run, which disturbs nobody), then takes
 * a new term, votes for itself and asks for real. A member votes once in a term, only for a log
 * that is at least as new as its own, and keeps its vote for good before it answers.
 */
final class Elections {
  private Elections() {}

  // ---- standing

  static void due(Turn turn) {
    if (turn.role instanceof Role.Candidate candidate && !candidate.until().isAfter(turn.now)) {
      lost(turn, "no majority answered in time");
    }
    if (!(turn.role instanceof Role.Follower) || !mayStand(turn)) {
      return;
    }
    if (turn.electionAt.equals(Instant.MAX)) {
      turn.postponeElection();
    }
    if (!turn.electionAt.isAfter(turn.now) && !couldWin(turn)) {
      turn.postponeElection();
      return;
    }
    boolean alone = turn.configuration().voters().size() == 1 && voter(turn);
    if (!turn.electionAt.isAfter(turn.now) || (alone && turn.primary < 0)) {
      stand(
          turn,
          "it has not heard of a primary for " + turn.electionTimeout().toMillis() + " ms",
          false);
    } else if (!turn.takeoverAt.isAfter(turn.now)) {
      takeOver(turn);
    }
  }

  private static boolean mayStand(Turn turn) {
    MemberConfig me = turn.me();
    return me != null
        && me.electable()
        && turn.data == ReplicaState.Data.READY
        && turn.diskWorks()
        && !turn.frozenUntil.isAfter(turn.now);
  }

  /**
   * Whether a majority might answer. A member on its own does not stand, and says nothing about it.
   */
  private static boolean couldWin(Turn turn) {
    long reachable =
        turn.configuration().voters().stream()
            .map(MemberConfig::id)
            .filter(id -> id == turn.selfId() || turn.mayAnswer(id))
            .count();
    return reachable >= turn.configuration().voteMajority();
  }

  private static boolean voter(Turn turn) {
    MemberConfig me = turn.me();
    return me != null && me.voter();
  }

  static void stand(Turn turn, String why, boolean skipDryRun) {
    if (!(turn.role instanceof Role.Follower) || !mayStand(turn)) {
      return;
    }
    turn.takeoverAt = Instant.MAX;
    turn.note("stands for election, because " + why);
    ask(turn, !skipDryRun);
  }

  private static void ask(Turn turn, boolean dryRun) {
    if (!dryRun) {
      turn.term++;
      turn.primary = -1;
      turn.epoch++;
      turn.lastVote = new Vote(turn.term, turn.selfId());
      turn.act(new Action.StoreVote(turn.lastVote));
    }
    Set<Integer> self = voter(turn) ? Set.of(turn.selfId()) : Set.of();
    turn.role = new Role.Candidate(dryRun, self, self, turn.now.plus(turn.electionTimeout()));
    ReplicaSetConfig config = turn.configuration();
    turn.others()
        .filter(MemberConfig::voter)
        .forEach(
            member ->
                turn.act(
                    new Action.RequestVote(
                        member.id(),
                        new Message.VoteRequest(
                            turn.setName,
                            member.id(),
                            dryRun,
                            turn.term,
                            turn.selfId(),
                            config.version(),
                            config.term(),
                            turn.applied))));
    count(turn);
  }

  static void answered(Turn turn, int member, boolean dryRun, long term, Message.VoteReply reply) {
    turn.seen(reply.term(), turn.nameOf(member));
    Peer peer = turn.peers.get(member);
    if (peer != null && reply.applied().compareTo(peer.applied()) > 0) {
      turn.put(member, peer.withApplied(reply.applied()));
    }
    counted(turn, member, dryRun, term, reply.granted());
    if (!reply.granted() && turn.role instanceof Role.Candidate) {
      turn.note("no vote of " + turn.nameOf(member) + ": " + reply.reason());
    }
  }

  static void failed(Turn turn, int member, boolean dryRun, long term) {
    counted(turn, member, dryRun, term, false);
  }

  private static void counted(Turn turn, int member, boolean dryRun, long term, boolean granted) {
    boolean counts =
        turn.role instanceof Role.Candidate candidate
            && candidate.dryRun() == dryRun
            && turn.term == term;
    if (!counts || turn.configuration().member(member).filter(MemberConfig::voter).isEmpty()) {
      return;
    }
    Role.Candidate candidate = (Role.Candidate) turn.role;
    Set<Integer> answered = new HashSet<>(candidate.answered());
    answered.add(member);
    Set<Integer> yes = new HashSet<>(candidate.yes());
    if (granted) {
      yes.add(member);
    }
    turn.role = new Role.Candidate(dryRun, yes, answered, candidate.until());
    count(turn);
  }

  private static void count(Turn turn) {
    Role.Candidate candidate = (Role.Candidate) turn.role;
    int majority = turn.configuration().voteMajority();
    // A member that has been silent for long is not waited for: others may have to try.
    long outstanding =
        turn.configuration().voters().stream()
            .map(MemberConfig::id)
            .filter(id -> !candidate.answered().contains(id) && turn.mayAnswer(id))
            .count();
    if (candidate.yes().size() >= majority) {
      if (candidate.dryRun()) {
        ask(turn, false);
      } else {
        won(turn);
      }
    } else if (candidate.yes().size() + outstanding < majority) {
      lost(turn, "only " + candidate.yes().size() + " of " + majority + " votes could be had");
    }
  }

  private static void lost(Turn turn, String why) {
    turn.note("not elected in term " + turn.term + ", because " + why);
    turn.role = new Role.Follower();
    // Sooner than the first time: nobody leads. Random, so that two candidates do not meet again.
    Duration timeout = turn.electionTimeout();
    turn.electionAt = turn.now.plus(timeout.dividedBy(8)).plus(turn.jitter(timeout.dividedBy(2)));
  }

  private static void won(Turn turn) {
    turn.note("elected primary of term " + turn.term);
    Duration patience = turn.configuration().settings().catchUpTimeout();
    Instant until = patience.isNegative() ? Instant.MAX : turn.now.plus(patience);
    turn.role = new Role.Leader(Role.Phase.CATCHING_UP, turn.now, until, null);
    turn.primary = turn.selfId();
    turn.epoch++;
    turn.takeoverAt = Instant.MAX;
    // everybody is told at once
    turn.peers.replaceAll((id, peer) -> peer.contact().awaiting() ? peer : peer.dueAt(turn.now));
    caughtUp(turn);
  }

  // ---- leading

  /**
   * Goes on from catching up to draining when nobody who lives has more, or the patience is over.
   */
  static void caughtUp(Turn turn) {
    if (!(turn.role instanceof Role.Leader leader) || leader.phase() != Role.Phase.CATCHING_UP) {
      return;
    }
    if (ahead(turn) != null && leader.catchUpUntil().isAfter(turn.now)) {
      return;
    }
    turn.role =
        new Role.Leader(
            Role.Phase.DRAINING, leader.since(), leader.catchUpUntil(), leader.handover());
    if (turn.syncSource >= 0) {
      turn.syncSource = -1;
      turn.act(new Action.StopSyncing());
    }
    turn.act(new Action.OpenTerm(turn.term));
  }

  /** A live member whose log is longer, to catch up from; null when there is none. */
  static @Nullable Integer ahead(Turn turn) {
    return turn.others()
        .map(MemberConfig::id)
        .filter(turn::isAlive)
        .filter(id -> Objects.requireNonNull(turn.peers.get(id)).state().isReadable())
        .filter(
            id -> Objects.requireNonNull(turn.peers.get(id)).applied().compareTo(turn.applied) > 0)
        .findFirst()
        .orElse(null);
  }

  static void opened(Turn turn) {
    if (turn.role instanceof Role.Leader leader && leader.phase() == Role.Phase.DRAINING) {
      turn.role =
          new Role.Leader(
              Role.Phase.WRITABLE, leader.since(), leader.catchUpUntil(), leader.handover());
      turn.epoch++;
      CommitPoint.recompute(turn);
    }
  }

  // ---- priority

  /**
   * Plans to stand against a primary of lower priority; the higher this member's own, the sooner.
   */
  static void considerTakeover(Turn turn) {
    MemberConfig me = turn.me();
    double others =
        turn.configuration().member(turn.primary).map(MemberConfig::priority).orElse(0.0);
    if (me == null || !me.electable() || me.priority() <= others) {
      turn.takeoverAt = Instant.MAX;
    } else if (turn.takeoverAt.equals(Instant.MAX)) {
      long higher =
          turn.configuration().members().stream()
              .filter(member -> member.priority() > me.priority())
              .count();
      Duration timeout = turn.electionTimeout();
      turn.takeoverAt =
          turn.now.plus(timeout.multipliedBy(higher + 1)).plus(turn.jitter(timeout.dividedBy(7)));
    }
  }

  private static void takeOver(Turn turn) {
    turn.takeoverAt = Instant.MAX;
    Peer primary = turn.peers.get(turn.primary);
    if (primary == null) {
      return;
    }
    boolean fresh =
        primary.applied().term() == turn.applied.term()
            && primary.applied().timestamp().getTime() - turn.applied.timestamp().getTime() <= 2;
    if (fresh) {
      stand(turn, "its priority is higher than that of " + turn.nameOf(turn.primary), false);
    } else {
      considerTakeover(turn);
    }
  }

  // ---- voting

  static void requested(Turn turn, long requestNumber, Message.VoteRequest request) {
    if (!request.dryRun()) {
      turn.seen(request.term(), turn.nameOf(request.candidate()));
    }
    String refusal = refusal(turn, request);
    if (refusal.isEmpty() && !request.dryRun()) {
      turn.lastVote = new Vote(request.term(), request.candidate());
      turn.act(new Action.StoreVote(turn.lastVote));
      turn.postponeElection();
    }
    turn.act(
        new Action.Answer(
            requestNumber,
            new Message.VoteReply(
                turn.selfId(), turn.term, refusal.isEmpty(), refusal, turn.applied)));
  }

  private static String refusal(Turn turn, Message.VoteRequest request) {
    ReplicaSetConfig config = turn.config;
    if (config == null || turn.me() == null) {
      return "it is no member of the set yet";
    }
    if (request.term() < turn.term) {
      return "the candidate's term (" + request.term() + ") is lower than " + turn.term;
    }
    if (ReplicaSetConfig.compare(
            request.configTerm(), request.configVersion(), config.term(), config.version())
        < 0) {
      return "the candidate's configuration is older";
    }
    if (request.applied().compareTo(turn.applied) < 0) {
      return "the candidate's log ends at " + request.applied() + ", before " + turn.applied;
    }
    if (!request.dryRun()
        && turn.lastVote.term() == request.term()
        && turn.lastVote.candidate() != request.candidate()) {
      return "it has voted for "
          + turn.nameOf(turn.lastVote.candidate())
          + " in term "
          + request.term();
    }
    if (!request.dryRun() && turn.lastVote.term() > request.term()) {
      return "it has voted in term " + turn.lastVote.term();
    }
    return "";
  }
}
