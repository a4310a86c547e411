// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The working copy of a state while one event is worked on. Lives within {@link Protocol#on}; what
 * it does to itself becomes the next state, and {@link #actions} what is to be done.
 */
final class Turn {
  final String setName;
  final String self;
  final Instant now;
  final RandomGenerator random;
  final List<Action> actions = new ArrayList<>();
  final Map<Integer, Peer> peers;

  @Nullable ReplicaSetConfig config;
  long term;
  Vote lastVote;
  Role role;
  ReplicaState.Data data;
  int primary;
  OpTime applied;
  OpTime committed;
  int syncSource;
  Instant electionAt;
  Instant takeoverAt;
  Instant frozenUntil;
  Instant diskFailedAt;
  long epoch;

  /**
   * Whether writes were closed in this very event: what is still being committed must be seen
   * first.
   */
  boolean justClosed;

  Turn(ReplicaState state, Instant now, RandomGenerator random) {
    this.setName = state.setName();
    this.self = state.self();
    this.now = now;
    this.random = random;
    this.peers = new HashMap<>(state.peers());
    this.config = state.config();
    this.term = state.term();
    this.lastVote = state.lastVote();
    this.role = state.role();
    this.data = state.data();
    this.primary = state.primary();
    this.applied = state.applied();
    this.committed = state.committed();
    this.syncSource = state.syncSource();
    this.electionAt = state.electionAt();
    this.takeoverAt = state.takeoverAt();
    this.frozenUntil = state.frozenUntil();
    this.diskFailedAt = state.diskFailedAt();
    this.epoch = state.epoch();
  }

  Step done() {
    return new Step(state(), actions);
  }

  ReplicaState state() {
    return new ReplicaState(
        setName,
        self,
        config,
        term,
        lastVote,
        role,
        data,
        primary,
        applied,
        committed,
        peers,
        syncSource,
        electionAt,
        takeoverAt,
        frozenUntil,
        diskFailedAt,
        now,
        epoch);
  }

  void act(Action action) {
    actions.add(action);
  }

  void note(String line) {
    actions.add(new Action.Note(line));
  }

  ReplicaSetConfig configuration() {
    if (config == null) {
      throw new IllegalStateException("no configuration yet");
    }
    return config;
  }

  @Nullable MemberConfig me() {
    return config == null ? null : config.memberAt(self).orElse(null);
  }

  int selfId() {
    MemberConfig me = me();
    return me == null ? -1 : me.id();
  }

  Duration electionTimeout() {
    return configuration().settings().electionTimeout();
  }

  Duration heartbeatInterval() {
    return configuration().settings().heartbeatInterval();
  }

  boolean diskWorks() {
    return diskFailedAt.equals(Instant.MAX);
  }

  void diskIs(boolean working) {
    if (working != diskWorks()) {
      diskFailedAt = working ? Instant.MAX : now;
    }
  }

  boolean leads() {
    return role instanceof Role.Leader;
  }

  boolean isAlive(int member) {
    if (member == selfId()) {
      return true;
    }
    Peer peer = peers.get(member);
    return peer != null && peer.isAlive(now, electionTimeout());
  }

  /**
   * Whether anything came from that member within the election timeout, even if it failed to answer
   * since.
   */
  boolean isHeard(int member) {
    if (member == selfId()) {
      return true;
    }
    Peer peer = peers.get(member);
    return peer != null
        && !peer.lastHeard().equals(Instant.MIN)
        && !peer.lastHeard().plus(electionTimeout()).isBefore(now);
  }

  /** Whether an answer of that member can be expected: it lives, or nothing is known of it yet. */
  boolean mayAnswer(int member) {
    Peer peer = peers.get(member);
    return peer == null
        || isAlive(member)
        || (peer.state() != MemberState.DOWN && peer.lastHeard().equals(Instant.MIN));
  }

  Stream<MemberConfig> others() {
    int me = selfId();
    return configuration().members().stream().filter(member -> member.id() != me);
  }

  String nameOf(int member) {
    return config == null
        ? "member " + member
        : config.member(member).map(MemberConfig::host).orElse("member " + member);
  }

  /** Somebody leads, or might: the wait for an election begins anew. */
  void postponeElection() {
    electionAt = now.plus(electionTimeout()).plus(jitter(electionTimeout().dividedBy(4)));
  }

  Duration jitter(Duration atMost) {
    return Duration.ofNanos(random.nextLong(Math.max(1, atMost.toNanos())));
  }

  /** Takes note of a term. A higher one ends whatever this member was in its own. */
  void seen(long otherTerm, String from) {
    if (otherTerm <= term) {
      return;
    }
    term = otherTerm;
    primary = -1;
    epoch++;
    if (!(role instanceof Role.Follower)) {
      becomeFollower("because " + from + " is in term " + otherTerm);
    }
    takeoverAt = Instant.MAX;
  }

  void becomeFollower(String why) {
    boolean stood = !(role instanceof Role.Follower);
    if (role instanceof Role.Leader leader) {
      Role.Handover handover = leader.handover();
      act(new Action.CloseForWrites());
      act(new Action.SteppedDown(why));
      if (handover != null) {
        act(new Action.Answer(handover.request(), new Message.StepDownReply(true, "")));
      }
      note("PRIMARY → SECONDARY in term " + term + ", " + why);
    }
    role = new Role.Follower();
    if (primary == selfId()) {
      primary = -1;
    }
    if (stood) {
      epoch++;
      postponeElection();
    }
  }

  void follow(int newPrimary) {
    if (primary != newPrimary) {
      primary = newPrimary;
      epoch++;
      note("follows " + nameOf(newPrimary) + " as primary of term " + term);
    }
  }

  void put(int member, Peer peer) {
    Peer before = peers.put(member, peer);
    if (before != null && before.state() != peer.state()) {
      epoch++;
    }
  }
}
