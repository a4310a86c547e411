// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Duration;
import java.time.Instant;

/** What a member knows of another one. */
public record Peer(PeerReport report, PeerContact contact, Refusal refusal) {

  /**
   * It would not be a sync source, or could not.
   *
   * @param epoch the leadership epoch in which that counts; {@link #WHATEVER_CHANGES} for any
   * @param until when it is forgotten at the latest
   */
  public record Refusal(long epoch, Instant until) {
    static final long WHATEVER_CHANGES = -1;
    static final Refusal NONE = new Refusal(WHATEVER_CHANGES, Instant.MIN);

    boolean counts(long presentEpoch, Instant now) {
      return until.isAfter(now) && (epoch == WHATEVER_CHANGES || epoch == presentEpoch);
    }
  }

  static Peer unknown(Instant now) {
    return new Peer(PeerReport.NONE, PeerContact.due(now), Refusal.NONE);
  }

  /** Whether it has been heard of within {@code window}. */
  public boolean isAlive(Instant now, Duration window) {
    return state() != MemberState.DOWN
        && !lastHeard().equals(Instant.MIN)
        && !lastHeard().plus(window).isBefore(now);
  }

  public MemberState state() {
    return report.state();
  }

  public OpTime applied() {
    return report.applied();
  }

  public Instant lastHeard() {
    return contact.lastHeard();
  }

  Peer asked() {
    return with(contact.asked());
  }

  Peer answered(Message.HeartbeatReply reply, Duration roundTrip, Instant now, Instant next) {
    return new Peer(PeerReport.of(reply), contact.answered(roundTrip, now, next), refusal);
  }

  Peer failed(String why, Instant next) {
    return new Peer(report.down(why), contact.failed(next), refusal);
  }

  /** It sent a request, so it lives; what it is will be known from its next answer. */
  Peer heard(Instant now, boolean revived) {
    PeerContact heard = contact.heard(now);
    return revived
        ? new Peer(report.revived(), heard.awaiting() ? heard : heard.dueAt(now), refusal)
        : with(heard);
  }

  Peer dueAt(Instant next) {
    return with(contact.dueAt(next));
  }

  Peer shifted(Duration gap) {
    return with(contact.shifted(gap));
  }

  Peer withState(MemberState newState) {
    return with(report.withState(newState));
  }

  Peer withApplied(OpTime newApplied) {
    return with(report.withApplied(newApplied));
  }

  Peer refused(long epoch, Instant until) {
    return new Peer(report, contact, new Refusal(epoch, until));
  }

  private Peer with(PeerReport newReport) {
    return new Peer(newReport, contact, refusal);
  }

  private Peer with(PeerContact newContact) {
    return new Peer(report, newContact, refusal);
  }
}
