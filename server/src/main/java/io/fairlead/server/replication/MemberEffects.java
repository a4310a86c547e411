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
import io.fairlead.server.replication.protocol.Message;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.replication.protocol.ReplicaSetConfig;
import io.fairlead.server.replication.protocol.ReplicaState;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what the protocol decides: sends to peers, stores, opens and closes the log for writes,
 * directs the puller. Nothing here decides.
 *
 * <p>Each command to a peer runs on a virtual thread of its own, which {@link #close()} ends by
 * cutting the connections.
 */
final class MemberEffects implements ProtocolLoop.Effects, LogPuller.Host, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemberEffects.class);

  private static final Namespace NOTES = Namespace.of("local", "replset.notes");

  private final String name;
  private final ReplicationSettings settings;
  private final StoredState stored;
  private final CommittedViews views;
  private final Signal signal;
  private final Map<String, PeerLink> links = new ConcurrentHashMap<>();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final AtomicLong topologyCounter = new AtomicLong();
  private final AtomicBoolean appliedPosted = new AtomicBoolean();
  private final AtomicLong noteAsked = new AtomicLong();

  /** Guards the gate of the log against being opened by an order that is out of date. */
  private final ReentrantLock gate = new ReentrantLock();

  private long gateOrders;
  private volatile OpTime lastApplied = OpTime.NONE;

  /** Where the data on disk stands; as {@link #lastApplied} where it is in memory only. */
  private volatile OpTime lastRecorded = OpTime.NONE;

  private volatile Duration lag = Duration.ZERO;
  private volatile boolean closed;

  private @Nullable Engine engine;
  private @Nullable ProtocolLoop loop;
  private @Nullable LogPuller puller;
  private @Nullable OplogWriter writer;

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
  }

  /** Completes the circle; called once, before anything runs. */
  void assemble(
      Engine itsEngine, ProtocolLoop itsLoop, LogPuller itsPuller, OplogWriter itsWriter) {
    engine = itsEngine;
    loop = itsLoop;
    puller = itsPuller;
    writer = itsWriter;
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
      case Action.SendHeartbeat send -> spawn("heartbeat", () -> heartbeat(send));
      case Action.RequestVote vote -> spawn("vote", () -> requestVote(vote));
      case Action.StoreVote(var vote) -> stored.store(vote);
      case Action.StoreConfig(var config) -> installed(config);
      case Action.FetchConfig(String host) -> spawn("config", () -> fetchConfig(host));
      case Action.SyncFrom(int member) -> puller().follow(member);
      case Action.StopSyncing stop -> puller().stop();
      case Action.OpenTerm(long term) -> openTerm(term);
      case Action.CloseForWrites close -> closeForWrites();
      case Action.SteppedDown down -> signal.changed();
      case Action.ReportPosition report -> puller().reportSoon();
      case Action.CommitAdvanced(OpTime committed) -> {
        views.commit(committed);
        signal.changed();
      }
      case Action.AskToStand(int member) -> spawn("handover", () -> askToStand(member));
      case Action.Answer answer -> throw new IllegalStateException("answered by the loop");
      case Action.Note note -> throw new IllegalStateException("logged by the loop");
    }
  }

  private void installed(ReplicaSetConfig config) {
    stored.store(config);
    links
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = config.memberAt(entry.getKey()).isEmpty();
              if (gone) {
                entry.getValue().close();
              }
              return gone;
            });
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

  // ---- the gate

  private void closeForWrites() {
    gate.lock();
    try {
      gateOrders++;
      writer().close();
    } finally {
      gate.unlock();
    }
  }

  private void openTerm(long term) {
    long order;
    gate.lock();
    try {
      order = ++gateOrders;
    } finally {
      gate.unlock();
    }
    spawn(
        "open",
        () ->
            puller()
                .whileNotApplying(
                    () -> {
                      if (isCurrent(order)) {
                        openNow(order, term);
                      }
                    }));
  }

  /** A primary that cannot write must not lead: it gives way to another. */
  private void openNow(long order, long term) {
    try {
      noteWhileClosed("new primary", term);
      open(order, term);
    } catch (EngineException failure) {
      LOG.error("[{}] could not open term {}; stepping down", name, term, failure);
      loop().post(new Event.StepDown(-1, Duration.ZERO, Duration.ofSeconds(1), true));
    }
  }

  private boolean isCurrent(long order) {
    gate.lock();
    try {
      return order == gateOrders && !closed;
    } finally {
      gate.unlock();
    }
  }

  private void open(long order, long term) {
    gate.lock();
    try {
      if (order == gateOrders && !closed) {
        writer().open(term);
        loop().post(new Event.Opened());
      }
    } finally {
      gate.unlock();
    }
  }

  // ---- peers

  private void heartbeat(Action.SendHeartbeat send) {
    long sent = System.nanoTime();
    try {
      BsonDocument reply =
          linkTo(send.member()).call(PeerMessages.command(send.message()), settings.peerTimeout());
      Message.HeartbeatReply heartbeat = PeerMessages.heartbeatReply(reply);
      boolean uninitiated = heartbeat.from() == -1;
      if (heartbeat.from() != send.member() && !uninitiated) {
        throw new IllegalArgumentException("member " + heartbeat.from() + " answered in its place");
      }
      loop()
          .post(
              new Event.HeartbeatAnswered(
                  send.member(), heartbeat, Duration.ofNanos(System.nanoTime() - sent)));
    } catch (WireException | PeerRefusedException | RuntimeException failure) {
      loop().post(new Event.HeartbeatFailed(send.member(), reason(failure)));
    }
  }

  private void requestVote(Action.RequestVote vote) {
    Message.VoteRequest request = vote.message();
    try {
      Message.VoteReply reply =
          PeerMessages.voteReply(
              linkTo(vote.member()).call(PeerMessages.command(request), settings.peerTimeout()));
      if (reply.from() != vote.member()) {
        throw new IllegalArgumentException("member " + reply.from() + " answered in its place");
      }
      loop().post(new Event.VoteAnswered(vote.member(), request.dryRun(), request.term(), reply));
    } catch (WireException | PeerRefusedException | RuntimeException failure) {
      loop().post(new Event.VoteFailed(vote.member(), request.dryRun(), request.term()));
    }
  }

  private void fetchConfig(String fromHost) {
    try {
      Message.HeartbeatRequest question =
          new Message.HeartbeatRequest(
              settings.setName(), -1, -1, settings.self(), state().term(), -2, -1, -1);
      Message.HeartbeatReply reply =
          PeerMessages.heartbeatReply(
              link(fromHost).call(PeerMessages.command(question), settings.peerTimeout()));
      ReplicaSetConfig config = reply.config();
      if (config != null && config.memberAt(settings.self()).isPresent()) {
        loop().post(new Event.ConfigOffered(config));
      }
    } catch (WireException | PeerRefusedException | IllegalArgumentException failure) {
      LOG.info("[{}] could not get the configuration from {}: {}", name, fromHost, reason(failure));
    }
  }

  private void askToStand(int member) {
    try {
      linkTo(member)
          .call(
              new BsonDocument("replSetStepUp", new BsonInt32(1))
                  .append("skipDryRun", BsonBoolean.TRUE),
              settings.peerTimeout());
    } catch (WireException | PeerRefusedException | RuntimeException failure) {
      LOG.info("[{}] {} was not elected in its place: {}", name, member, reason(failure));
    }
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
        spawn("advance", () -> askForNote(state.primary(), time));
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

  private void askForNote(int primary, BsonTimestamp time) {
    try {
      linkTo(primary)
          .call(
              new BsonDocument("appendOplogNote", new BsonInt32(1)).append("maxClusterTime", time),
              settings.peerTimeout());
    } catch (WireException | PeerRefusedException | RuntimeException failure) {
      LOG.debug("[{}] the primary did not advance its log to {}: {}", name, time, reason(failure));
    }
  }

  private static String reason(Exception failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  // ---- the puller's host

  @Override
  public ReplicaState state() {
    return loop().state();
  }

  @Override
  public PeerLink linkTo(int member) {
    ReplicaSetConfig config = state().config();
    if (config == null) {
      throw new IllegalStateException("no configuration");
    }
    return link(
        config
            .member(member)
            .map(MemberConfig::host)
            .orElseThrow(() -> new IllegalStateException("no member " + member)));
  }

  PeerLink link(String host) {
    return links.computeIfAbsent(host, address -> new PeerLink(address, settings.peers()));
  }

  @Override
  public void post(Event event) {
    loop().post(event);
  }

  @Override
  public void awaitData(ReplicaState.Data data, Duration atMost) throws InterruptedException {
    signal.await(() -> (state().data() == data || signal.isClosed()) ? Boolean.TRUE : null, atMost);
  }

  // ---- threads

  private void spawn(String purpose, Runnable what) {
    if (closed) {
      return;
    }
    Thread thread =
        Thread.ofVirtual()
            .name("fairlead-" + name + "-" + purpose)
            .unstarted(
                () -> {
                  try {
                    what.run();
                  } catch (RuntimeException failure) {
                    LOG.error("[{}] {} failed", name, purpose, failure);
                  } finally {
                    threads.remove(Thread.currentThread());
                  }
                });
    threads.add(thread);
    thread.start();
  }

  /** Cuts all connections and waits for the threads that used them. */
  @Override
  public void close() {
    closed = true;
    closeForWrites();
    links.values().forEach(PeerLink::close);
    for (Thread thread : threads) {
      thread.interrupt();
      try {
        thread.join(Duration.ofSeconds(5));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
