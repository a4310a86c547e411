// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.transaction;

import io.fairlead.engine.error.EngineException;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.Trait;
import io.fairlead.server.replication.OpenTransaction;
import io.fairlead.server.replication.ReadConcern;
import io.fairlead.server.replication.ReadConcern.Level;
import io.fairlead.server.replication.ReplicationCoordinator;
import io.fairlead.server.replication.WriteOrigin;
import io.fairlead.server.replication.protocol.OpTime;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The latest transaction of one session. Commands of the session take turns, and what is known of
 * the transaction changes only in a turn. {@link #end()} and {@link #expire} may come from any
 * thread: while a command has the turn, they end the engine's transaction under it, and the command
 * finds that.
 */
final class SessionTransaction {
  private enum Status {
    NONE,
    IN_PROGRESS,
    COMMITTED,
    ABORTED
  }

  /**
   * What is known of it, as one value.
   *
   * @param open while in progress
   * @param committed where the commit is in the log
   */
  private record State(
      Status status,
      long number,
      @Nullable OpenTransaction open,
      OpTime committed,
      long startedNanos) {}

  private final ReplicationCoordinator coordinator;
  private final LongSupplier nanoTime;
  private final Semaphore turn = new Semaphore(1, true);
  private volatile State state = new State(Status.NONE, -1, null, OpTime.NONE, 0);
  private volatile boolean ended;

  SessionTransaction(ReplicationCoordinator coordinator, LongSupplier nanoTime) {
    this.coordinator = coordinator;
    this.nanoTime = nanoTime;
  }

  BsonDocument run(CommandContext context) throws InterruptedException {
    takeTurn(context);
    try {
      return runInTurn(context);
    } finally {
      turn.release();
    }
  }

  private void takeTurn(CommandContext context) throws InterruptedException {
    if (!turn.tryAcquire(context.operation().remaining().toNanos(), TimeUnit.NANOSECONDS)) {
      context.operation().check();
      throw Failures.of(24, "another command of the session has not ended yet");
    }
  }

  private BsonDocument runInTurn(CommandContext context) throws InterruptedException {
    boolean statement = !context.spec().has(Trait.ENDS_TRANSACTION);
    if (Objects.requireNonNull(context.generic().transaction()).starts()) {
      begin(context);
    }
    if (!statement) {
      return context.spec().body().run(context);
    }
    context.enter(requireInProgress(number(context)));
    boolean succeeded = false;
    try {
      BsonDocument reply = context.spec().body().run(context);
      succeeded = !context.hasFailedTransaction();
      return reply;
    } finally {
      if (!succeeded) {
        abort();
      }
    }
  }

  private static long number(CommandContext context) {
    return Objects.requireNonNull(context.generic().txnNumber());
  }

  private static WriteOrigin.RetryableWrite named(CommandContext context) {
    return new WriteOrigin.RetryableWrite(
        Objects.requireNonNull(context.generic().lsid()), number(context));
  }

  private void begin(CommandContext context) throws InterruptedException {
    long number = number(context);
    State before = state;
    refuseOld(number, before);
    if (number == before.number) {
      throw Failures.of(
          50911,
          "Cannot start a transaction at given transaction number "
              + number
              + ": a transaction with the same number is in state "
              + before.status);
    }
    abort();
    ReadConcern concern = ReadConcern.parse(context.generic().readConcern());
    if (concern.afterClusterTime() != null) {
      coordinator.readSnapshot(
          new ReadConcern(Level.LOCAL, concern.afterClusterTime(), null),
          context.operation().remaining());
    }
    OpenTransaction open = coordinator.begin(named(context));
    state = new State(Status.IN_PROGRESS, number, open, OpTime.NONE, nanoTime.getAsLong());
    if (ended) {
      abort();
      throw noSuch("the session has ended");
    }
  }

  private static void refuseOld(long number, State known) {
    if (number < known.number) {
      throw Failures.of(
          225,
          "Cannot use transaction number "
              + number
              + " on this session because a newer transaction with txnNumber "
              + known.number
              + " has already started on this session.");
    }
  }

  private OpenTransaction requireInProgress(long number) {
    State known = state;
    refuseOld(number, known);
    if (number > known.number || known.status == Status.NONE) {
      throw noSuch(
          "Given transaction number "
              + number
              + " does not match any in-progress transactions. The active transaction number is "
              + known.number);
    }
    OpenTransaction open = known.open;
    if (known.status == Status.COMMITTED) {
      throw Failures.of(256, "Transaction with { txnNumber: " + number + " } has been committed.");
    }
    if (open == null || !open.isOpen()) {
      throw noSuch("Transaction with { txnNumber: " + number + " } has been aborted.");
    }
    return open;
  }

  private static EngineException noSuch(String message) {
    return new EngineException(251, message, Set.of("TransientTransactionError"));
  }

  /** Commits; a second time, it only tells where the commit is in the log. */
  void commit(CommandContext context) {
    long number = number(context);
    State known = state;
    if (known.status == Status.COMMITTED && known.number == number) {
      context.wrote(known.committed);
      return;
    }
    boolean unknownHere = number > known.number || known.status == Status.NONE;
    if (unknownHere && coordinator.isCommitted(named(context))) {
      context.wrote(coordinator.lastApplied());
      return;
    }
    OpenTransaction open = requireInProgress(number);
    try {
      OpTime committed = open.commit();
      state = new State(Status.COMMITTED, number, null, committed, known.startedNanos);
      context.wrote(committed);
    } finally {
      if (state.status != Status.COMMITTED) {
        abort();
      }
    }
  }

  void abortAsAsked(CommandContext context) {
    requireInProgress(number(context));
    abort();
  }

  /** A retryable write takes the place of the transaction that was left behind. */
  void goOn(CommandContext retryableWrite) throws InterruptedException {
    long number = number(retryableWrite);
    if (!isLeftBehindBy(number)) {
      return;
    }
    takeTurn(retryableWrite);
    try {
      if (isLeftBehindBy(number)) {
        refuseOld(number, state);
        abort();
        state = new State(Status.NONE, number, null, OpTime.NONE, 0);
      }
    } finally {
      turn.release();
    }
  }

  private boolean isLeftBehindBy(long retryableWrite) {
    State known = state;
    return known.status != Status.NONE && retryableWrite != known.number;
  }

  /** In a turn. */
  private void abort() {
    State known = state;
    OpenTransaction open = known.open;
    if (open != null) {
      open.abort();
      state = new State(Status.ABORTED, known.number, null, OpTime.NONE, known.startedNanos);
    }
  }

  /** Its session has ended: nothing is in progress from now on. */
  void end() {
    ended = true;
    abortFromOutside();
  }

  void expire(Duration lifetimeMax) {
    State known = state;
    if (known.open != null && nanoTime.getAsLong() - known.startedNanos > lifetimeMax.toNanos()) {
      abortFromOutside();
    }
  }

  private void abortFromOutside() {
    if (turn.tryAcquire()) {
      try {
        abort();
      } finally {
        turn.release();
      }
      return;
    }
    OpenTransaction open = state.open;
    if (open != null) {
      open.abort();
    }
  }

  boolean isInProgress() {
    OpenTransaction open = state.open;
    return open != null && open.isOpen();
  }
}
