// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.SHUTDOWN_IN_PROGRESS;
import static io.fairlead.engine.error.ErrorCodes.WRITE_CONFLICT;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.Transaction;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.commit.Change;
import io.fairlead.engine.commit.CommitParticipant;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.durability.Content;
import io.fairlead.engine.durability.Disk;
import io.fairlead.engine.durability.Journal;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine in memory. The root is the only thing that changes, in {@link #commit} and {@link
 * #resetTo}, under the commit lock; readers read it without.
 */
public final class StoreEngine implements Engine {
  private static final Logger LOG = LoggerFactory.getLogger(StoreEngine.class);
  private static final long FIRST_BACKOFF_NANOS = 200_000;
  private static final long LONGEST_BACKOFF_NANOS = 20_000_000;

  private final EngineOptions options;
  private final ReentrantLock commitLock = new ReentrantLock();
  private final Turns turns = new Turns();
  private final Claims claims = new Claims();
  private final AtomicInteger increments = new AtomicInteger();
  private final IndexBuilds builds = new IndexBuilds();
  private final Signal newer = new Signal();

  /** Tells the random numbers of one operation from those of the next. */
  private final AtomicLong randomSeed;

  private final @Nullable Journal journal;
  private volatile Root root;

  /**
   * How often the engine went back to an earlier state: what was begun before a reset cannot be
   * committed after it.
   */
  private final AtomicLong resets = new AtomicLong();

  private volatile @Nullable CommitParticipant participant;
  private volatile boolean closed;

  private StoreEngine(EngineOptions options, @Nullable Journal journal) {
    this.options = options;
    this.journal = journal;
    this.randomSeed = new AtomicLong(options.random().nextLong());
    Content found = journal == null ? Content.EMPTY : journal.recovered();
    this.root = new Root(found.version(), found.collections());
    root.collectionsOf(null).forEach(state -> state.beginCounting(options.clock().instant()));
  }

  public static Engine open(EngineOptions options) {
    return new StoreEngine(options, null);
  }

  /** An engine whose content is kept in a directory of that disk. */
  public static Engine open(EngineOptions options, Path dataDirectory, Disk disk) {
    Journal journal = Journal.open(dataDirectory, disk);
    StoreEngine engine = new StoreEngine(options, journal);
    journal.start(engine::content);
    return engine;
  }

  private Content content() {
    Root now = root;
    return new Content(now.version(), now.collections());
  }

  @Override
  public EngineOptions options() {
    return options;
  }

  @Override
  public OperationContext operation() {
    return OperationContext.at(
        options.clock().instant(), new SplittableRandom(randomSeed.incrementAndGet()));
  }

  @Override
  public Snapshot snapshot() {
    return new StoreSnapshot(root);
  }

  @Override
  public <T> T write(WriteContext context, Function<WriteTransaction, T> body) {
    long start = options.nanoTime().getAsLong();
    long backoff = FIRST_BACKOFF_NANOS;
    while (true) {
      checkOpen();
      LockedAccess access = new LockedAccess(this, interruptOf(context), start);
      try {
        WriteSession session = new WriteSession(this, context, access);
        T result = body.apply(session);
        commit(context, session.changes(), session.edited(), access.resets());
        return result;
      } catch (EngineException e) {
        if (e.code() != WRITE_CONFLICT || remainingNanos(start) <= 0) {
          throw e;
        }
        // Another has what this write needs: it goes back, lets go of everything, and comes again.
        interruptOf(context).check();
      } finally {
        access.release();
      }
      LockSupport.parkNanos(jittered(backoff));
      backoff = Math.min(backoff * 2, LONGEST_BACKOFF_NANOS);
    }
  }

  /** Between half of a pause and all of it, so that two who met do not meet again. */
  private long jittered(long nanos) {
    return nanos / 2 + options.random().nextLong(nanos / 2 + 1);
  }

  private static OperationContext.Interrupt interruptOf(WriteContext context) {
    OperationContext operation = context.operation();
    return operation == null ? OperationContext.Interrupt.NEVER : operation.interrupt();
  }

  long remainingNanos(long start) {
    return options.lockWaitMax().toNanos() - (options.nanoTime().getAsLong() - start);
  }

  @Override
  public Transaction begin(WriteContext context) {
    checkOpen();
    return new StoreTransaction(this, context, root, resets.get());
  }

  /**
   * The one place where the root is replaced by a commit.
   *
   * @param edited the collections as they are to be, absent ones dropped; the caller has the turn
   *     on each
   * @param resetsSeen {@link #resets} when the caller first looked
   */
  void commit(
      WriteContext context,
      List<Change> changes,
      Map<Namespace, Optional<CollectionState>> edited,
      long resetsSeen) {
    if (edited.isEmpty()) {
      return;
    }
    commitLock.lock();
    try {
      requireWritable();
      if (resets.get() != resetsSeen) {
        throw writeConflict("the database went back to an earlier state");
      }
      CommitParticipant present = context.participates() && !changes.isEmpty() ? participant : null;
      Root next = root.with(edited, root.version() + 1);
      if (present != null) {
        WriteSession own = new WriteSession(this, context, new OwnedAccess(present, next));
        present.beforeCommit(context, changes, own);
        next = next.with(own.edited(), next.version());
      }
      root = next;
      if (present != null) {
        present.afterCommit(context, changes, new StoreSnapshot(next));
      }
    } finally {
      commitLock.unlock();
    }
    newer.raise();
  }

  @Override
  public long awaitNewer(long version, Duration timeout) throws InterruptedException {
    return newer.await(() -> root.version(), version, timeout);
  }

  @Override
  public void setCommitParticipant(CommitParticipant newParticipant) {
    this.participant = newParticipant;
  }

  @Override
  public WriteTransaction aside() {
    return new WriteSession(this, WriteContext.unreplicated(), new AsideAccess());
  }

  @Override
  public void resetTo(Snapshot snapshot, Predicate<Namespace> kept) {
    if (!(snapshot instanceof StoreSnapshot earlier)) {
      throw new IllegalArgumentException("a snapshot of another engine");
    }
    commitLock.lock();
    try {
      requireWritable();
      resets.incrementAndGet();
      root = earlier.root().keeping(kept, root);
    } finally {
      commitLock.unlock();
    }
    newer.raise();
  }

  @Override
  public boolean isDurable() {
    return journal != null;
  }

  @Override
  public boolean diskWorks() {
    return journal == null || journal.works();
  }

  @Override
  public void awaitDurable() throws InterruptedException {
    if (journal != null) {
      journal.await(root.version());
    }
  }

  @Override
  public boolean awaitDurable(Duration atMost) throws InterruptedException {
    return journal == null || journal.await(root.version(), atMost);
  }

  @Override
  public void whenDurable(Runnable action) {
    if (journal == null) {
      action.run();
    } else {
      journal.whenDurable(action);
    }
  }

  @Override
  public void close() {
    closed = true;
    newer.raise();
    if (journal != null) {
      awaitCommitUnderWay();
      journal.close();
    }
  }

  /** A commit that has begun comes before the journal's end; later ones are refused. */
  private void awaitCommitUnderWay() {
    commitLock.lock();
    try {
      LOG.debug("the engine closes at version {}", root.version());
    } finally {
      commitLock.unlock();
    }
  }

  Root root() {
    return root;
  }

  long resets() {
    return resets.get();
  }

  Turns turns() {
    return turns;
  }

  IndexBuilds builds() {
    return builds;
  }

  @Override
  public <T> T withPreparedIndexes(Namespace namespace, List<IndexSpec> specs, Supplier<T> create) {
    Runnable done = builds.prepare(namespace, specs, () -> root);
    try {
      return create.get();
    } finally {
      done.run();
    }
  }

  Claims claims() {
    return claims;
  }

  /** A small positive number, another one each time: it tells timestamps of one second apart. */
  int nextIncrement() {
    return increments.updateAndGet(last -> last == Integer.MAX_VALUE ? 1 : last + 1);
  }

  ReentrantLock commitLock() {
    return commitLock;
  }

  boolean hasParticipant() {
    return participant != null;
  }

  boolean isOwned(Namespace namespace) {
    CommitParticipant present = participant;
    return present != null && present.owns(namespace);
  }

  private void requireWritable() {
    checkOpen();
    if (journal != null) {
      journal.requireWorking();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new EngineException(SHUTDOWN_IN_PROGRESS, "the engine is closed");
    }
  }

  static EngineException writeConflict(String why) {
    return new EngineException(
        WRITE_CONFLICT,
        "Caused by :: Write conflict during plan execution and yielding is disabled. :: " + why,
        Set.of("TransientTransactionError"));
  }
}
