// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

/** What the shell is to do, in order, after it has published the new state. */
public sealed interface Action {

  record SendHeartbeat(int member, Message.HeartbeatRequest message) implements Action {}

  record RequestVote(int member, Message.VoteRequest message) implements Action {}

  record Answer(long request, Message reply) implements Action {}

  /** Keep that vote for good before any action behind this one. */
  record StoreVote(Vote vote) implements Action {}

  record StoreConfig(ReplicaSetConfig config) implements Action {}

  /** Ask the member at that address for its configuration. */
  record FetchConfig(String host) implements Action {}

  /** Pull from that member. */
  record SyncFrom(int member) implements Action {}

  record StopSyncing() implements Action {}

  /**
   * Apply all that was pulled, write the entry that opens the term, let writes in; then say {@link
   * Event.Opened}.
   */
  record OpenTerm(long term) implements Action {}

  /** No more writes are let in from here on. */
  record CloseForWrites() implements Action {}

  /** This member led and does no more; whoever waits for a write concern must be told. */
  record SteppedDown(String why) implements Action {}

  /** Tell the sync source where this member and those behind it stand. */
  record ReportPosition() implements Action {}

  record CommitAdvanced(OpTime committed) implements Action {}

  /** Ask that member to stand for election at once. */
  record AskToStand(int member) implements Action {}

  /** One line for the log: something that somebody on call may ask about. */
  record Note(String line) implements Action {}
}
