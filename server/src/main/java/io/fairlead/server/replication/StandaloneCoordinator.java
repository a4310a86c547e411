// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Engine;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.replication.protocol.MemberState;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.retryable.StatementOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;

/**
 * A server without a replica set: always writable, no log, no cluster time, no retryable writes.
 */
public final class StandaloneCoordinator implements ReplicationCoordinator {
  private static final BsonTimestamp NO_CLUSTER_TIME = new BsonTimestamp(0, 0);
  private static final Set<String> COMMANDS = ReplicationCommands.PUBLIC;

  private final Engine engine;
  private final HelloStatus hello;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Coordinates nothing.
   *
   * @param processId of this run of the server, as in its topology version
   */
  public StandaloneCoordinator(Engine engine, ObjectId processId) {
    this.engine = engine;
    this.hello =
        new HelloStatus(new BsonDocument("isWritablePrimary", BsonBoolean.TRUE), processId, 0);
  }

  @Override
  public MemberState memberState() {
    return MemberState.PRIMARY;
  }

  @Override
  public boolean isReplicaSetMember() {
    return false;
  }

  @Override
  public boolean isWritablePrimary() {
    return true;
  }

  @Override
  public HelloStatus hello() {
    return hello;
  }

  /** A standalone never changes, so this waits for the whole time, or until it is closed. */
  @Override
  public HelloStatus awaitHello(BsonDocument topologyVersion, Duration maxAwait)
      throws InterruptedException {
    if (topologyVersion.equals(hello.topologyVersion())) {
      boolean over = closed.await(maxAwait.toNanos(), TimeUnit.NANOSECONDS);
      if (over) {
        throw new EngineException(ErrorCodes.SHUTDOWN_IN_PROGRESS, "the server is shutting down");
      }
    }
    return hello;
  }

  @Override
  public void requireWritablePrimary() {}

  @Override
  public BsonDocument runOnPrimary(String database, BsonDocument command, Duration atMost) {
    throw new IllegalStateException("a standalone takes every write itself");
  }

  @Override
  public void requireReadable(boolean secondaryOk) {}

  @Override
  public <T> Written<T> write(WriteOrigin origin, Function<WriteTransaction, T> body) {
    refuseRetryable(origin.session() != null);
    return new Written<>(engine.write(context(origin), body), OpTime.NONE);
  }

  private static WriteContext context(WriteOrigin origin) {
    return WriteContext.plain()
        .withOperation(origin.operation())
        .withBypassValidation(origin.bypassValidation());
  }

  @Override
  public Optional<StatementOutcome> outcome(WriteOrigin.RetryableWrite write, int statement) {
    refuseRetryable(true);
    return Optional.empty();
  }

  private static void refuseRetryable(boolean retryable) {
    if (retryable) {
      throw new EngineException(
          ErrorCodes.ILLEGAL_OPERATION,
          "Transaction numbers are only allowed on a replica set member or mongos");
    }
  }

  @Override
  public OpenTransaction begin(WriteOrigin.RetryableWrite transaction) {
    throw new EngineException(
        ErrorCodes.ILLEGAL_OPERATION,
        "Transaction numbers are only allowed on a replica set member or mongos");
  }

  @Override
  public boolean isCommitted(WriteOrigin.RetryableWrite transaction) {
    return false;
  }

  @Override
  public OpTime lastApplied() {
    return OpTime.NONE;
  }

  @Override
  public OpTime lastCommitted() {
    return OpTime.NONE;
  }

  /** One member is all there is; more cannot be waited for, but its journal can. */
  @Override
  public WriteConcernResult awaitWriteConcern(
      OpTime opTime, WriteConcern writeConcern, Duration atMost) throws InterruptedException {
    WriteConcernWait wait = WriteConcernWait.of(writeConcern, atMost);
    return switch (writeConcern.w()) {
      case WriteConcern.W.Majority majority -> Journaling.await(engine, writeConcern, wait);
      case WriteConcern.W.Members members when members.count() <= 1 ->
          Journaling.await(engine, writeConcern, wait);
      case WriteConcern.W.Members members ->
          throw new EngineException(
              ErrorCodes.BAD_VALUE, "cannot use 'w' > 1 when a host is not replicated");
      case WriteConcern.W.Mode mode ->
          throw new EngineException(
              ErrorCodes.BAD_VALUE,
              "cannot use non-majority 'w' mode \""
                  + mode.name()
                  + "\" when a host is not replicated");
    };
  }

  @Override
  public Snapshot readSnapshot(ReadConcern readConcern, Duration atMost) {
    if (readConcern.afterClusterTime() != null || readConcern.atClusterTime() != null) {
      throw new EngineException(
          ErrorCodes.ILLEGAL_OPERATION,
          "Cannot specify a cluster time in readConcern on a standalone");
    }
    return switch (readConcern.level()) {
      case LOCAL, AVAILABLE, MAJORITY -> engine.snapshot();
      case LINEARIZABLE, SNAPSHOT ->
          throw new EngineException(
              123,
              "readConcern level '" + readConcern.level().wireName() + "' requires a replica set");
    };
  }

  @Override
  public BsonTimestamp clusterTime() {
    return NO_CLUSTER_TIME;
  }

  @Override
  public void advanceClusterTime(BsonTimestamp seen) {}

  @Override
  public Set<String> commands() {
    return COMMANDS;
  }

  @Override
  public BsonDocument run(String name, BsonDocument command) {
    throw new EngineException(ErrorCodes.NO_REPLICATION_ENABLED, "not running with --replSet");
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
