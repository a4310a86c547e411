// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Engine;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.server.oplog.Oplog;
import io.fairlead.server.oplog.OplogEntry;
import io.fairlead.server.replication.protocol.OpTime;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/** Which state of the data a read sees, by its concern; waits until there is one. Any thread. */
final class ReadStates {
  private final Engine engine;
  private final Oplog oplog;
  private final CommittedViews views;
  private final Signal signal;
  private final MemberEffects effects;
  private final ReplicationCoordinator member;

  ReadStates(
      Engine engine,
      Oplog oplog,
      CommittedViews views,
      Signal signal,
      MemberEffects effects,
      ReplicationCoordinator member) {
    this.engine = engine;
    this.oplog = oplog;
    this.views = views;
    this.signal = signal;
    this.effects = effects;
    this.member = member;
  }

  /** As {@link ReplicationCoordinator#readSnapshot}. */
  Snapshot snapshot(ReadConcern readConcern, Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    boolean committedOnly =
        switch (readConcern.level()) {
          case LOCAL, AVAILABLE, LINEARIZABLE -> false;
          case MAJORITY, SNAPSHOT -> true;
        };
    BsonTimestamp after =
        readConcern.atClusterTime() == null
            ? readConcern.afterClusterTime()
            : readConcern.atClusterTime();
    if (after != null) {
      awaitReached(after, committedOnly, deadline);
    }
    return switch (readConcern.level()) {
      case LOCAL, AVAILABLE -> engine.snapshot();
      case MAJORITY -> committedState(deadline);
      case LINEARIZABLE -> linearizable(deadline);
      case SNAPSHOT -> {
        BsonTimestamp at = readConcern.atClusterTime();
        yield at == null ? committedState(deadline) : stateAt(at);
      }
    };
  }

  /** As {@link ReplicationCoordinator#readView}. */
  ReadView view(ReadConcern readConcern, Duration atMost) throws InterruptedException {
    if (readConcern.level() != ReadConcern.Level.SNAPSHOT) {
      return new ReadView(snapshot(readConcern, atMost), null);
    }
    BsonTimestamp at = readConcern.atClusterTime();
    if (at != null) {
      return new ReadView(snapshot(readConcern, atMost), at);
    }
    long deadline = System.nanoTime() + atMost.toNanos();
    if (readConcern.afterClusterTime() != null) {
      awaitReached(readConcern.afterClusterTime(), true, deadline);
    }
    CommittedViews.View view = awaitOrExpire(() -> views.committed().orElse(null), deadline);
    views.pin(view);
    return new ReadView(view.state(), view.opTime().timestamp());
  }

  private static Duration left(long deadline) {
    return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
  }

  private void awaitReached(BsonTimestamp time, boolean committed, long deadline)
      throws InterruptedException {
    if (!hasReached(time, committed)) {
      effects.advanceTo(time);
    }
    awaitOrExpire(() -> hasReached(time, committed) ? Boolean.TRUE : null, deadline);
  }

  private boolean hasReached(BsonTimestamp time, boolean committed) {
    BsonTimestamp reached =
        (committed ? views.committedOpTime() : effects.lastApplied()).timestamp();
    return Long.compareUnsigned(reached.getValue(), time.getValue()) >= 0;
  }

  private Snapshot committedState(long deadline) throws InterruptedException {
    return awaitOrExpire(
        () -> views.committed().map(CommittedViews.View::state).orElse(null), deadline);
  }

  /** Reads after a majority has confirmed that this member leads. */
  private Snapshot linearizable(long deadline) throws InterruptedException {
    if (!member.isWritablePrimary()) {
      throw new EngineException(
          ErrorCodes.NOT_WRITABLE_PRIMARY,
          "cannot satisfy linearizable read concern on non-primary node");
    }
    Snapshot state = engine.snapshot();
    OpTime confirmation = effects.note("linearizable read");
    WriteConcernResult result =
        member.awaitWriteConcern(confirmation, WriteConcern.MAJORITY, left(deadline));
    if (result instanceof WriteConcernResult.Failed failed) {
      throw new EngineException(failed.code(), "linearizable read: " + failed.message());
    }
    return state;
  }

  private Snapshot stateAt(BsonTimestamp time) {
    Optional<Snapshot> pinned = views.pinnedAt(time);
    if (pinned.isPresent()) {
      return pinned.get();
    }
    Optional<CommittedViews.View> view = views.committedAt(time.getValue());
    boolean exact =
        view.isPresent()
            && oplog.after(engine.snapshot(), view.get().opTime().timestamp(), 1).stream()
                .map(OplogEntry::new)
                .noneMatch(
                    next ->
                        Long.compareUnsigned(next.timestamp().getValue(), time.getValue()) <= 0);
    if (!exact) {
      throw new EngineException(239, "the state at " + time + " is no longer kept");
    }
    return view.get().state();
  }

  private <T> T awaitOrExpire(Supplier<@Nullable T> probe, long deadline)
      throws InterruptedException {
    T result = signal.await(() -> signal.isClosed() ? null : probe.get(), left(deadline));
    if (result == null) {
      throw signal.isClosed()
          ? shuttingDown()
          : new EngineException(ErrorCodes.MAX_TIME_MS_EXPIRED, "operation exceeded time limit");
    }
    return result;
  }

  static EngineException shuttingDown() {
    return new EngineException(ErrorCodes.SHUTDOWN_IN_PROGRESS, "the server is shutting down");
  }
}
