// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Duration;
import java.util.Map;

/** What can happen to a member. A {@code request} number is given back in {@link Action.Answer}. */
public sealed interface Event {

  /**
   * Time has passed; expected every few dozen milliseconds.
   *
   * @param diskWorks whether this member's disk can be written now
   */
  record Tick(boolean diskWorks) implements Event {}

  record HeartbeatReceived(long request, Message.HeartbeatRequest message) implements Event {}

  record HeartbeatAnswered(int member, Message.HeartbeatReply reply, Duration roundTrip)
      implements Event {}

  record HeartbeatFailed(int member, String why) implements Event {}

  record VoteRequested(long request, Message.VoteRequest message) implements Event {}

  /**
   * A vote came in.
   *
   * @param dryRun of the request that is answered, {@code term} likewise: a late answer must not
   *     count for another attempt
   */
  record VoteAnswered(int member, boolean dryRun, long term, Message.VoteReply reply)
      implements Event {}

  record VoteFailed(int member, boolean dryRun, long term) implements Event {}

  /** Members' positions, reported by one that pulls from here. */
  record PositionsReported(Map<Integer, OpTime> applied) implements Event {}

  /** This member's log now ends there: a write of its own, or entries pulled, or a rollback. */
  record Applied(OpTime applied) implements Event {}

  /** The sync source told the commit point along with its log. */
  record CommittedHeard(OpTime committed) implements Event {}

  /** The sync source could not be reached or has no common point with this log. */
  record SourceFailed(int member, Duration avoidFor) implements Event {}

  /** The sync source answered that it is neither primary nor secondary: leadership is changing. */
  record SourceRefused(int member) implements Event {}

  record DataChanged(ReplicaState.Data data) implements Event {}

  /** A configuration to be installed if it is newer than the present one. */
  record ConfigOffered(ReplicaSetConfig config) implements Event {}

  /** The entry that opens the term is in the log and writes are let in. */
  record Opened() implements Event {}

  /**
   * Stand for election at once.
   *
   * @param skipDryRun as a primary that hands over asks for
   */
  record StandForElection(boolean skipDryRun) implements Event {}

  record StepDown(long request, Duration catchUpFor, Duration stepDownFor, boolean force)
      implements Event {}

  /** Do not stand for election for that time; zero ends an earlier freeze. */
  record Freeze(Duration duration) implements Event {}
}
