// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.oplog;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionStatistics;
import io.fairlead.engine.commit.Change;
import io.fairlead.engine.commit.CommitParticipant;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.replication.OpenTransaction;
import io.fairlead.server.replication.WriteOrigin;
import io.fairlead.server.replication.WriteOrigin.RetryableWrite;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.retryable.RetryableWrites;
import io.fairlead.server.retryable.SessionIds;
import io.fairlead.server.retryable.SessionRecord;
import io.fairlead.server.retryable.StatementOutcome;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Writes every replicated change of a primary into the log, in the commit that makes it, together
 * with the record of the retryable write it belongs to. While closed it refuses such commits: a
 * member that is not primary writes only what it pulls.
 *
 * <p>Runs under the engine's commit lock, so that timestamps are in commit order; {@link #open} and
 * {@link #close} may come from any thread.
 */
public final class OplogWriter implements CommitParticipant {
  private static final long CLOSED = -1;
  private static final int COMMITS_BETWEEN_TRIMS = 500;

  /** An entry is a document of 16 MiB at most; a little of it is for the entry's own fields. */
  private static final long TRANSACTION_BYTES_MAX = (16L << 20) - (16L << 10);

  /** Hears of commits, in order, under the engine's commit lock; must be short. */
  @FunctionalInterface
  public interface CommitListener {
    void committed(OpTime last, Snapshot state);
  }

  private final InstantSource wall;
  private final LogClock clock;
  private final RetryableWrites records;
  private final long bytesMax;
  private final CommitListener listener;

  private final Set<OpenTransaction> transactions = ConcurrentHashMap.newKeySet();
  private volatile long term = CLOSED;

  // under the commit lock
  private OpTime pending = OpTime.NONE;
  private long lastWallMillis;
  private int commitsUntilTrim = COMMITS_BETWEEN_TRIMS;

  public OplogWriter(
      InstantSource wall,
      LogClock clock,
      RetryableWrites records,
      long bytesMax,
      CommitListener listener) {
    this.wall = wall;
    this.clock = clock;
    this.records = records;
    this.bytesMax = bytesMax;
    this.listener = listener;
  }

  /** Lets writes in, as those of that term. */
  public void open(long newTerm) {
    term = newTerm;
  }

  /**
   * Refuses every commit that comes from now on. One that is past its check may still come first.
   */
  public void close() {
    term = CLOSED;
    transactions.forEach(OpenTransaction::abort);
    transactions.clear();
  }

  /** The transaction ends with this member's time as primary, if it has not ended before. */
  public void follow(OpenTransaction transaction) {
    transactions.removeIf(other -> !other.isOpen());
    transactions.add(transaction);
    if (term == CLOSED) {
      transaction.abort();
    }
  }

  /** The log ends there by what others wrote: what is written here comes after it. */
  public void follow(OpTime end) {
    clock.follow(end.timestamp());
  }

  @Override
  public boolean owns(Namespace namespace) {
    return namespace.equals(Oplog.NAMESPACE)
        || namespace.equals(RetryableWrites.NAMESPACE)
        || namespace.equals(PreImages.NAMESPACE);
  }

  @Override
  public void beforeCommit(WriteContext context, List<Change> changes, WriteTransaction own) {
    pending = OpTime.NONE;
    long inTerm = term;
    CommitTicket ticket =
        context.attachment() instanceof CommitTicket given
            ? given
            : new CommitTicket(WriteOrigin.PLAIN);
    String note = ticket.note();
    if (note != null) {
      refuseWhenClosed(inTerm, Oplog.NAMESPACE);
      pending = note(own, note, inTerm);
    }
    RetryableWrite session = ticket.origin().session();
    if (ticket.isTransaction()) {
      pending = appendTransaction(own, changes, Objects.requireNonNull(session), inTerm);
      ticket.stamp(pending);
      trimNowAndThen(own);
      return;
    }
    SessionRecord.Builder record = null;
    for (Change change : changes) {
      if (!isReplicated(change.namespace())) {
        continue;
      }
      refuseWhenClosed(inTerm, change.namespace());
      int statement = EntryFormat.statementOf(change);
      if (session == null || statement == Change.NO_STATEMENT) {
        pending = append(own, EntryFormat.describe(change), inTerm);
        keepPreImage(own, change, pending, 0);
        continue;
      }
      if (record == null) {
        record = records.open(own.snapshot(), session);
      }
      RetryableWrites.refuseExecuted(record, statement);
      pending = appendStatement(own, change, statement, ticket.origin(), record, inTerm);
      keepPreImage(own, change, pending, 0);
    }
    if (record != null) {
      records.store(own, record);
    }
    ticket.stamp(pending);
    trimNowAndThen(own);
  }

  /** Keeps the log within its size, at every some hundredth commit; under the commit lock. */
  public void trimNowAndThen(WriteTransaction own) {
    if (--commitsUntilTrim <= 0) {
      trim(own);
    }
  }

  /**
   * All changes of a transaction as one entry, so that nobody ever has a part of them, and the
   * record that says that it was committed.
   */
  private OpTime appendTransaction(
      WriteTransaction own, List<Change> changes, RetryableWrite session, long inTerm) {
    BsonArray operations = new BsonArray();
    long bytes = 0;
    for (Change change : changes) {
      if (isReplicated(change.namespace())) {
        refuseWhenClosed(inTerm, change.namespace());
        RawBsonDocument described =
            new RawBsonDocument(EntryFormat.describe(change), new BsonDocumentCodec());
        bytes += described.getByteBuffer().remaining();
        operations.add(described);
      }
    }
    if (operations.isEmpty()) {
      return OpTime.NONE;
    }
    if (bytes > TRANSACTION_BYTES_MAX) {
      throw new EngineException(
          257,
          "Total size of all transaction operations must be less than "
              + TRANSACTION_BYTES_MAX
              + ". Actual size is "
              + bytes);
    }
    SessionRecord.Builder record = records.open(own.snapshot(), session);
    OpTime written =
        append(
            own,
            new BsonDocument("lsid", SessionIds.stored(session.lsid()))
                .append("txnNumber", new BsonInt64(session.txnNumber()))
                .append("op", new BsonString("c"))
                .append("ns", new BsonString("admin.$cmd"))
                .append("o", new BsonDocument("applyOps", operations))
                .append("prevOpTime", OpTime.NONE.toDocument()),
            inTerm);
    int index = 0;
    for (Change change : changes) {
      if (isReplicated(change.namespace())) {
        keepPreImage(own, change, written, index++);
      }
    }
    record.commit(written, wall.millis());
    records.store(own, record);
    return written;
  }

  private void keepPreImage(WriteTransaction own, Change change, OpTime at, int index) {
    switch (change) {
      case Change.Updated updated when updated.images() ->
          PreImages.record(
              own, updated.collection(), at.timestamp(), index, lastWallMillis, updated.before());
      case Change.Deleted deleted when deleted.images() ->
          PreImages.record(
              own, deleted.collection(), at.timestamp(), index, lastWallMillis, deleted.before());
      default -> {}
    }
  }

  private static void refuseWhenClosed(long inTerm, Namespace namespace) {
    if (inTerm == CLOSED) {
      throw new EngineException(
          ErrorCodes.NOT_WRITABLE_PRIMARY, "Not primary while writing to " + namespace);
    }
  }

  @Override
  public void afterCommit(WriteContext context, List<Change> changes, Snapshot committed) {
    if (!pending.isNone()) {
      listener.committed(pending, committed);
    }
  }

  private boolean isReplicated(Namespace namespace) {
    return !namespace.database().equals("local") && !owns(namespace);
  }

  private OpTime appendStatement(
      WriteTransaction own,
      Change change,
      int statement,
      WriteOrigin origin,
      SessionRecord.Builder record,
      long inTerm) {
    BsonDocument image = imageOf(change, origin.image());
    RetryableWrite session = Objects.requireNonNull(origin.session());
    BsonDocument lsid = SessionIds.stored(session.lsid());
    BsonDocument entry =
        new BsonDocument("lsid", lsid).append("txnNumber", new BsonInt64(session.txnNumber()));
    EntryFormat.describe(change).forEach(entry::append);
    entry.append("stmtId", new BsonInt32(statement));
    entry.append("prevOpTime", record.lastWrite().toDocument());
    if (image != null) {
      BsonDocument note =
          new BsonDocument("lsid", lsid).append("txnNumber", new BsonInt64(session.txnNumber()));
      EntryFormat.note(image).forEach(note::append);
      OpTime noted = append(own, note.append("stmtId", new BsonInt32(statement)), inTerm);
      entry.append(
          origin.image() == WriteOrigin.Image.BEFORE ? "preImageOpTime" : "postImageOpTime",
          noted.toDocument());
    }
    OpTime written = append(own, entry, inTerm);
    record.add(statement, outcome(change, image), written, wall.millis());
    return written;
  }

  private static @Nullable BsonDocument imageOf(Change change, WriteOrigin.Image wanted) {
    return switch (wanted) {
      case NONE -> null;
      case BEFORE ->
          switch (change) {
            case Change.Updated updated -> updated.before();
            case Change.Deleted deleted -> deleted.before();
            default -> null;
          };
      case AFTER ->
          switch (change) {
            case Change.Updated updated -> updated.after();
            case Change.Inserted inserted -> inserted.document();
            default -> null;
          };
    };
  }

  private static StatementOutcome outcome(Change change, @Nullable BsonDocument image) {
    return switch (change) {
      case Change.Inserted inserted ->
          new StatementOutcome(StatementOutcome.Kind.INSERT, inserted.document().get("_id"), image);
      case Change.Updated updated ->
          new StatementOutcome(StatementOutcome.Kind.UPDATE, null, image);
      case Change.Deleted deleted ->
          new StatementOutcome(StatementOutcome.Kind.DELETE, null, image);
      default -> throw new IllegalStateException("no statement does " + change);
    };
  }

  /** Adds an entry with the next timestamp. */
  private OpTime append(WriteTransaction own, BsonDocument entry, long inTerm) {
    BsonTimestamp timestamp = clock.next();
    lastWallMillis = wall.millis();
    entry
        .append("ts", timestamp)
        .append("t", new BsonInt64(inTerm))
        .append("v", new BsonInt64(2))
        .append("wall", new BsonDateTime(lastWallMillis));
    own.insert(Oplog.NAMESPACE, entry);
    return new OpTime(timestamp, inTerm);
  }

  /**
   * A note that says {@code message}, for whoever writes to the log without a change: a new term, a
   * new set.
   */
  public OpTime note(WriteTransaction own, String message, long inTerm) {
    return append(own, EntryFormat.note(new BsonDocument("msg", new BsonString(message))), inTerm);
  }

  private void trim(WriteTransaction own) {
    commitsUntilTrim = COMMITS_BETWEEN_TRIMS;
    CollectionStatistics statistics = own.snapshot().statistics(Oplog.NAMESPACE);
    if (statistics.documentBytes() > bytesMax) {
      double share = 0.9 * bytesMax / statistics.documentBytes();
      own.trimOldest(Oplog.NAMESPACE, Math.max(1, (long) (statistics.documents() * share)));
      PreImages.trim(own, OperationContext.at(wall.instant()));
    }
  }
}
