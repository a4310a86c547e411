// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.INVALID_OPTIONS;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.read.Query;
import io.fairlead.engine.timeseries.BucketFilter;
import io.fairlead.engine.timeseries.Buckets;
import io.fairlead.engine.timeseries.MetaNames;
import io.fairlead.engine.timeseries.TimeSeriesOptions;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteTransaction.DeleteOutcome;
import io.fairlead.engine.write.WriteTransaction.InsertOutcome;
import io.fairlead.engine.write.WriteTransaction.UpdateOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Writes to a time-series collection, as writes to its buckets. A measurement that is inserted gets
 * a bucket of its own, so that an insert costs the same however many were there before.
 */
final class TimeSeriesWrites {
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  private final WriteSession session;
  private final Namespace namespace;
  private final CollectionState shown;
  private final TimeSeriesOptions options;
  private final DocumentWrites buckets;

  /**
   * @param shown the time-series collection as the one that users see
   */
  TimeSeriesWrites(WriteSession session, Namespace namespace, CollectionState shown) {
    this.session = session;
    this.namespace = namespace;
    this.shown = shown;
    this.options = Objects.requireNonNull(shown.rules().timeSeries());
    this.buckets = new DocumentWrites(session, Buckets.of(namespace));
  }

  InsertOutcome insert(BsonDocument document) {
    session.refuseInTransaction("insert into a time-series collection");
    Buckets.time(document, options);
    BsonDocument measurement = document;
    if (!document.containsKey("_id")) {
      measurement = new BsonDocument("_id", new BsonObjectId(new ObjectId()));
      measurement.putAll(document);
    }
    BsonDocument bucket = Buckets.pack(null, List.of(measurement), options);
    buckets.insert(new RawBsonDocument(bucket, CODEC));
    return new InsertOutcome(Objects.requireNonNull(measurement.get("_id")));
  }

  UpdateOutcome update(UpdateRequest request) {
    session.refuseInTransaction("update a time-series collection");
    if (!request.multi()) {
      throw invalid("Cannot perform a non-multi update on a time-series collection");
    }
    if (request.upsert()) {
      throw invalid("Cannot perform an upsert on a time-series collection");
    }
    if (options.metaField() == null) {
      throw invalid(
          "Cannot perform an update on a time-series collection that does not have a metaField");
    }
    BsonDocument update = MetaNames.update(request.update(), options);
    UpdateRequest onBuckets =
        UpdateRequest.many(MetaNames.filter(request.filter(), options), update)
            .withArrayFilters(request.arrayFilters())
            .withHint(hint(request.hint()))
            .withCollation(request.collation())
            .withLet(request.let());
    return buckets.update(onBuckets);
  }

  DeleteOutcome delete(DeleteRequest request) {
    session.refuseInTransaction("delete from a time-series collection");
    OperationContext operation =
        Query.context(session.operation(), request.let(), request.collation(), shown);
    Matcher matcher = Matcher.compile(request.filter(), operation);
    List<RawBsonDocument> candidates = new ArrayList<>();
    FindRequest find =
        FindRequest.matching(BucketFilter.of(request.filter(), options))
            .withHint(hint(request.hint()))
            .withCollation(Collation.specOf(operation.order()));
    Namespace name = Buckets.of(namespace);
    try (DocumentCursor cursor = session.snapshot().find(name, find, operation)) {
      for (RawBsonDocument next = cursor.next(); next != null; next = cursor.next()) {
        candidates.add(next);
      }
    }
    long deleted = 0;
    for (RawBsonDocument bucket : candidates) {
      if (!request.multi() && deleted > 0) {
        break;
      }
      deleted += deleteIn(bucket, matcher, request.multi());
    }
    return new DeleteOutcome(deleted);
  }

  /** Deletes what matches in one bucket: the bucket itself when nothing is left in it. */
  private long deleteIn(RawBsonDocument bucket, Matcher matcher, boolean multi) {
    List<BsonDocument> kept = new ArrayList<>();
    long deleted = 0;
    for (BsonDocument measurement :
        Buckets.unpack(bucket, options.timeField(), options.metaField())) {
      boolean gone = (multi || deleted == 0) && matcher.matches(BsonBytes.of(measurement), 0);
      if (gone) {
        deleted++;
      } else {
        kept.add(measurement);
      }
    }
    if (deleted == 0) {
      return 0;
    }
    BsonValue id = Objects.requireNonNull(bucket.get("_id"));
    if (kept.isEmpty()) {
      buckets.deleteById(id);
    } else {
      buckets.put(new RawBsonDocument(Buckets.pack(id, kept, options), CODEC));
    }
    return deleted;
  }

  private @Nullable BsonValue hint(@Nullable BsonValue hint) {
    return hint instanceof BsonDocument key && !key.containsKey("$natural")
        ? MetaNames.indexKey(key, options)
        : hint;
  }

  private static EngineException invalid(String message) {
    return new EngineException(INVALID_OPTIONS, message);
  }
}
