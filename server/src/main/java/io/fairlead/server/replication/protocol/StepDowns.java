// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/**
 * How a primary ceases to lead: because it is asked to, because it has lost its majority, or
 * because it cannot write.
 */
final class StepDowns {
  private StepDowns() {}

  static void asked(Turn turn, Event.StepDown event) {
    if (!(turn.role instanceof Role.Leader leader)) {
      turn.act(
          new Action.Answer(
              event.request(), new Message.StepDownReply(false, "not primary so can't step down")));
      return;
    }
    if (leader.handover() != null) {
      turn.act(
          new Action.Answer(
              event.request(),
              new Message.StepDownReply(false, "another step-down is in progress")));
      return;
    }
    Role.Handover handover =
        new Role.Handover(
            event.request(),
            turn.now.plus(event.catchUpFor()),
            turn.now.plus(event.stepDownFor()),
            event.force());
    turn.role = new Role.Leader(leader.phase(), leader.since(), leader.catchUpUntil(), handover);
    turn.act(new Action.CloseForWrites());
    turn.justClosed = true;
    turn.epoch++;
  }

  static void check(Turn turn) {
    if (!(turn.role instanceof Role.Leader leader)) {
      return;
    }
    long alive =
        turn.configuration().voters().stream().map(MemberConfig::id).filter(turn::isHeard).count();
    boolean settled = leader.since().plus(turn.electionTimeout()).isBefore(turn.now);
    if (alive < turn.configuration().voteMajority() && settled) {
      turn.becomeFollower(
          "because it sees only "
              + alive
              + " of "
              + turn.configuration().voters().size()
              + " voters");
      return;
    }
    Elections.caughtUp(turn);
    Optional<Integer> successor = successor(turn);
    Role.Handover handover = leader.handover();
    if (handover == null) {
      // by then every member that lives has told how it stands with its own disk
      if (!turn.diskWorks() && turn.diskFailedAt.plus(turn.electionTimeout()).isBefore(turn.now)) {
        giveWay(turn, successor);
      }
      return;
    }
    if (turn.justClosed) {
      return;
    }
    boolean late = !handover.catchUpUntil().isAfter(turn.now);
    if ((successor.isPresent() && majorityHasAll(turn)) || (late && handover.force())) {
      turn.frozenUntil = handover.until();
      turn.becomeFollower("because it was asked to step down");
      successor.ifPresent(id -> turn.act(new Action.AskToStand(id)));
    } else if (late) {
      turn.role = new Role.Leader(leader.phase(), leader.since(), leader.catchUpUntil(), null);
      turn.epoch++;
      turn.act(
          new Action.Answer(
              handover.request(),
              new Message.StepDownReply(
                  false,
                  "No electable secondaries caught up as of "
                      + turn.now
                      + ". Please use the replSetStepDown command with the argument {force: true}"
                      + " to force node to step down.")));
      if (leader.phase() == Role.Phase.WRITABLE) {
        turn.role =
            new Role.Leader(Role.Phase.DRAINING, leader.since(), leader.catchUpUntil(), null);
        turn.act(new Action.OpenTerm(turn.term));
      }
    }
  }

  /**
   * A primary that cannot write lets another lead, if there is one whose disk works and who can be
   * elected by others that can keep their votes. Else it stays, and can be read.
   */
  private static void giveWay(Turn turn, Optional<Integer> successor) {
    long ableToVote =
        turn.others()
            .filter(MemberConfig::voter)
            .filter(member -> turn.isAlive(member.id()))
            .filter(member -> peer(turn, member).report().diskWorks())
            .count();
    if (successor.isPresent()
        && majorityHasAll(turn)
        && ableToVote >= turn.configuration().voteMajority()) {
      turn.becomeFollower("because its disk cannot be written");
      turn.act(new Action.AskToStand(successor.get()));
    }
  }

  private static boolean majorityHasAll(Turn turn) {
    ReplicaState state = turn.state();
    long have =
        turn.configuration().members().stream()
            .filter(MemberConfig::votingDataBearing)
            .filter(member -> state.appliedBy(member.id()).isAtLeast(turn.applied))
            .count();
    return have >= turn.configuration().writeMajority();
  }

  /**
   * The electable member to hand over to: one that lives, can write and has everything, the highest
   * priority first.
   */
  private static Optional<Integer> successor(Turn turn) {
    return turn.others()
        .filter(MemberConfig::electable)
        .filter(member -> turn.isAlive(member.id()))
        .filter(member -> peer(turn, member).state() == MemberState.SECONDARY)
        .filter(member -> peer(turn, member).report().diskWorks())
        .filter(member -> peer(turn, member).applied().isAtLeast(turn.applied))
        .max(
            Comparator.comparingDouble(MemberConfig::priority)
                .thenComparing(member -> member.id(), Comparator.reverseOrder()))
        .map(MemberConfig::id);
  }

  private static Peer peer(Turn turn, MemberConfig member) {
    return Objects.requireNonNull(turn.peers.get(member.id()));
  }

  static void freeze(Turn turn, Duration duration) {
    if (duration.isZero()) {
      turn.frozenUntil = Instant.MIN;
      if (turn.config != null) {
        turn.postponeElection();
      }
    } else {
      turn.frozenUntil = turn.now.plus(duration);
    }
  }
}
