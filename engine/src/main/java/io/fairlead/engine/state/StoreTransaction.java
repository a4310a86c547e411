// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.NO_SUCH_TRANSACTION;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Transaction;
import io.fairlead.engine.collection.CollectionEditor;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.collection.WriteGuard;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A multi-document transaction: it reads and writes on the root on which it began, and claims every
 * record and unique key that it writes, so that whoever comes second meets a write conflict at
 * once. At its commit what it wrote, record by record, is written to the newest state; it cannot
 * have been written by others meanwhile.
 *
 * <p>A claim is made with the turn on the collection, so that no write that has begun already can
 * slip past it.
 */
final class StoreTransaction implements Transaction {
  private static final long CLAIM_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final StoreEngine engine;
  private final WriteContext context;
  private final Root base;
  private final long resets;
  private final WriteSession session;
  private final Set<Claims.Claim> claims = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean open = new AtomicBoolean(true);

  StoreTransaction(StoreEngine engine, WriteContext context, Root base, long resets) {
    this.engine = engine;
    this.context = context;
    this.base = base;
    this.resets = resets;
    this.session = new WriteSession(engine, context, new ClaimingAccess());
  }

  @Override
  public WriteTransaction writes() {
    checkOpen();
    return session;
  }

  @Override
  public WriteTransaction writes(WriteContext statement) {
    checkOpen();
    session.continueAs(statement);
    return session;
  }

  @Override
  public boolean isOpen() {
    return open.get();
  }

  private void checkOpen() {
    if (!open.get()) {
      throw ended();
    }
  }

  private static EngineException ended() {
    return new EngineException(
        NO_SUCH_TRANSACTION, "the transaction has ended", Set.of("TransientTransactionError"));
  }

  @Override
  public void commit() {
    // An abort that comes from elsewhere meanwhile is too late: what is claimed stays claimed.
    if (!open.compareAndSet(true, false)) {
      throw ended();
    }
    LockedAccess turns =
        new LockedAccess(
            engine, OperationContext.Interrupt.NEVER, engine.options().nanoTime().getAsLong());
    try {
      Map<Namespace, Optional<CollectionState>> edited = session.edited();
      Map<Namespace, Optional<CollectionState>> merged = new HashMap<>();
      // In the order of names, so that commits do not wait for each other in a circle.
      new TreeMap<>(edited)
          .forEach(
              (namespace, state) -> {
                turns.enter(namespace);
                merged.put(namespace, Optional.of(merge(namespace, state.orElseThrow())));
              });
      engine.commit(context, session.changes(), merged, resets);
    } finally {
      turns.release();
      releaseClaims();
    }
  }

  private CollectionState merge(Namespace namespace, CollectionState mine) {
    CollectionState began = base.collection(namespace);
    CollectionState newest = engine.root().collection(namespace);
    if (began == null) {
      if (newest != null) {
        throw StoreEngine.writeConflict(namespace + " was created meanwhile");
      }
      return mine;
    }
    if (newest == null || !newest.uuid().equals(began.uuid())) {
      throw StoreEngine.writeConflict(namespace + " was dropped meanwhile");
    }
    CollectionEditor editor = new CollectionEditor(newest, WriteGuard.FREE);
    List<byte[]> written = session.written(namespace);
    // All out before any comes in: unique keys may have moved from one document to another.
    for (byte[] record : written) {
      byte[] before = newest.records().get(record);
      if (before != null) {
        editor.delete(record, before);
      }
    }
    for (byte[] record : written) {
      byte[] after = mine.records().get(record);
      if (after != null) {
        editor.insert(record, after);
      }
    }
    return editor.state();
  }

  @Override
  public void abort() {
    if (open.compareAndSet(true, false)) {
      releaseClaims();
    }
  }

  private void releaseClaims() {
    for (Claims.Claim claim : claims) {
      engine.claims().release(claim, this);
    }
    claims.clear();
  }

  /** The root on which the transaction began. */
  private final class ClaimingAccess implements Access {
    @Override
    public void enter(Namespace namespace) {
      checkOpen();
      if (engine.isOwned(namespace)) {
        throw new EngineException(
            io.fairlead.engine.error.ErrorCodes.ILLEGAL_OPERATION,
            "a transaction cannot write to " + namespace);
      }
    }

    @Override
    public Root root() {
      return base;
    }

    @Override
    public WriteGuard guard(Namespace namespace) {
      return new Claiming(namespace);
    }

    @Override
    public boolean tracksRecords() {
      return true;
    }
  }

  /** Claims what is written to one collection. */
  private final class Claiming implements WriteGuard {
    private final Namespace namespace;

    Claiming(Namespace namespace) {
      this.namespace = namespace;
    }

    @Override
    public void record(UUID collection, byte[] record) {
      claim(
          new Claims.Claim(collection, "", record),
          () -> {
            CollectionState newest = engine.root().collection(namespace);
            CollectionState began = base.collection(namespace);
            byte[] now = newest == null ? null : newest.records().get(record);
            byte[] then = began == null ? null : began.records().get(record);
            return isSame(now, then);
          });
    }

    @Override
    public void uniqueKey(UUID collection, String index, byte[] key) {
      claim(
          new Claims.Claim(collection, index, key),
          () -> {
            CollectionState newest = engine.root().collection(namespace);
            CollectionState began = base.collection(namespace);
            return Arrays.equals(entry(newest, index, key), entry(began, index, key));
          });
    }

    private static byte @Nullable [] entry(
        @Nullable CollectionState state, String name, byte[] key) {
      IndexState index = state == null ? null : state.index(name);
      return index == null ? null : CollectionState.entryOf(index.entries(), key);
    }

    @SuppressWarnings(
        "ReferenceEquality") // a document that nobody has written since is the same array
    private static boolean isSame(byte @Nullable [] now, byte @Nullable [] then) {
      return now == then;
    }

    private void claim(Claims.Claim claim, java.util.function.BooleanSupplier unchanged) {
      if (claims.contains(claim)) {
        return;
      }
      checkOpen();
      ReentrantLock turn;
      try {
        turn = engine.turns().take(namespace, CLAIM_WAIT_NANOS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new EngineException(11601, "operation was interrupted");
      }
      if (turn == null) {
        throw StoreEngine.writeConflict("no turn on " + namespace);
      }
      try {
        if (!engine.claims().take(claim, StoreTransaction.this)) {
          throw StoreEngine.writeConflict("another transaction has written it");
        }
        claims.add(claim);
        if (!unchanged.getAsBoolean()) {
          throw StoreEngine.writeConflict("it was written after this transaction began");
        }
      } finally {
        turn.unlock();
      }
      if (!open.get()) {
        // Aborted from elsewhere in between: what was claimed after that is let go here.
        engine.claims().release(claim, StoreTransaction.this);
        checkOpen();
      }
    }
  }
}
