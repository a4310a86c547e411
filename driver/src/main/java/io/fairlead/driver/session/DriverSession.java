// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.session;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoClientException;
import com.mongodb.ServerAddress;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.TransactionBody;
import com.mongodb.session.ServerSession;
import io.fairlead.cluster.session.Session;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind a session of the public interface: a method for each of its own. The
 * interface's doors into the official driver's inside say that there is nothing behind them.
 *
 * <p>Public only because a proxy calls it.
 */
@SuppressWarnings(
    "DoNotCallSuggester") // applications call them through the public interface, and are told no
public final class DriverSession {
  private final Object originator;
  private final Session session;
  private final ClientSessionOptions options;
  private final Transactions transactions;
  private final @Nullable SnapshotReads snapshot;
  private @Nullable Transaction transaction;

  DriverSession(
      Object originator, Session session, ClientSessionOptions options, Transactions transactions) {
    this.originator = originator;
    this.session = session;
    this.options = options;
    this.transactions = transactions;
    this.snapshot = Boolean.TRUE.equals(options.isSnapshot()) ? new SnapshotReads() : null;
    if (snapshot != null) {
      transactions.begin(session, snapshot);
    }
  }

  Session open() {
    if (session.isClosed()) {
      throw new IllegalStateException("state should be: open");
    }
    return session;
  }

  public Object getOriginator() {
    return originator;
  }

  public ClientSessionOptions getOptions() {
    return options;
  }

  public boolean isCausallyConsistent() {
    return session.isCausallyConsistent();
  }

  public ServerSession getServerSession() {
    return new OpenServerSession(open());
  }

  public @Nullable BsonTimestamp getOperationTime() {
    return session.operationTime();
  }

  public @Nullable BsonDocument getClusterTime() {
    return session.clusterTime();
  }

  public void advanceOperationTime(@Nullable BsonTimestamp time) {
    open().advanceOperationTime(time);
  }

  public void advanceClusterTime(@Nullable BsonDocument time) {
    open().advanceClusterTime(time);
  }

  public @Nullable BsonTimestamp getSnapshotTimestamp() {
    return snapshot == null ? null : snapshot.time();
  }

  public void setSnapshotTimestamp(@Nullable BsonTimestamp time) {
    if (time == null) {
      return;
    }
    if (snapshot == null) {
      throw new MongoClientException("only a snapshot session has a snapshot's time");
    }
    snapshot.at(time);
  }

  public @Nullable ServerAddress getPinnedServerAddress() {
    return transaction == null ? null : transaction.router();
  }

  public @Nullable Object getTransactionContext() {
    return null;
  }

  public void setTransactionContext(ServerAddress address, Object context) {
    throw new UnsupportedOperationException("transactions find their server by themselves");
  }

  public void clearTransactionContext() {
    // there is never one
  }

  public @Nullable BsonDocument getRecoveryToken() {
    return null;
  }

  public void setRecoveryToken(BsonDocument token) {
    throw new UnsupportedOperationException("transactions read their recovery token by themselves");
  }

  public @Nullable Object getTimeoutContext() {
    return null;
  }

  public @Nullable Object getTransactionSpan() {
    return null;
  }

  public @Nullable Object getOverloadRetryPolicyState() {
    return null;
  }

  public boolean hasActiveTransaction() {
    return transaction != null && transaction.isActive();
  }

  public boolean notifyMessageSent() {
    return false;
  }

  public void notifyOperationInitiated(Object operation) {
    // concerns transactions only
  }

  public TransactionOptions getTransactionOptions() {
    Transaction present = transaction;
    if (present == null || !present.isActive()) {
      throw new IllegalStateException("state should be: in transaction");
    }
    return present.options();
  }

  public void startTransaction() {
    startTransaction(TransactionOptions.builder().build());
  }

  public void startTransaction(TransactionOptions transactionOptions) {
    Session mine = open();
    if (snapshot != null) {
      throw new IllegalArgumentException("Transactions are not supported in snapshot sessions");
    }
    if (hasActiveTransaction()) {
      throw new IllegalStateException("Transaction already in progress");
    }
    TransactionOptions merged =
        TransactionOptions.merge(transactionOptions, options.getDefaultTransactionOptions());
    WriteConcern concern = merged.getWriteConcern();
    if (concern != null && !concern.isAcknowledged()) {
      throw new MongoClientException("Transactions do not support unacknowledged write concern");
    }
    Transaction begun = new Transaction(mine, merged);
    transaction = begun;
    transactions.begin(mine, begun);
  }

  public void commitTransaction() {
    open();
    Transaction present = present();
    if (present.state() == Transaction.State.ABORTED) {
      throw new IllegalStateException(
          "Cannot call commitTransaction after calling abortTransaction");
    }
    boolean again = present.state() == Transaction.State.COMMITTED;
    present.end(Transaction.State.COMMITTED);
    if (present.wasSent()) {
      new TransactionEnd(transactions, present).commit(again);
    }
  }

  public void abortTransaction() {
    open();
    Transaction present = present();
    switch (present.state()) {
      case ABORTED -> throw new IllegalStateException("Cannot call abortTransaction twice");
      case COMMITTED ->
          throw new IllegalStateException(
              "Cannot call abortTransaction after calling commitTransaction");
      case STARTING, IN_PROGRESS, OVER -> {}
    }
    abort(present);
  }

  private void abort(Transaction present) {
    present.end(Transaction.State.ABORTED);
    if (present.wasSent()) {
      new TransactionEnd(transactions, present).abort();
    }
  }

  private Transaction present() {
    Transaction present = transaction;
    if (present == null || present.state() == Transaction.State.OVER) {
      throw new IllegalStateException("There is no transaction started");
    }
    return present;
  }

  public <T> T withTransaction(TransactionBody<T> body) {
    return withTransaction(body, TransactionOptions.builder().build());
  }

  public <T> T withTransaction(TransactionBody<T> body, TransactionOptions transactionOptions) {
    return new TransactionLoop(this, transactionOptions).run(body);
  }

  public void close() {
    Transaction present = transaction;
    try {
      if (present != null && !session.isClosed() && present.isActive()) {
        abort(present);
      }
    } finally {
      transactions.forget(session);
      session.close();
    }
  }

  @Override
  public String toString() {
    return "ClientSession{causallyConsistent="
        + isCausallyConsistent()
        + ", closed="
        + session.isClosed()
        + "}";
  }
}
