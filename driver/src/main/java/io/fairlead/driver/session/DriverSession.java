// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.session;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoClientException;
import com.mongodb.ServerAddress;
import com.mongodb.TransactionOptions;
import com.mongodb.client.TransactionBody;
import com.mongodb.session.ServerSession;
import io.fairlead.cluster.session.Session;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind a session of the public interface: a method for each of its own. Transactions
 * are refused by name; the interface's doors into the official driver's inside say that there is
 * nothing behind them.
 *
 * <p>Public only because a proxy calls it.
 */
@SuppressWarnings(
    "DoNotCallSuggester") // applications call them through the public interface, and are told no
public final class DriverSession {
  private final Object originator;
  private final Session session;
  private final ClientSessionOptions options;

  DriverSession(Object originator, Session session, ClientSessionOptions options) {
    this.originator = originator;
    this.session = session;
    this.options = options;
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
    return null;
  }

  public void setSnapshotTimestamp(@Nullable BsonTimestamp time) {
    if (time != null) {
      throw new MongoClientException("Snapshot sessions are not supported by Fairlead yet");
    }
  }

  public @Nullable ServerAddress getPinnedServerAddress() {
    return null;
  }

  public @Nullable Object getTransactionContext() {
    return null;
  }

  public void setTransactionContext(ServerAddress address, Object context) {
    throw noTransactions();
  }

  public void clearTransactionContext() {
    // there is never one
  }

  public @Nullable BsonDocument getRecoveryToken() {
    return null;
  }

  public void setRecoveryToken(BsonDocument token) {
    throw noTransactions();
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
    return false;
  }

  public boolean notifyMessageSent() {
    return false;
  }

  public void notifyOperationInitiated(Object operation) {
    // concerns transactions only
  }

  public TransactionOptions getTransactionOptions() {
    throw new IllegalStateException("state should be: in transaction");
  }

  public void startTransaction() {
    throw noTransactions();
  }

  public void startTransaction(TransactionOptions transactionOptions) {
    throw noTransactions();
  }

  public void commitTransaction() {
    throw new IllegalStateException("There is no transaction started");
  }

  public void abortTransaction() {
    throw new IllegalStateException("There is no transaction started");
  }

  public <T> T withTransaction(TransactionBody<T> body) {
    throw noTransactions();
  }

  public <T> T withTransaction(TransactionBody<T> body, TransactionOptions transactionOptions) {
    throw noTransactions();
  }

  public void close() {
    session.close();
  }

  private static MongoClientException noTransactions() {
    return new MongoClientException(
        "Multi-document transactions are not supported by Fairlead's driver yet");
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
