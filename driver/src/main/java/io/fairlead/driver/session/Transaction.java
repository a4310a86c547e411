// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.session;

import com.mongodb.MongoClientException;
import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.ServerAddress;
import com.mongodb.TransactionOptions;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.session.Session;
import io.fairlead.driver.command.Reading;
import io.fairlead.driver.command.Replies;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.readpreference.ReadWish.SessionState;
import io.fairlead.topology.retry.Retryability;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One multi-document transaction: makes its session's operations statements of it. Used by one
 * thread at a time, as its session is.
 *
 * <pre>
 *   STARTING → IN_PROGRESS → COMMITTED
 *       │           └──────→ ABORTED
 *       └ committed or aborted before anything was sent: the server never hears of it
 * </pre>
 */
final class Transaction implements SessionScope {
  static final String TRANSIENT = "TransientTransactionError";
  private static final Set<String> CONCERNS = Set.of("readConcern", "writeConcern");

  /** Where it is. */
  enum State {
    STARTING,
    IN_PROGRESS,
    COMMITTED,
    ABORTED,
    /** Something else was done in the session since. */
    OVER
  }

  private final Session session;
  private final TransactionOptions options;
  private final BsonInt64 number;
  private State state = State.STARTING;
  private boolean sent;
  private @Nullable HostAddress router;
  private @Nullable BsonDocument recoveryToken;

  Transaction(Session session, TransactionOptions options) {
    this.session = session;
    this.options = options;
    this.number = new BsonInt64(session.nextTransactionNumber());
  }

  State state() {
    return state;
  }

  TransactionOptions options() {
    return options;
  }

  boolean isActive() {
    return state == State.STARTING || state == State.IN_PROGRESS;
  }

  /** Whether the server knows of it. */
  boolean wasSent() {
    return sent;
  }

  void end(State how) {
    state = how;
  }

  /**
   * The router that alone knows this transaction; null behind none, and before the first statement.
   */
  @Nullable ServerAddress router() {
    return router == null ? null : Replies.address(router);
  }

  void unpin() {
    router = null;
  }

  /** In the transaction while it is active. */
  @Override
  public CommandResult execute(Operation operation, Function<Operation, CommandResult> cluster) {
    if (!isActive()) {
      boolean cursor =
          operation.commandName().equals("getMore")
              || operation.commandName().equals("killCursors");
      if (!cursor) {
        state = State.OVER;
        router = null;
      }
      return cluster.apply(operation);
    }
    Operation statement = statement(operation);
    try {
      return learn(cluster.apply(statement));
    } catch (MongoException failure) {
      throw labelled(failure);
    }
  }

  /** A statement is never repeated by itself: the whole transaction is. */
  private Operation statement(Operation operation) {
    if (!operation.acknowledged()) {
      throw new MongoClientException(
          "Unacknowledged writes are not supported when using an explicit session");
    }
    requirePrimary(operation);
    boolean verbatim = operation.retry() == Retryability.COMMAND;
    BsonDocument command = new BsonDocument();
    for (String field : operation.command().keySet()) {
      if (verbatim || !CONCERNS.contains(field)) {
        command.append(field, operation.command().get(field));
      }
    }
    command.append("txnNumber", number);
    if (state == State.STARTING) {
      command.append("startTransaction", BsonBoolean.TRUE);
      BsonDocument concern = readConcern();
      if (!concern.isEmpty() && !command.containsKey("readConcern")) {
        command.append("readConcern", concern);
      }
    }
    command.append("autocommit", BsonBoolean.FALSE);
    state = State.IN_PROGRESS;
    sent = true;
    Operation.Builder builder =
        operation.toBuilder(command)
            .readWish(
                operation
                    .readWish()
                    .in(
                        new SessionState.InTransaction(
                            Reading.translate(options.getReadPreference()), null)))
            .retry(once(operation.retry()))
            .afterClusterTime(false);
    if (router != null) {
      builder.pinnedTo(router);
    }
    return builder.build();
  }

  private void requirePrimary(Operation operation) {
    ReadPreference preference = options.getReadPreference();
    boolean own =
        operation.readWish().operation() == null || operation.readWish().operation().isPrimary();
    boolean whole = preference == null || preference.equals(ReadPreference.primary());
    boolean reads = operation.kind() != OperationKind.WRITE;
    if (!own || (reads && !whole)) {
      throw new MongoClientException("read preference in a transaction must be primary");
    }
  }

  private static Retryability once(Retryability retry) {
    return switch (retry) {
      case READ, READ_ONCE -> Retryability.READ_ONCE;
      case WRITE, WRITE_ONCE -> Retryability.WRITE_ONCE;
      case COMMAND, COMMIT -> retry;
    };
  }

  private BsonDocument readConcern() {
    BsonDocument concern = new BsonDocument();
    ReadConcern own = options.getReadConcern();
    if (own != null && !own.isServerDefault()) {
      concern.putAll(own.asDocument());
    }
    BsonTimestamp seen = session.operationTime();
    if (session.isCausallyConsistent() && seen != null) {
      concern.append("afterClusterTime", seen);
    }
    return concern;
  }

  private CommandResult learn(CommandResult result) {
    if (result.description().type() == ServerType.MONGOS) {
      router = result.server();
    }
    BsonValue token = result.reply().get("recoveryToken");
    if (token != null && token.isDocument()) {
      recoveryToken = token.asDocument();
    }
    return result;
  }

  private MongoException labelled(MongoException failure) {
    if (failure instanceof MongoSocketException || failure instanceof MongoTimeoutException) {
      failure.addLabel(TRANSIENT);
    }
    if (failure.hasErrorLabel(TRANSIENT)) {
      unpin();
    }
    return failure;
  }

  /** What commit and abort carry besides their names. */
  BsonDocument ending(String name) {
    BsonDocument command = new BsonDocument(name, new BsonInt32(1));
    command.append("txnNumber", number).append("autocommit", BsonBoolean.FALSE);
    if (recoveryToken != null) {
      command.append("recoveryToken", recoveryToken);
    }
    return command;
  }

  Operation.Builder operation(BsonDocument command) {
    Operation.Builder builder =
        Operation.builder("admin", command).session(session).retry(Retryability.WRITE_ONCE);
    return router == null ? builder : builder.pinnedTo(router);
  }
}
