// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.session;

import com.mongodb.MongoClientException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.TransactionOptions;
import com.mongodb.client.TransactionBody;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Runs a body in a transaction until it is committed: the whole again on a transient error, the
 * commit again where nobody knows what became of it, for two minutes at most.
 */
final class TransactionLoop {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int MAX_TIME_EXPIRED = 50;
  private static final double FIRST_PAUSE_MILLIS = 5;
  private static final double LONGEST_PAUSE_MILLIS = 500;

  private final DriverSession session;
  private final TransactionOptions options;
  private final long startNanos = System.nanoTime();
  private int attempts;

  TransactionLoop(DriverSession session, TransactionOptions options) {
    this.session = session;
    this.options = options;
  }

  <T> T run(TransactionBody<T> body) {
    while (true) {
      session.startTransaction(options);
      T result;
      try {
        result = body.execute();
      } catch (Throwable failure) {
        if (session.hasActiveTransaction()) {
          session.abortTransaction();
        }
        if (mayRepeat(failure)) {
          pause();
          continue;
        }
        throw failure;
      }
      if (!session.hasActiveTransaction() || committed()) {
        return result;
      }
      pause();
    }
  }

  /** Commits, as often as it takes; false when the whole has to be run again. */
  private boolean committed() {
    while (true) {
      try {
        session.commitTransaction();
        return true;
      } catch (MongoException failure) {
        if (isTimeUp(failure) || isOver()) {
          throw failure;
        }
        if (failure.hasErrorLabel(TransactionEnd.UNKNOWN)) {
          continue;
        }
        if (failure.hasErrorLabel(Transaction.TRANSIENT)) {
          return false;
        }
        throw failure;
      }
    }
  }

  /** Whether {@code maxTimeMS} was over, before the commit or while it waited for its concern. */
  private static boolean isTimeUp(MongoException failure) {
    return failure instanceof MongoExecutionTimeoutException
        || (failure instanceof MongoWriteConcernException concern
            && concern.getWriteConcernError().getCode() == MAX_TIME_EXPIRED);
  }

  private boolean mayRepeat(Throwable failure) {
    return failure instanceof MongoException mongo
        && mongo.hasErrorLabel(Transaction.TRANSIENT)
        && !isOver();
  }

  private boolean isOver() {
    return System.nanoTime() - startNanos >= PATIENCE.toNanos();
  }

  /** Somewhere below a bound that grows, so that rivals do not meet again. */
  private void pause() {
    double bound = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS * Math.pow(1.5, attempts++));
    try {
      TimeUnit.MICROSECONDS.sleep((long) (1000 * bound * ThreadLocalRandom.current().nextDouble()));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new MongoClientException(
          "interrupted between two attempts of a transaction", interrupted);
    }
  }
}
