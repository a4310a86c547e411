// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.session;

import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.WriteConcern;
import io.fairlead.driver.command.Replies;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;

/** Sends the commit or the abort of a transaction, and once more where that may help. */
final class TransactionEnd {
  static final String UNKNOWN = "UnknownTransactionCommitResult";
  private static final String RETRYABLE = "RetryableWriteError";
  private static final int MAJORITY_WAIT_MILLIS = 10_000;
  private static final int UNSATISFIABLE = 100;
  private static final int UNKNOWN_CONCERN = 79;

  private final Transactions transactions;
  private final Transaction transaction;

  TransactionEnd(Transactions transactions, Transaction transaction) {
    this.transactions = transactions;
    this.transaction = transaction;
  }

  /**
   * Commits.
   *
   * @param again whether it was sent before: then only a majority's word will do
   * @throws MongoException labelled with {@code UnknownTransactionCommitResult} where nobody knows
   *     whether it was committed
   */
  void commit(boolean again) {
    WriteConcern concern = concern();
    try {
      try {
        send("commitTransaction", again ? majority(concern) : concern);
      } catch (MongoException failure) {
        if (!isRetryable(failure)) {
          throw failure;
        }
        transaction.unpin();
        send("commitTransaction", majority(concern));
      }
    } catch (MongoException failure) {
      if (isUnknown(failure)) {
        failure.addLabel(UNKNOWN);
        transaction.unpin();
      }
      throw failure;
    }
  }

  /** Aborts; that the server does not answer is nobody's concern, since it forgets by itself. */
  void abort() {
    WriteConcern concern = concern();
    try {
      send("abortTransaction", concern);
    } catch (MongoException failure) {
      if (isRetryable(failure)) {
        try {
          transaction.unpin();
          send("abortTransaction", concern);
        } catch (MongoException again) {
          failure.addSuppressed(again);
        }
      }
    } finally {
      transaction.unpin();
    }
  }

  private @Nullable WriteConcern concern() {
    return transaction.options().getWriteConcern();
  }

  private static WriteConcern majority(@Nullable WriteConcern concern) {
    WriteConcern given = concern == null ? WriteConcern.ACKNOWLEDGED : concern;
    WriteConcern majority = given.withW("majority");
    return given.getWTimeout(TimeUnit.MILLISECONDS) == null
        ? majority.withWTimeout(MAJORITY_WAIT_MILLIS, TimeUnit.MILLISECONDS)
        : majority;
  }

  private void send(String name, @Nullable WriteConcern concern) {
    BsonDocument command = transaction.ending(name);
    if (concern != null && !concern.isServerDefault()) {
      command.append("writeConcern", concern.asDocument());
    }
    Long limit = transaction.options().getMaxCommitTime(TimeUnit.MILLISECONDS);
    if (limit != null && limit > 0 && name.equals("commitTransaction")) {
      command.append("maxTimeMS", new BsonInt64(limit));
    }
    try {
      Replies.requireWriteConcern(
          transactions.executeOutside(transaction.operation(command).build()));
    } catch (MongoSocketException failure) {
      failure.addLabel(RETRYABLE);
      throw failure;
    }
  }

  private static boolean isRetryable(MongoException failure) {
    return failure.hasErrorLabel(RETRYABLE) || failure instanceof MongoSocketException;
  }

  private static boolean isUnknown(MongoException failure) {
    return isRetryable(failure)
        || failure instanceof MongoTimeoutException
        || failure instanceof MongoExecutionTimeoutException
        || (failure instanceof MongoWriteConcernException concern
            && concern.getWriteConcernError().getCode() != UNSATISFIABLE
            && concern.getWriteConcernError().getCode() != UNKNOWN_CONCERN);
  }
}
