// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import org.jspecify.annotations.Nullable;

/**
 * What members say to each other, apart from the log itself. Ids are those of the configuration.
 */
public sealed interface Message {

  /**
   * Are you there, and what do you know?
   *
   * @param to whom it is meant for, so that a connection that went astray is noticed; -1 while the
   *     configuration is asked for
   * @param from -1 from a member without a configuration
   * @param primary whom the sender takes for primary; -1 for nobody
   */
  record HeartbeatRequest(
      String setName,
      int to,
      int from,
      String fromHost,
      long term,
      long configVersion,
      long configTerm,
      int primary)
      implements Message {}

  /**
   * What the answering member knows.
   *
   * @param from who answers
   * @param diskWorks whether its disk can be written
   * @param config given when the asker's is older
   */
  record HeartbeatReply(
      String setName,
      int from,
      MemberState state,
      long term,
      int primary,
      OpTime applied,
      OpTime committed,
      long configVersion,
      long configTerm,
      int syncSource,
      boolean diskWorks,
      @Nullable ReplicaSetConfig config)
      implements Message {}

  /**
   * A candidate asks for a vote.
   *
   * @param term the candidate's term; in a dry run the current one
   * @param applied the candidate's last log entry
   */
  record VoteRequest(
      String setName,
      int to,
      boolean dryRun,
      long term,
      int candidate,
      long configVersion,
      long configTerm,
      OpTime applied)
      implements Message {}

  /**
   * A vote, or none.
   *
   * @param reason why not; empty when granted
   */
  record VoteReply(int from, long term, boolean granted, String reason, OpTime applied)
      implements Message {}

  /**
   * How a step-down ended.
   *
   * @param done false when no electable secondary caught up in time
   */
  record StepDownReply(boolean done, String why) implements Message {}
}
