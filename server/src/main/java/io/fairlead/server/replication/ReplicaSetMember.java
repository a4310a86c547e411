// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Engine;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.oplog.CommitTicket;
import io.fairlead.server.oplog.LogClock;
import io.fairlead.server.oplog.Oplog;
import io.fairlead.server.oplog.OplogEntry;
import io.fairlead.server.oplog.OplogWriter;
import io.fairlead.server.replication.protocol.Event;
import io.fairlead.server.replication.protocol.MemberConfig;
import io.fairlead.server.replication.protocol.MemberState;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.replication.protocol.ReplicaSetConfig;
import io.fairlead.server.replication.protocol.ReplicaState;
import io.fairlead.server.replication.protocol.Role;
import io.fairlead.server.replication.protocol.Vote;
import io.fairlead.server.retryable.RetryableWrites;
import io.fairlead.server.retryable.StatementOutcome;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;

/**
 * This server as a member of a replica set: the protocol's loop, the log's writer and puller, the
 * connections to the others, and everything that waits for them.
 *
 * <p>Any thread may call. What changes is changed by three of its own threads: the protocol's
 * (role, term, commit point), the puller's (data of a follower), and whoever commits (data of a
 * primary, under the engine's commit lock).
 */
public final class ReplicaSetMember implements ReplicationCoordinator {
  private final Engine engine;
  private final ReplicationSettings settings;
  private final InstantSource wall;
  private final ObjectId processId;
  private final LogClock clock;
  private final Oplog oplog;
  private final RetryableWrites records = new RetryableWrites();
  private final CommittedViews views = new CommittedViews();
  private final OplogWriter writer;
  private final StoredState stored;
  private final Signal signal = new Signal();
  private final MemberEffects effects;
  private final ProtocolLoop loop;
  private final LogPuller puller;
  private final RecordExpiry expiry;
  private final ReadStates reads;
  private final PeerCommands peerCommands;
  private final AdminCommands adminCommands;
  private final Instant startedAt;

  private ReplicaSetMember(
      Engine engine,
      ReplicationSettings settings,
      InstantSource wall,
      RandomGenerator random,
      ObjectId processId) {
    this.engine = engine;
    this.settings = settings;
    this.wall = wall;
    this.processId = processId;
    this.clock = new LogClock(wall);
    this.oplog = new Oplog(engine);
    this.stored = new StoredState(engine, settings.setName());
    this.startedAt = wall.instant();
    String name = settings.setName() + "|" + settings.self();
    this.effects = new MemberEffects(name, settings, stored, views, signal);
    this.writer =
        new OplogWriter(wall, clock, records, settings.oplogBytesMax(), effects::committed);
    oplog.create();
    OpTime end = oplog.end(engine.snapshot());
    Vote vote = stored.vote();
    this.loop =
        new ProtocolLoop(
            name,
            ReplicaState.starting(
                settings.setName(),
                settings.self(),
                Math.max(0, Math.max(vote.term(), end.term())),
                vote,
                end.isNone() ? ReplicaState.Data.INITIAL_SYNC : ReplicaState.Data.READY,
                end,
                startedAt),
            wall,
            random,
            effects);
    FollowerData data = new FollowerData(engine, oplog, records, views, effects);
    this.puller = new LogPuller(name, engine, data, wall, settings.peerTimeout(), effects);
    effects.assemble(engine, loop, data, puller, writer);
    this.expiry = new RecordExpiry(name, engine, records, wall);
    this.reads = new ReadStates(engine, oplog, views, signal, effects, this);
    LogSource source = new LogSource(engine, oplog);
    this.peerCommands = new PeerCommands(this, loop, source, effects, signal);
    this.adminCommands = new AdminCommands(this, loop, signal);
  }

  /**
   * Starts the member on its data.
   *
   * @param engine the data, empty or from an earlier run; the member becomes its commit participant
   * @param wall the time of day
   * @param random jitter of elections
   * @param processId of this run of the server, as in its topology version
   */
  public static ReplicaSetMember start(
      Engine engine,
      ReplicationSettings settings,
      InstantSource wall,
      RandomGenerator random,
      ObjectId processId) {
    ReplicaSetMember member = new ReplicaSetMember(engine, settings, wall, random, processId);
    member.begin();
    return member;
  }

