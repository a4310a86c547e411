// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Engine;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.oplog.EntryApplier;
import io.fairlead.server.oplog.Oplog;
import io.fairlead.server.oplog.OplogEntry;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.retryable.RetryableWrites;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * A member's data while it follows another: entries of the log are applied to it, it goes back to
 * an earlier state, or a copy takes its place. Each is one commit, made only while it is still
 * wanted, and never while a primary opens its log.
 */
final class FollowerData {
  /** Hears what the data has become. */
  interface Listener {
    /** Keeps the log within its size; within a transaction that writes to it. */
    void trimLog(WriteTransaction transaction);

    /** The log ends there now, and this is the state after it. */
    void applied(OpTime end);

    /** Everything after that entry never was. */
    void rolledBackTo(OpTime end);

    /** All data is a fresh copy that ends there. */
    void replaced(OpTime end);
  }

  private final Engine engine;
  private final Oplog oplog;
  private final RetryableWrites records;
  private final CommittedViews views;
  private final Listener listener;
  private final ReentrantLock applying = new ReentrantLock();

  FollowerData(
      Engine engine,
      Oplog oplog,
      RetryableWrites records,
      CommittedViews views,
      Listener listener) {
    this.engine = engine;
    this.oplog = oplog;
    this.records = records;
    this.views = views;
    this.listener = listener;
  }

  /** Runs {@code what} while nothing here changes the data. */
  void whileNotApplying(Runnable what) {
    applying.lock();
    try {
      what.run();
    } finally {
      applying.unlock();
    }
  }

  private boolean change(BooleanSupplier wanted, Runnable what) {
    applying.lock();
    try {
      boolean goesOn = wanted.getAsBoolean();
      if (goesOn) {
        what.run();
      }
      return goesOn;
    } finally {
      applying.unlock();
    }
  }

  /**
   * Applies entries and appends them to the log.
   *
   * @param before runs when they are committed, before anybody hears of it
   * @return false when they were not wanted any more
   */
  boolean apply(List<OplogEntry> entries, BooleanSupplier wanted, Runnable before) {
    return change(
        wanted,
        () -> {
          engine.write(
              WriteContext.unreplicated(),
              transaction -> {
                EntryApplier applier = new EntryApplier(transaction);
                for (OplogEntry entry : entries) {
                  applier.apply(entry);
                  transaction.insert(Oplog.NAMESPACE, entry.document());
                }
                records.derive(transaction, entries, this::image);
                listener.trimLog(transaction);
                return true;
              });
          before.run();
          listener.applied(entries.getLast().opTime());
        });
  }

  private @Nullable BsonDocument image(long timestamp) {
    return oplog
        .at(engine.snapshot(), new BsonTimestamp(timestamp))
        .map(OplogEntry::object)
        .orElse(null);
  }

  /** The positions to which {@link #rollBackTo} can go, the newest first. */
  List<OpTime> rollbackPoints() {
    return views.rollbackPoints();
  }

  /**
   * Goes back to one of the {@link #rollbackPoints}.
   *
   * @param before runs just before that
   * @return false when it was not wanted any more
   */
  boolean rollBackTo(OpTime point, BooleanSupplier wanted, Runnable before) {
    return change(
        wanted,
        () -> {
          before.run();
          engine.resetTo(views.atOrBefore(point).orElseThrow().state(), StoredState::isOwn);
          listener.rolledBackTo(point);
        });
  }

  /** Puts a copy in the place of all replicated data; false when it was not wanted any more. */
  boolean replaceBy(InitialSync.Copy copy, BooleanSupplier wanted) {
    return change(
        wanted,
        () -> {
          engine.resetTo(copy.content(), StoredState::isOwn);
          listener.replaced(copy.end());
        });
  }
}
