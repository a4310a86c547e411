// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

/**
 * What another member is and has, by its last answer.
 *
 * @param state {@link MemberState#DOWN} when it does not answer, {@link MemberState#UNKNOWN} before
 *     the first
 * @param applied its last known log entry
 * @param configVersion that it has; -2 when unknown
 * @param configTerm that it has
 * @param syncSource whom it pulls from, by id; -1 for nobody
 * @param diskWorks whether its disk can be written
 * @param trouble why it is down, empty when it is not
 */
public record PeerReport(
    MemberState state,
    OpTime applied,
    long configVersion,
    long configTerm,
    int syncSource,
    boolean diskWorks,
    String trouble) {
  static final PeerReport NONE =
      new PeerReport(MemberState.UNKNOWN, OpTime.NONE, -2, -1, -1, true, "");

  /** Its position is taken as it is: a member that lost its data must not be thought to have it. */
  static PeerReport of(Message.HeartbeatReply reply) {
    return new PeerReport(
        reply.state(),
        reply.applied(),
        reply.configVersion(),
        reply.configTerm(),
        reply.syncSource(),
        reply.diskWorks(),
        "");
  }

  PeerReport withState(MemberState newState) {
    return new PeerReport(
        newState, applied, configVersion, configTerm, syncSource, diskWorks, trouble);
  }

  PeerReport withApplied(OpTime newApplied) {
    return new PeerReport(
        state, newApplied, configVersion, configTerm, syncSource, diskWorks, trouble);
  }

  PeerReport revived() {
    return new PeerReport(
        MemberState.UNKNOWN, applied, configVersion, configTerm, syncSource, diskWorks, "");
  }

  PeerReport down(String why) {
    return new PeerReport(MemberState.DOWN, applied, configVersion, configTerm, -1, diskWorks, why);
  }
}
