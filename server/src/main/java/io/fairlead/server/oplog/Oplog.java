// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.oplog;

import io.fairlead.engine.Engine;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.server.replication.protocol.OpTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonTimestamp;
import org.bson.RawBsonDocument;

/** Reads the log. Records are ordered by timestamp, so that every read here is a range. */
public final class Oplog {
  /** Where the log is. */
  public static final Namespace NAMESPACE = Namespace.of("local", "oplog.rs");

  private final Engine engine;

  public Oplog(Engine engine) {
    this.engine = engine;
  }

  /** Makes the collection when there is none. */
  public void create() {
    engine.write(
        WriteContext.unreplicated(),
        transaction -> {
          if (transaction.snapshot().collection(NAMESPACE).isEmpty()) {
            transaction.createCollection(
                NAMESPACE, CollectionOptions.none().withRecordKeyField("ts"));
          }
          return true;
        });
  }

  /** The last entry. */
  public Optional<OplogEntry> last(Snapshot snapshot) {
    FindRequest newestFirst =
        FindRequest.all().withSort(new BsonDocument("$natural", new BsonInt32(-1))).withLimit(1);
    try (DocumentCursor cursor = snapshot.find(NAMESPACE, newestFirst, engine.operation())) {
      return Optional.ofNullable(cursor.next()).map(OplogEntry::new);
    }
  }

  /** The position of the last entry; {@link OpTime#NONE} in an empty log. */
  public OpTime end(Snapshot snapshot) {
    return last(snapshot).map(OplogEntry::opTime).orElse(OpTime.NONE);
  }

  /** The entry with that timestamp. */
  public Optional<OplogEntry> at(Snapshot snapshot, BsonTimestamp timestamp) {
    FindRequest exact = FindRequest.matching(new BsonDocument("ts", timestamp)).withLimit(1);
    try (DocumentCursor cursor = snapshot.find(NAMESPACE, exact, engine.operation())) {
      return Optional.ofNullable(cursor.next()).map(OplogEntry::new);
    }
  }

  /** Whether the log has exactly that entry. */
  public boolean contains(Snapshot snapshot, OpTime opTime) {
    return at(snapshot, opTime.timestamp())
        .filter(entry -> entry.opTime().equals(opTime))
        .isPresent();
  }

  /**
   * What comes after an entry, in order: about {@code bytesMax}, at least one entry where there is
   * one. Empty when that entry is not in the log.
   */
  public Optional<List<RawBsonDocument>> after(Snapshot snapshot, OpTime opTime, long bytesMax) {
    List<RawBsonDocument> entries = from(snapshot, "$gte", opTime.timestamp(), 1, bytesMax);
    if (entries.isEmpty() || !new OplogEntry(entries.getFirst()).opTime().equals(opTime)) {
      return Optional.empty();
    }
    return Optional.of(entries.subList(1, entries.size()));
  }

  /**
   * Entries after that timestamp, in order: about {@code bytesMax} of them, at least one where
   * there is one.
   */
  public List<RawBsonDocument> after(Snapshot snapshot, BsonTimestamp timestamp, long bytesMax) {
    return from(snapshot, "$gt", timestamp, 0, bytesMax);
  }

  private List<RawBsonDocument> from(
      Snapshot snapshot, String operator, BsonTimestamp timestamp, int uncounted, long bytesMax) {
    FindRequest later =
        FindRequest.matching(new BsonDocument("ts", new BsonDocument(operator, timestamp)))
            .withSort(new BsonDocument("$natural", new BsonInt32(1)));
    List<RawBsonDocument> entries = new ArrayList<>();
    long bytes = 0;
    try (DocumentCursor cursor = snapshot.find(NAMESPACE, later, engine.operation())) {
      for (RawBsonDocument entry = cursor.next();
          entry != null && bytes < bytesMax;
          entry = cursor.next()) {
        entries.add(entry);
        bytes += entries.size() <= uncounted ? 0 : entry.getByteBuffer().remaining();
      }
    }
    return entries;
  }
}
