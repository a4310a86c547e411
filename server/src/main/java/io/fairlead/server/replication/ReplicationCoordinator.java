// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Snapshot;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.replication.protocol.MemberState;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.retryable.StatementOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;

/**
 * What commands need to know of replication, and the one way they write. A standalone and a member
 * of a replica set implement it.
 *
 * <p>Every method may be called from any thread. Waits are bounded by their arguments and end early
 * when the coordinator is closed. Errors are {@link io.fairlead.engine.error.EngineException}s with
 * MongoDB's codes.
 *
 * <p>A write command, in order: {@link #requireWritablePrimary()}; for each statement of a
 * retryable write {@link #outcome}, and only where that is empty {@link #write}; then {@link
 * #awaitWriteConcern} for the last {@link Written#opTime()}. A read: {@link #requireReadable}, then
 * {@link #readSnapshot}.
 */
public interface ReplicationCoordinator extends AutoCloseable {

  /** {@link MemberState#PRIMARY} for a standalone. */
  MemberState memberState();

  /** Whether this is a member of a replica set, initiated or not, rather than a standalone. */
  boolean isReplicaSetMember();

  boolean isWritablePrimary();

  /** Replication's part of {@code hello} now. */
  HelloStatus hello();

  /**
   * Waits until the topology version is no longer {@code counter}, at most {@code maxAwait}, then
   * gives the state of that time; at once when it differs already or {@code counter} belongs to
   * another run of the server.
   *
   * @param topologyVersion as the client sent it: {@code {processId: ObjectId, counter: long}}
   */
  HelloStatus awaitHello(BsonDocument topologyVersion, Duration maxAwait)
      throws InterruptedException;

  /**
   * Refuses a write where none is accepted.
   *
   * @throws io.fairlead.engine.error.EngineException 10107 NotWritablePrimary when this member does
   *     not accept writes
   */
  void requireWritablePrimary();

  /**
   * Refuses a read where none is answered.
   *
   * @param secondaryOk whether the read preference lets a secondary answer; a read without a
   *     preference does not
   * @throws io.fairlead.engine.error.EngineException 13435 NotPrimaryNoSecondaryOk on a member that
   *     is not primary when {@code secondaryOk} is false, 13436 NotPrimaryOrSecondary on one that
   *     is neither primary nor secondary when it is true
   */
  void requireReadable(boolean secondaryOk);

  /**
   * Runs {@code body} in one engine transaction, written to the log in the same commit. In {@code
   * body}, {@code transaction.statement(id)} before the changes of each statement of a retryable
   * write.
   *
   * @throws io.fairlead.engine.error.EngineException what {@code body} throws; 10107 when this
   *     member ceased to be primary before the commit; 225 TransactionTooOld when the session has
   *     gone on to a higher number
   * @throws AlreadyExecutedException when one of the statements was executed before, by another
   *     attempt that ran at the same time: nothing was written, ask {@link #outcome} again
   */
  <T> Written<T> write(WriteOrigin origin, Function<WriteTransaction, T> body);

  /**
   * What that statement did when it was executed before, on this member or on a former primary.
   *
   * @throws io.fairlead.engine.error.EngineException 225 TransactionTooOld when the session has
   *     gone on to a higher number
   */
  Optional<StatementOutcome> outcome(WriteOrigin.RetryableWrite write, int statement);

  /**
   * Begins a multi-document transaction on the newest state of a primary.
   *
   * @param transaction the session and the transaction's number
   * @throws io.fairlead.engine.error.EngineException 10107 when this member does not accept writes;
   *     225 TransactionTooOld when the session has gone on; 20 on a standalone
   */
  OpenTransaction begin(WriteOrigin.RetryableWrite transaction);

  /** Whether that transaction was committed, here or on a former primary. */
  boolean isCommitted(WriteOrigin.RetryableWrite transaction);

  /** The last entry in this member's log; {@link OpTime#NONE} where there is no log. */
  OpTime lastApplied();

  /** The majority commit point as far as this member knows. */
  OpTime lastCommitted();

  /**
   * Waits until enough members have the log up to {@code opTime}, or until it is clear that they
   * will not.
   *
   * @param atMost what is left of the operation's own time; the write concern's own timeout also
   *     counts
   */
  WriteConcernResult awaitWriteConcern(OpTime opTime, WriteConcern writeConcern, Duration atMost)
      throws InterruptedException;

  /**
   * The state of the data that a read with that concern may see; waits where it must.
   *
   * @throws io.fairlead.engine.error.EngineException 50 MaxTimeMSExpired when the wait takes longer
   *     than {@code atMost}; 72 InvalidOptions for a concern that this kind of server does not
   *     have; 10107 for a linearizable read that cannot be confirmed; 246 SnapshotUnavailable for a
   *     time whose data is no longer kept
   */
  Snapshot readSnapshot(ReadConcern readConcern, Duration atMost) throws InterruptedException;

  /** As {@link #readSnapshot}, and of a read of level {@code snapshot} also at what time it is. */
  default ReadView readView(ReadConcern readConcern, Duration atMost) throws InterruptedException {
    return new ReadView(readSnapshot(readConcern, atMost), null);
  }

  /**
   * The highest cluster time seen here, for {@code $clusterTime}; {@code Timestamp(0, 0)} on a
   * standalone, which has none.
   */
  BsonTimestamp clusterTime();

  /** Takes note of a cluster time that a client or a peer has seen. */
  void advanceClusterTime(BsonTimestamp seen);

  /**
   * Runs a command on the primary, on behalf of a member that is not.
   *
   * @param atMost for connecting and for the reply, each
   * @return the reply as it came, whether {@code ok} or not
   * @throws io.fairlead.engine.error.EngineException 189 PrimarySteppedDown when this member knows
   *     of no primary; 6 HostUnreachable when the primary cannot be reached, or is lost before it
   *     answers
   */
  BsonDocument runOnPrimary(String database, BsonDocument command, Duration atMost);

  /**
   * The names of the commands that {@link #run} answers: {@code replSetGetStatus}, {@code
   * replSetHeartbeat} …
   */
  Set<String> commands();

  /**
   * Answers one of {@link #commands()}. The reply lacks {@code ok: 1}, which the caller adds, and
   * everything about cluster time.
   *
   * @throws io.fairlead.engine.error.EngineException for the command's own errors; 76
   *     NoReplicationEnabled on a standalone
   */
  BsonDocument run(String name, BsonDocument command) throws InterruptedException;

  /** Stops everything this coordinator started, and waits for it. */
  @Override
  void close();
}
