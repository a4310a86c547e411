// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoOperationTimeoutException;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.execution.AttemptEnd.Failed;
import io.fairlead.cluster.execution.AttemptEnd.Succeeded;
import io.fairlead.cluster.pool.CheckOutException;
import io.fairlead.cluster.pool.ConnectionPool;
import io.fairlead.cluster.pool.PooledConnection;
import io.fairlead.topology.health.Outcome;
import io.fairlead.topology.retry.Failure;
import io.fairlead.topology.retry.RetryDecision;
import io.fairlead.topology.retry.RetryPolicy;
import io.fairlead.topology.retry.RetryState;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One operation on its way: its attempts, and what they have in common. Used once, by one thread.
 *
 * <p>Retryable reads, retryable writes, overload backoff and the operation's own timeout are one
 * loop. The connection of a failed attempt is back in its pool before another is selected, so that
 * a pool of one cannot block its own retry.
 */
final class OperationRun {
  private static final Logger LOG = LoggerFactory.getLogger(OperationRun.class);

  private final OperationRunner runner;
  private final Operation operation;
  private final long id;
  private final Deadline deadline;
  private final ServerSearch search;
  private final OperationSession session;
  private final Exchange exchange;

  private RetryState state = RetryState.FRESH;
  private boolean mustGoElsewhere;
  private @Nullable Failed remembered;

  OperationRun(OperationRunner runner, Operation operation, long id) {
    this.runner = runner;
    this.operation = operation;
    this.id = id;
    Duration own = operation.timeout();
    this.deadline = Deadline.in(own == null ? runner.settings.timeout() : own, runner.nanoTime);
    this.search = new ServerSearch(runner, operation, deadline);
    this.session = new OperationSession(runner, operation);
    this.exchange = new Exchange(runner, operation, id, deadline, session);
  }

  CommandResult toEnd() {
    try (session) {
      while (true) {
        ChosenServer chosen = choose();
        if (chosen == null) {
          return raise(remembered());
        }
        switch (attempt(chosen)) {
          case Succeeded succeeded -> {
            return succeeded.result();
          }
          case Failed failed -> {
            if (!isTriedAgain(failed)) {
              return raise(failed.judgement().failure() == null ? failed : remembered());
            }
          }
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new MongoInterruptedException("interrupted during " + operation, stopped);
    }
  }

  /**
   * @return null when no other attempt can be made: the failure before tells the caller more than
   *     that
   */
  private @Nullable ChosenServer choose() throws InterruptedException {
    try {
      return search.choose(state, mustGoElsewhere);
    } catch (MongoException nobody) {
      if (remembered != null && !(nobody instanceof MongoOperationTimeoutException)) {
        return null;
      }
      throw nobody;
    }
  }

  private AttemptEnd attempt(ChosenServer chosen) throws InterruptedException {
    chosen.server().begun(state.retries() > 0);
    Outcome outcome = Outcome.ABANDONED;
    boolean well = false;
    try {
      AttemptEnd end = attemptOn(chosen.server().pool(), chosen);
      well = end instanceof Succeeded;
      outcome = end.outcome();
      return end;
    } finally {
      chosen.server().ended(well);
      runner.health.end(chosen.ticket(), outcome);
    }
  }

  private AttemptEnd attemptOn(ConnectionPool pool, ChosenServer chosen)
      throws InterruptedException {
    PooledConnection connection;
    try {
      connection = pool.checkOut(id, chosen.checkOutUntilNanos());
    } catch (CheckOutException none) {
      return exchange.failed(chosen, new Trouble.NoConnection(none), 0, operation.retry());
    }
    try {
      return exchange.on(chosen, connection);
    } finally {
      pool.checkIn(connection, id);
    }
  }

  /** Decides whether another attempt follows, and waits for its time. */
  private boolean isTriedAgain(Failed failed) throws InterruptedException {
    Failure failure = failed.judgement().failure();
    if (failure == null) {
      return false;
    }
    // what says that no write was made tells less than an earlier failure that does not
    if (remembered == null || !failure.has(Failure.NO_WRITES_PERFORMED)) {
      remembered = failed;
    }
    return switch (decide(failed, failure)) {
      case RetryDecision.Retry retry -> {
        if (retry.backoff().toNanos() >= deadline.leftNanos()) {
          yield false;
        }
        LOG.debug(
            "{} (operation {}): attempt {} follows, because {}",
            operation,
            id,
            retry.next().retries() + 1,
            retry.because());
        state = retry.next();
        mustGoElsewhere = retry.mustGoElsewhere();
        pause(retry.backoff());
        yield true;
      }
      case RetryDecision.GiveUp end -> {
        LOG.debug("{} (operation {}): not tried again: {}", operation, id, end.because());
        yield false;
      }
    };
  }

  private RetryDecision decide(Failed failed, Failure failure) {
    return runner
        .routing()
        .retries()
        .decide(
            state,
            new RetryPolicy.Attempt(
                failed.server().address(),
                failure,
                failed.retryability(),
                failed.topology(),
                failed.wireVersion(),
                deadline.isLimited()),
            search::isFreshServerLeft,
            runner.random);
  }

  private static void pause(Duration backoff) throws InterruptedException {
    if (backoff.isPositive()) {
      TimeUnit.NANOSECONDS.sleep(backoff.toNanos());
    }
  }

  private Failed remembered() {
    Failed failed = remembered;
    if (failed == null) {
      throw new IllegalStateException("no attempt has failed yet");
    }
    return failed;
  }

  /**
   * Ends with a failure: its exception, or the reply where a write went well but for its concern.
   */
  private static CommandResult raise(Failed raised) {
    RawBsonDocument reply = raised.judgement().reply();
    if (reply != null) {
      return new CommandResult(reply, raised.server().address(), raised.server());
    }
    throw raised.judgement().exception();
  }
}