  private void begin() {
    engine.setCommitParticipant(writer);
    OpTime end = loop.state().applied();
    if (!end.isNone()) {
      clock.seen(end.timestamp());
      effects.applied(end);
    }
    ReplicaSetConfig config = stored.config();
    ReplicaSetConfig initial = settings.initialConfig();
    boolean fresh = config == null && initial != null;
    if (fresh && settings.firstPrimary() && end.isNone()) {
      openLog("initiating set");
      // before any other member keeps something: its data never seems to be older than this log
      stored.recorded();
    }
    loop.start();
    puller.start();
    expiry.start();
    if (config != null) {
      loop.post(new Event.ConfigOffered(config));
    } else if (initial != null) {
      loop.post(new Event.ConfigOffered(initial));
    }
    if (fresh && settings.firstPrimary()) {
      loop.post(new Event.StandForElection(false));
    }
  }

  /** Begins an empty log, which makes this member's data the set's. */
  void openLog(String message) {
    effects.noteWhileClosed(message, -1);
    loop.post(new Event.DataChanged(ReplicaState.Data.READY));
  }

  // ---- state

  ReplicaState state() {
    return loop.state();
  }

  ReplicationSettings settings() {
    return settings;
  }

  LogClock clock() {
    return clock;
  }

  Duration uptime() {
    return Duration.between(startedAt, wall.instant());
  }

  Instant wallTime() {
    return wall.instant();
  }

  /** The configuration in force; empty before the set is initiated. */
  public Optional<ReplicaSetConfig> config() {
    return Optional.ofNullable(state().config());
  }

  /** The present term. */
  public long term() {
    return state().term();
  }

  /** Applies what it pulls only when it is that old, from now on; zero follows at once. */
  public void lagBehind(Duration lag) {
    effects.lagBehind(lag);
  }

  @Override
  public MemberState memberState() {
    return state().memberState();
  }

  @Override
  public boolean isReplicaSetMember() {
    return true;
  }

  @Override
  public boolean isWritablePrimary() {
    return state().isWritablePrimary();
  }

  @Override
  public OpTime lastApplied() {
    return effects.lastApplied();
  }

  @Override
  public OpTime lastCommitted() {
    return state().committed();
  }

  // ---- hello

  @Override
  public HelloStatus hello() {
    long counter = effects.topologyCounter();
    ReplicaState state = state();
    Snapshot now = engine.snapshot();
    Optional<OplogEntry> last = oplog.last(now);
    Optional<OplogEntry> majority = oplog.at(now, state.committed().timestamp());
    return new HelloStatus(
        HelloFields.of(state, position(last), position(majority)), processId, counter);
  }

  private static HelloFields.Position position(Optional<OplogEntry> entry) {
    return entry
        .map(given -> new HelloFields.Position(given.opTime(), given.wallMillis()))
        .orElse(new HelloFields.Position(OpTime.NONE, 0));
  }

  @Override
  public HelloStatus awaitHello(BsonDocument topologyVersion, Duration maxAwait)
      throws InterruptedException {
    boolean mine =
        topologyVersion.isObjectId("processId")
            && topologyVersion.getObjectId("processId").getValue().equals(processId)
            && topologyVersion.isNumber("counter");
    if (mine) {
      long known = topologyVersion.getNumber("counter").longValue();
      Boolean over =
          signal.await(
              () -> (effects.topologyCounter() != known || signal.isClosed()) ? Boolean.TRUE : null,
              maxAwait);
      if (over != null && signal.isClosed()) {
        throw ReadStates.shuttingDown();
      }
    }
    return hello();
  }

  // ---- what is let in

  @Override
  public void requireWritablePrimary() {
    if (!isWritablePrimary()) {
      throw new EngineException(ErrorCodes.NOT_WRITABLE_PRIMARY, "not primary");
    }
  }

  @Override
  public void requireReadable(boolean secondaryOk) {
    ReplicaState state = state();
    // A primary that hands over goes on answering reads until it has stepped down.
    boolean leads =
        state.role() instanceof Role.Leader leader && leader.phase() == Role.Phase.WRITABLE;
    if (leads) {
      return;
    }
    if (!secondaryOk) {
      throw new EngineException(
          ErrorCodes.NOT_PRIMARY_NO_SECONDARY_OK, "not primary and secondaryOk=false");
    }
    if (!state.memberState().isReadable()) {
      throw new EngineException(
          ErrorCodes.NOT_PRIMARY_OR_SECONDARY,
          "node is not in primary or recovering state, but " + state.memberState());
    }
  }

