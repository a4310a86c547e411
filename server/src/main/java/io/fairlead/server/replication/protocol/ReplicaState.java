// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything one member knows. Immutable.
 *
 * @param setName the set it was started for
 * @param self its address
 * @param config null before the set is initiated
 * @param term the highest it has heard of
 * @param lastVote its own last vote
 * @param role in the current term
 * @param data whether its copy of the data is usable
 * @param primary whom it takes for primary, by id; -1 for nobody
 * @param applied the end of its log
 * @param committed the commit point as far as it knows; never beyond {@code applied}
 * @param peers the other members, by id
 * @param syncSource whom it pulls from, by id; -1 for nobody
 * @param electionAt when it stands for election unless it hears of a primary
 * @param takeoverAt when it stands against a primary of lower priority; {@link Instant#MAX} for
 *     never
 * @param frozenUntil until when it does not stand
 * @param diskFailedAt since when its disk cannot be written, so that it does not stand and gives
 *     way; {@link Instant#MAX} while it can
 * @param lastEvent when it last did anything; a long gap means that this process was held up, not
 *     its peers
 * @param epoch grows with each change of term, primary or a peer's state
 */
public record ReplicaState(
    String setName,
    String self,
    @Nullable ReplicaSetConfig config,
    long term,
    Vote lastVote,
    Role role,
    Data data,
    int primary,
    OpTime applied,
    OpTime committed,
    Map<Integer, Peer> peers,
    int syncSource,
    Instant electionAt,
    Instant takeoverAt,
    Instant frozenUntil,
    Instant diskFailedAt,
    Instant lastEvent,
    long epoch) {

  /** How usable a member's copy of the data is. */
  public enum Data {
    INITIAL_SYNC,
    RECOVERING,
    ROLLBACK,
    READY
  }

  public ReplicaState {
    peers = Map.copyOf(peers);
  }

  /** A member that has just started. {@code config} null: it waits to be initiated. */
  public static ReplicaState starting(
      String setName,
      String self,
      long term,
      Vote lastVote,
      Data data,
      OpTime applied,
      Instant now) {
    return new ReplicaState(
        setName,
        self,
        null,
        term,
        lastVote,
        new Role.Follower(),
        data,
        -1,
        applied,
        OpTime.NONE,
        Map.of(),
        -1,
        Instant.MAX,
        Instant.MAX,
        Instant.MIN,
        Instant.MAX,
        now,
        0);
  }

  /** This member in the configuration; empty before initiation and when it was removed. */
  public Optional<MemberConfig> me() {
    return config == null ? Optional.empty() : config.memberAt(self);
  }

  public boolean diskWorks() {
    return diskFailedAt.equals(Instant.MAX);
  }

  public int selfId() {
    return me().map(MemberConfig::id).orElse(-1);
  }

  public MemberState memberState() {
    if (config == null) {
      return MemberState.STARTUP;
    }
    Optional<MemberConfig> me = me();
    if (me.isEmpty()) {
      return MemberState.REMOVED;
    }
    if (me.get().arbiterOnly()) {
      return MemberState.ARBITER;
    }
    return switch (role) {
      case Role.Leader leader -> MemberState.PRIMARY;
      case Role.Follower follower -> byData();
      case Role.Candidate candidate -> byData();
    };
  }

  private MemberState byData() {
    return switch (data) {
      case INITIAL_SYNC -> MemberState.STARTUP2;
      case RECOVERING -> MemberState.RECOVERING;
      case ROLLBACK -> MemberState.ROLLBACK;
      case READY -> MemberState.SECONDARY;
    };
  }

  /** Whether it leads and accepts writes. */
  public boolean isWritablePrimary() {
    return role instanceof Role.Leader leader
        && leader.phase() == Role.Phase.WRITABLE
        && leader.handover() == null;
  }

  /** Where that member's log ends, as far as is known here; this member included. */
  public OpTime appliedBy(int member) {
    if (member == selfId()) {
      return applied;
    }
    Peer peer = peers.get(member);
    return peer == null ? OpTime.NONE : peer.applied();
  }
}
