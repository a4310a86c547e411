// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.retryable;

import io.fairlead.engine.Engine;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.oplog.OplogEntry;
import io.fairlead.server.replication.AlreadyExecutedException;
import io.fairlead.server.replication.WriteOrigin.RetryableWrite;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The records of retryable writes in {@code config.transactions}: read before a statement is
 * executed, written in the commit that executes it. Records that were not touched for half an hour,
 * the life of an idle session, are dropped.
 *
 * <p>Any thread may call; what is written is written under the engine's commit lock.
 */
public final class RetryableWrites {
  /** Where the records are. */
  public static final Namespace NAMESPACE = Namespace.of("config", "transactions");

  private record Cached(RawBsonDocument document, SessionRecord record) {}

  // A bulk asks for one record once per statement; it is parsed once.
  private final AtomicReference<@Nullable Cached> latest = new AtomicReference<>();

  /**
   * What that statement did when it was executed before.
   *
   * @throws EngineException 225 TransactionTooOld when the session has gone on to a higher number
   */
  public Optional<StatementOutcome> outcome(
      Snapshot snapshot, RetryableWrite write, int statement) {
    RawBsonDocument document = snapshot.findById(NAMESPACE, SessionIds.stored(write.lsid()));
    if (document == null) {
      return Optional.empty();
    }
    long latestNumber = SessionRecord.txnNumber(document);
    refuseTooOld(write.txnNumber(), latestNumber);
    return latestNumber == write.txnNumber()
        ? parsed(document).outcome(statement)
        : Optional.empty();
  }

  private SessionRecord parsed(RawBsonDocument document) {
    Cached cached = latest.get();
    if (cached != null && sameBytes(cached.document, document)) {
      return cached.record;
    }
    SessionRecord record = SessionRecord.parse(document);
    latest.set(new Cached(document, record));
    return record;
  }

  private static boolean sameBytes(RawBsonDocument one, RawBsonDocument other) {
    return one.getByteBuffer().asNIO().equals(other.getByteBuffer().asNIO());
  }

  private static void refuseTooOld(long number, long latestNumber) {
    if (number < latestNumber) {
      throw new EngineException(
          ErrorCodes.TRANSACTION_TOO_OLD,
          "Retryable write with txnNumber "
              + number
              + " is prohibited on this session because a newer retryable write with txnNumber "
              + latestNumber
              + " has already started on this session.");
    }
  }

  /**
   * Refuses the number of a new transaction that the session has used already.
   *
   * @throws EngineException 225 TransactionTooOld when the session has gone on to a higher number,
   *     50911 when it has this one
   */
  public void requireNew(Snapshot snapshot, RetryableWrite transaction) {
    RawBsonDocument document = snapshot.findById(NAMESPACE, SessionIds.stored(transaction.lsid()));
    if (document == null) {
      return;
    }
    long latestNumber = document.getInt64("txnNum").getValue();
    refuseTooOld(transaction.txnNumber(), latestNumber);
    if (latestNumber == transaction.txnNumber()) {
      throw new EngineException(
          50911,
          "Cannot start a transaction at given transaction number "
              + latestNumber
              + ": the session has used it already");
    }
  }

  /** Whether the session's latest number is that of this transaction, and it was committed. */
  public boolean isCommitted(Snapshot snapshot, RetryableWrite transaction) {
    RawBsonDocument document = snapshot.findById(NAMESPACE, SessionIds.stored(transaction.lsid()));
    return document != null
        && document.getInt64("txnNum").getValue() == transaction.txnNumber()
        && parsed(document).committed();
  }

  /**
   * Opens the record of a write that is being committed here.
   *
   * @param snapshot of the commit
   * @throws EngineException 225 TransactionTooOld
   */
  public SessionRecord.Builder open(Snapshot snapshot, RetryableWrite write) {
    BsonDocument lsid = SessionIds.stored(write.lsid());
    SessionRecord.Builder builder =
        new SessionRecord.Builder(lsid, load(snapshot, lsid, write.txnNumber()));
    refuseTooOld(write.txnNumber(), builder.txnNumber());
    builder.begin(write.txnNumber());
    return builder;
  }

  /**
   * Refuses a statement that has its outcome already.
   *
   * @throws AlreadyExecutedException when it has
   */
  public static void refuseExecuted(SessionRecord.Builder builder, int statement) {
    if (builder.contains(statement)) {
      throw new AlreadyExecutedException(statement);
    }
  }

  public void store(WriteTransaction transaction, SessionRecord.Builder builder) {
    transaction.put(NAMESPACE, builder.build().toDocument());
  }

  /**
   * Derives the records from entries that another member wrote.
   *
   * @param transaction that applies the entries; its snapshot has the records so far
   * @param images finds the document of an image entry that is not among {@code entries}
   */
  public void derive(
      WriteTransaction transaction, Iterable<OplogEntry> entries, ImageLookup images) {
    Map<BsonDocument, SessionRecord.Builder> builders = new LinkedHashMap<>();
    Map<Long, BsonDocument> noted = new LinkedHashMap<>();
    Snapshot snapshot = null;
    for (OplogEntry entry : entries) {
      BsonDocument lsid = entry.lsid();
      if (lsid == null) {
        continue;
      }
      if (entry.isNote()) {
        noted.put(entry.timestamp().getValue(), entry.object());
        continue;
      }
      if (snapshot == null) {
        snapshot = transaction.snapshot();
      }
      Snapshot present = snapshot;
      SessionRecord.Builder builder =
          builders.computeIfAbsent(
              lsid, id -> new SessionRecord.Builder(id, load(present, id, entry.txnNumber())));
      if (entry.txnNumber() < builder.txnNumber()) {
        continue;
      }
      builder.begin(entry.txnNumber());
      if (entry.isTransaction()) {
        builder.commit(entry.opTime(), entry.wallMillis());
        continue;
      }
      if (!builder.contains(entry.statement())) {
        BsonDocument image = null;
        Long at = entry.imageTimestamp();
        if (at != null) {
          image = noted.containsKey(at) ? noted.get(at) : images.find(at);
        }
        builder.add(entry.statement(), entry.outcome(image), entry.opTime(), entry.wallMillis());
      }
    }
    builders.values().forEach(builder -> store(transaction, builder));
  }

  /**
   * Finds the document of the image entry at that timestamp; null when the log no longer has it.
   */
  @FunctionalInterface
  public interface ImageLookup {
    @Nullable BsonDocument find(long timestamp);
  }

  /**
   * Drops the records of sessions that were last written to before that moment. Each member does so
   * for itself; the log says nothing of it.
   */
  public void expire(Engine engine, Instant before) {
    BsonDocument idle =
        new BsonDocument(
            "lastWriteDate", new BsonDocument("$lt", new BsonDateTime(before.toEpochMilli())));
    engine.write(
        WriteContext.unreplicated(),
        transaction -> transaction.delete(NAMESPACE, DeleteRequest.many(idle)).deleted());
  }

  /** The session's record; null when it is of an earlier write, which the new one replaces. */
  private static @Nullable SessionRecord load(
      Snapshot snapshot, BsonDocument lsid, long txnNumber) {
    RawBsonDocument document = snapshot.findById(NAMESPACE, lsid);
    return document == null || SessionRecord.txnNumber(document) < txnNumber
        ? null
        : SessionRecord.parse(document);
  }
}
