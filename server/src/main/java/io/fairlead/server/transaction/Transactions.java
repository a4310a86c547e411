// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.transaction;

import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.replication.ReplicationCoordinator;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.bson.BsonBinary;
import org.bson.BsonDocument;

/**
 * The transactions of all sessions. A session's commands take turns; any failure of a statement
 * ends its transaction. Any thread may call.
 */
public final class Transactions implements AutoCloseable {
  /**
   * A transaction that is older is aborted, as with MongoDB's {@code
   * transactionLifetimeLimitSeconds}.
   */
  public static final Duration LIFETIME_MAX = Duration.ofSeconds(60);

  private final ReplicationCoordinator coordinator;
  private final LongSupplier nanoTime;
  private final ConcurrentHashMap<BsonBinary, SessionTransaction> bySession =
      new ConcurrentHashMap<>();

  public Transactions(ReplicationCoordinator coordinator, LongSupplier nanoTime) {
    this.coordinator = coordinator;
    this.nanoTime = nanoTime;
  }

  /**
   * Runs a command in the transaction of its session: begins it where the command says so.
   *
   * @throws io.fairlead.engine.error.EngineException 251, 256, 225 where the command's number is
   *     not that of a transaction in progress; what the command itself throws, after which the
   *     transaction has ended
   */
  public BsonDocument run(CommandContext context) throws InterruptedException {
    BsonBinary session = Objects.requireNonNull(context.generic().sessionId());
    SessionTransaction transaction =
        bySession.computeIfAbsent(session, id -> new SessionTransaction(coordinator, nanoTime));
    return transaction.run(context);
  }

  /** The transaction of the session that this command belongs to. */
  SessionTransaction of(CommandContext context) {
    BsonBinary session = Objects.requireNonNull(context.generic().sessionId());
    SessionTransaction transaction = bySession.get(session);
    if (transaction == null) {
      throw Failures.of(251, "the session has ended");
    }
    return transaction;
  }

  /** A retryable write of a session ends the transaction that the session has left behind. */
  public void goOn(CommandContext retryableWrite) throws InterruptedException {
    SessionTransaction transaction =
        bySession.get(Objects.requireNonNull(retryableWrite.generic().sessionId()));
    if (transaction != null) {
      transaction.goOn(retryableWrite);
    }
  }

  /** Ends what a session that has ended was doing. */
  public void end(BsonBinary session) {
    SessionTransaction transaction = bySession.remove(session);
    if (transaction != null) {
      transaction.end();
    }
  }

  /** Aborts transactions that have lasted too long. Called now and then. */
  public void sweep() {
    bySession.values().forEach(each -> each.expire(LIFETIME_MAX));
  }

  /** How many are in progress. */
  public long inProgress() {
    return bySession.values().stream().filter(SessionTransaction::isInProgress).count();
  }

  @Override
  public void close() {
    bySession.values().forEach(SessionTransaction::end);
  }
}
