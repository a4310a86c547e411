// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Engine;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.oplog.CommitTicket;
import io.fairlead.server.oplog.OplogWriter;
import io.fairlead.server.replication.protocol.Action;
import io.fairlead.server.replication.protocol.Event;
import io.fairlead.server.replication.protocol.MemberConfig;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.replication.protocol.ReplicaSetConfig;
import io.fairlead.server.replication.protocol.ReplicaState;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what the protocol decides: sends to peers, stores, opens and closes the log for writes,
 * directs the puller. Nothing here decides.
 *
 * <p>What takes time runs on virtual threads of its own, which {@link #close()} ends.
 */
final class MemberEffects
    implements ProtocolLoop.Effects, LogPuller.Host, FollowerData.Listener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemberEffects.class);

  private static final Namespace NOTES = Namespace.of("local", "replset.notes");

  private final String name;
  private final ReplicationSettings settings;
  private final StoredState stored;
  private final CommittedViews views;
  private final Signal signal;
  private final MemberThreads threads;
  private final PeerCalls peers;
  private final AtomicLong topologyCounter = new AtomicLong();
  private final AtomicBoolean appliedPosted = new AtomicBoolean();
  private final AtomicLong noteAsked = new AtomicLong();

  private volatile OpTime lastApplied = OpTime.NONE;

  /** Where the data on disk stands; as {@link #lastApplied} where it is in memory only. */
  private volatile OpTime lastRecorded = OpTime.NONE;

  private volatile Duration lag = Duration.ZERO;

  private @Nullable Engine engine;
  private @Nullable ProtocolLoop loop;
  private @Nullable LogPuller puller;
  private @Nullable OplogWriter writer;
  private @Nullable WriteGate gate;

  MemberEffects(
      String name,
      ReplicationSettings settings,
      StoredState stored,
      CommittedViews views,
      Signal signal) {
    this.name = name;
    this.settings = settings;
    this.stored = stored;
    this.views = views;
    this.signal = signal;
    this.threads = new MemberThreads(name);
    this.peers = new PeerCalls(name, settings, this, threads);
  }

  /** Completes the circle; called once, before anything runs. */
  void assemble(
      Engine itsEngine,
      ProtocolLoop itsLoop,
      FollowerData itsData,
      LogPuller itsPuller,
      OplogWriter itsWriter) {
    engine = itsEngine;
    loop = itsLoop;
    puller = itsPuller;
    writer = itsWriter;
    gate = new WriteGate(name, itsWriter, itsData, this, threads, this::noteWhileClosed);
  }

  private Engine engine() {
    return Objects.requireNonNull(engine);
  }

  private ProtocolLoop loop() {
    return Objects.requireNonNull(loop);
  }

  private LogPuller puller() {
    return Objects.requireNonNull(puller);
  }

  private OplogWriter writer() {
    return Objects.requireNonNull(writer);
  }

  private WriteGate gate() {
    return Objects.requireNonNull(gate);
  }

  @Override
  public boolean diskWorks() {
    return engine().diskWorks();
  }

  @Override
  public OpTime lastApplied() {
    return lastApplied;
  }

  @Override
  public OpTime lastRecorded() {
    return lastRecorded;
  }

  long topologyCounter() {
    return topologyCounter.get();
  }

  // ---- the data has changed

  /** A commit of this primary; under the engine's commit lock. */
  void committed(OpTime last, Snapshot state) {
    views.add(last, state);
    moved(last);
  }

  @Override
  public void applied(OpTime end) {
    writer().follow(end);
    views.add(end, engine().snapshot());
    moved(end);
  }

  @Override
  public void rolledBackTo(OpTime end) {
    views.forgetAfter(end);
    moved(end);
  }

  @Override
  public void replaced(OpTime end) {
    writer().follow(end);
    views.clear();
    views.add(end, engine().snapshot());
    moved(end);
  }

  /**
   * What a member would not have after a crash does not count for a majority: where its data is
   * kept on disk, the others and the protocol hear of it when it is there.
   */
  private void moved(OpTime end) {
    lastApplied = end;
    Engine data = engine();
    if (data.isDurable()) {
      signal.changed();
      data.whenDurable(() -> recorded(end));
    } else {
      recorded(end);
    }
  }

  @Override
  public void trimLog(WriteTransaction transaction) {
    writer().trimNowAndThen(transaction);
  }

  private void recorded(OpTime end) {
    lastRecorded = end;
    ProtocolLoop itsLoop = loop();
    if (appliedPosted.compareAndSet(false, true)) {
      itsLoop.post(new Event.Applied(end));
    }
    signal.changed();
  }

  /**
   * Writes a note into the log of a primary, among its other commits; where it stands.
   *
   * @throws EngineException 10107 when no writes are let in
   */
  OpTime note(String message) {
    CommitTicket ticket = CommitTicket.note(message);
    engine()
        .write(
            WriteContext.plain().withAttachment(ticket),
            transaction -> {
              // a commit needs a change; this one is nobody else's business
              transaction.put(
                  NOTES,
                  new BsonDocument("_id", new BsonString("latest"))
                      .append("msg", new BsonString(message)));
              return true;
            });
    return ticket.opTime();
  }

  /** Writes a note into a log that is closed for all others; where it stands. */
  OpTime noteWhileClosed(String message, long term) {
    OpTime[] noted = {OpTime.NONE};
    engine()
        .write(
            WriteContext.unreplicated(),
            transaction -> {
              noted[0] = writer().note(transaction, message, term);
              return true;
            });
    applied(noted[0]);
    return noted[0];
  }

  // ---- the protocol has moved

  @Override
  public void published(ReplicaState before, ReplicaState after) {
    boolean onlyProgress =
        before.role().equals(after.role())
            && before.data() == after.data()
            && before.primary() == after.primary()
            && sameConfig(before, after);
    if (!onlyProgress
        && (!HelloFields.Shape.of(before).equals(HelloFields.Shape.of(after))
            || !sameConfig(before, after))) {
      topologyCounter.incrementAndGet();
      signal.changed();
    } else if (!before.peers().equals(after.peers())
        || !before.committed().equals(after.committed())
        || !before.applied().equals(after.applied())) {
      signal.changed();
    }
    if (!after.applied().equals(before.applied()) || appliedPosted.get()) {
      catchUpWithData(after);
    }
  }

  private static boolean sameConfig(ReplicaState before, ReplicaState after) {
    return Objects.equals(before.config(), after.config());
  }

  /** Commits come faster than events; the newest is told when the one before has been taken in. */
  private void catchUpWithData(ReplicaState after) {
    appliedPosted.set(false);
    OpTime newest = lastRecorded;
    if (!newest.equals(after.applied()) && appliedPosted.compareAndSet(false, true)) {
      loop().post(new Event.Applied(newest));
    }
  }

  @Override
  public void perform(Action action) {
    switch (action) {
      case Action.SendHeartbeat send -> peers.heartbeat(send);
      case Action.RequestVote vote -> peers.requestVote(vote);
      case Action.StoreVote(var vote) -> stored.store(vote);
      case Action.StoreConfig(var config) -> installed(config);
      case Action.FetchConfig(String host) -> peers.fetchConfig(host);
      case Action.SyncFrom(int member) -> puller().follow(member);
      case Action.StopSyncing stop -> puller().stop();
      case Action.OpenTerm(long term) -> gate().open(term);
      case Action.CloseForWrites close -> gate().close();
      case Action.SteppedDown down -> signal.changed();
      case Action.ReportPosition report -> puller().reportSoon();
      case Action.CommitAdvanced(OpTime committed) -> {
        views.commit(committed);
        signal.changed();
      }
      case Action.AskToStand(int member) -> peers.askToStand(member);
      case Action.Answer answer -> throw new IllegalStateException("answered by the loop");
      case Action.Note note -> throw new IllegalStateException("logged by the loop");
    }
  }

  private void installed(ReplicaSetConfig config) {
    stored.store(config);
    peers.keepOnly(config);
    applyLag(config);
  }

  void lagBehind(Duration duration) {
    lag = duration;
    applyLag(state().config());
  }

  private void applyLag(@Nullable ReplicaSetConfig config) {
    Duration configured =
        config == null
            ? Duration.ZERO
            : config.memberAt(settings.self()).map(MemberConfig::delay).orElse(Duration.ZERO);
    puller().lagBehind(lag.compareTo(configured) > 0 ? lag : configured);
  }

  /**
   * A read waits for a time that no write has reached: on a primary a note takes the log there,
   * else the primary is asked.
   */
  void advanceTo(BsonTimestamp time) {
    ReplicaState state = state();
    if (state.isWritablePrimary()) {
      noteUpTo(time);
    } else if (state.primary() >= 0 && state.primary() != state.selfId()) {
      long before = noteAsked.get();
      if (Long.compareUnsigned(time.getValue(), before) > 0
          && noteAsked.compareAndSet(before, time.getValue())) {
        peers.askForNote(state.primary(), time);
      }
    }
  }

  void noteUpTo(BsonTimestamp time) {
    ReplicaState state = state();
    boolean behind = Long.compareUnsigned(lastApplied.timestamp().getValue(), time.getValue()) < 0;
    if (behind && state.isWritablePrimary()) {
      try {
        note("advance to cluster time");
      } catch (EngineException e) {
        LOG.debug("[{}] the log was not advanced to {}: {}", name, time, e.getMessage());
      }
    }
  }

  // ---- the puller's host

  @Override
  public PeerLink linkTo(int member) {
    return peers.linkTo(member);
  }

  PeerLink link(String host) {
    return peers.link(host);
  }

  @Override
  public ReplicaState state() {
    return loop().state();
  }

  @Override
  public void post(Event event) {
    loop().post(event);
  }

  @Override
  public void awaitData(ReplicaState.Data data, Duration atMost) throws InterruptedException {
    signal.await(() -> (state().data() == data || signal.isClosed()) ? Boolean.TRUE : null, atMost);
  }

  /** Cuts all connections and waits for the threads that used them. */
  @Override
  public void close() {
    threads.stop();
    gate().close();
    peers.close();
    threads.close();
  }
}