  // ---- writing

  @Override
  public <T> Written<T> write(WriteOrigin origin, Function<WriteTransaction, T> body) {
    requireWritablePrimary();
    CommitTicket ticket = new CommitTicket(origin);
    WriteContext context =
        WriteContext.plain()
            .withAttachment(ticket)
            .withBypassValidation(origin.bypassValidation())
            .withOperation(origin.operation());
    T value = engine.write(context, body);
    OpTime written = ticket.opTime();
    return new Written<>(value, written.isNone() ? lastApplied() : written);
  }

  @Override
  public Optional<StatementOutcome> outcome(WriteOrigin.RetryableWrite write, int statement) {
    return records.outcome(engine.snapshot(), write, statement);
  }

  @Override
  public OpenTransaction begin(WriteOrigin.RetryableWrite transaction) {
    requireWritablePrimary();
    records.requireNew(engine.snapshot(), transaction);
    LoggedTransaction begun = LoggedTransaction.begin(engine, transaction, this::lastApplied);
    writer.follow(begun);
    return begun;
  }

  @Override
  public boolean isCommitted(WriteOrigin.RetryableWrite transaction) {
    return records.isCommitted(engine.snapshot(), transaction);
  }

  @Override
  public WriteConcernResult awaitWriteConcern(
      OpTime opTime, WriteConcern writeConcern, Duration atMost) throws InterruptedException {
    WriteConcernWait wait = WriteConcernWait.of(writeConcern, atMost);
    WriteConcernResult recorded = Journaling.await(engine, writeConcern, wait);
    if (recorded instanceof WriteConcernResult.Failed) {
      return recorded;
    }
    WriteConcernResult result =
        signal.await(
            () ->
                signal.isClosed()
                    ? WriteConcernCheck.shuttingDown(writeConcern)
                    : WriteConcernCheck.judge(
                        state(), views.committedOpTime(), opTime, writeConcern),
            wait.left());
    return result == null ? wait.over() : result;
  }

  @Override
  public BsonDocument runOnPrimary(String database, BsonDocument command, Duration atMost) {
    String primary =
        config()
            .flatMap(config -> config.member(state().primary()))
            .map(MemberConfig::host)
            .orElseThrow(
                () ->
                    new EngineException(
                        ErrorCodes.PRIMARY_STEPPED_DOWN, "No primary exists currently"));
    try {
      return effects.link(primary).exchange(database, command, atMost);
    } catch (WireException lost) {
      throw new EngineException(
          ErrorCodes.HOST_UNREACHABLE,
          "the primary " + primary + " did not answer: " + lost.getMessage(),
          Set.of(),
          new BsonDocument(),
          lost);
    }
  }

  // ---- reading

  @Override
  public Snapshot readSnapshot(ReadConcern readConcern, Duration atMost)
      throws InterruptedException {
    return reads.snapshot(readConcern, atMost);
  }

  @Override
  public ReadView readView(ReadConcern readConcern, Duration atMost) throws InterruptedException {
    return reads.view(readConcern, atMost);
  }

  // ---- cluster time

  @Override
  public BsonTimestamp clusterTime() {
    return clock.latest();
  }

  @Override
  public void advanceClusterTime(BsonTimestamp seen) {
    clock.seen(seen);
  }

  // ---- commands

  @Override
  public Set<String> commands() {
    return ReplicationCommands.ALL;
  }

  @Override
  public BsonDocument run(String name, BsonDocument command) throws InterruptedException {
    try {
      return ReplicationCommands.PUBLIC.contains(name)
          ? adminCommands.run(name, command)
          : peerCommands.run(name, command);
    } catch (IllegalArgumentException malformed) {
      throw new EngineException(ErrorCodes.FAILED_TO_PARSE, name + ": " + malformed.getMessage());
    }
  }

  MemberConfig self() {
    return state()
        .me()
        .orElseThrow(
            () ->
                new EngineException(
                    ErrorCodes.NOT_YET_INITIALIZED, "no replset config has been received"));
  }

  @Override
  public void close() {
    writer.close();
    signal.close();
    effects.close();
    puller.close();
    expiry.close();
    loop.close();
  }
}
