// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import com.mongodb.MongoClientException;
import com.mongodb.connection.ServerType;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.connection.Connection;
import io.fairlead.cluster.session.Session;
import io.fairlead.topology.retry.Retryability;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;

/**
 * The session of one operation, the same for all of its attempts: its caller's, or one of its own
 * that is begun when first needed and ended with the operation. With it goes the number that tells
 * the server that a write comes again.
 */
final class OperationSession implements AutoCloseable {
  private final OperationRunner runner;
  private final Operation operation;
  private @Nullable Session own;
  private @Nullable BsonInt64 transactionNumber;

  OperationSession(OperationRunner runner, Operation operation) {
    this.runner = runner;
    this.operation = operation;
  }

  /**
   * What goes with the command on this connection; null: no session.
   *
   * @throws MongoClientException when an explicit session cannot be honoured
   */
  @Nullable Session on(Connection connection) {
    boolean supported = connection.handshake().supportsSessions();
    Session given = operation.session();
    if (given != null && given.isExplicit()) {
      if (!supported) {
        throw new MongoClientException(
            "Sessions are not supported by the MongoDB cluster to which this client is connected");
      }
      if (!operation.acknowledged()) {
        throw new MongoClientException(
            "Unacknowledged writes are not supported when using an explicit session");
      }
    }
    boolean sends = operation.acknowledged() && !operation.commandName().equals("endSessions");
    if (!supported || !sends || operation.command().containsKey("lsid")) {
      return null;
    }
    Session used = given == null ? own() : given;
    used.touch();
    return used;
  }

  private Session own() {
    Session begun = own;
    if (begun == null) {
      begun = runner.sessions.implicit();
      own = begun;
    }
    return begun;
  }

  /** A write is retryable where the server can tell that it comes twice. */
  Retryability retryabilityOn(Connection connection, @Nullable Session used) {
    if (operation.retry() != Retryability.WRITE) {
      return operation.retry();
    }
    if (operation.command().containsKey("txnNumber")) {
      return Retryability.WRITE;
    }
    boolean recognised =
        used != null
            && connection.description().getServerType() != ServerType.STANDALONE
            && runner.settings.client().getRetryWrites();
    return recognised ? Retryability.WRITE : Retryability.WRITE_ONCE;
  }

  /** The number of a retryable write, the same for every attempt; null for anything else. */
  @Nullable BsonInt64 transactionNumber(@Nullable Session used, Retryability retryability) {
    if (used != null && retryability == Retryability.WRITE && transactionNumber == null) {
      transactionNumber = new BsonInt64(used.nextTransactionNumber());
    }
    return transactionNumber;
  }

  /** Gives the operation's own session back. */
  @Override
  public void close() {
    if (own != null) {
      own.close();
    }
  }
}
