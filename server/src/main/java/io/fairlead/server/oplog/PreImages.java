// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.oplog;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.WriteTransaction;
import java.util.Objects;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonTimestamp;
import org.bson.RawBsonDocument;

/**
 * {@code config.system.preimages}: documents as they were before a change, of the collections that
 * ask for it by {@code changeStreamPreAndPostImages}. Every member writes its own, with the log
 * entry of the change; an image lives as long as the entry.
 */
public final class PreImages {
  /** Where they are. */
  public static final Namespace NAMESPACE = Namespace.of("config", "system.preimages");

  /** The field of a log entry that says that its change has an image. */
  static final String FIELD = "recordPreImage";

  private PreImages() {}

  /**
   * Records what a document was before the change of that log entry.
   *
   * @param index which of a transaction's changes it is; 0 for an entry of one change
   */
  static void record(
      WriteTransaction transaction,
      UUID collection,
      BsonTimestamp timestamp,
      int index,
      long wallMillis,
      RawBsonDocument before) {
    if (transaction.snapshot().collection(NAMESPACE).isEmpty()) {
      BsonDocument clustered =
          new BsonDocument("key", new BsonDocument("_id", new BsonInt32(1)))
              .append("unique", BsonBoolean.TRUE);
      transaction.createCollection(
          NAMESPACE, CollectionOptions.of(new BsonDocument("clusteredIndex", clustered)));
    }
    transaction.put(NAMESPACE, document(collection, timestamp, index, wallMillis, before));
  }

  private static BsonDocument document(
      UUID collection,
      BsonTimestamp timestamp,
      int index,
      long wallMillis,
      RawBsonDocument before) {
    BsonDocument id =
        new BsonDocument("nsUUID", new BsonBinary(collection))
            .append("ts", timestamp)
            .append("applyOpsIndex", new BsonInt64(index));
    return new BsonDocument("_id", id)
        .append("operationTime", new BsonDateTime(wallMillis))
        .append("preImage", before);
  }

  /**
   * Records, on a member that applies the entry, what its document is until then.
   *
   * @param whole the entry in the log: the transaction's, of which {@code entry} is a part
   */
  static void recordApplied(
      WriteTransaction transaction, OplogEntry entry, OplogEntry whole, int index) {
    RawBsonDocument before =
        transaction
            .snapshot()
            .findById(entry.namespace(), Objects.requireNonNull(entry.object().get("_id")));
    if (before != null) {
      record(
          transaction,
          Objects.requireNonNull(entry.collection()),
          whole.timestamp(),
          index,
          whole.wallMillis(),
          before);
    }
  }

  /** Forgets the images of entries that the log has no more. */
  static void trim(WriteTransaction transaction, OperationContext operation) {
    Snapshot snapshot = transaction.snapshot();
    if (snapshot.collection(NAMESPACE).isEmpty()) {
      return;
    }
    FindRequest oldestFirst =
        FindRequest.all().withSort(new BsonDocument("$natural", new BsonInt32(1))).withLimit(1);
    try (DocumentCursor cursor = snapshot.find(Oplog.NAMESPACE, oldestFirst, operation)) {
      RawBsonDocument oldest = cursor.next();
      if (oldest != null) {
        BsonDocument before = new BsonDocument("$lt", oldest.get("ts"));
        transaction.delete(NAMESPACE, DeleteRequest.many(new BsonDocument("_id.ts", before)));
      }
    }
  }
}
