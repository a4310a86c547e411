// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.mongodb.CursorType;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.DistinctIterable;
import com.mongodb.client.FindIterable;
import com.mongodb.client.ListIndexesIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.cursor.TimeoutMode;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.EstimatedDocumentCountOptions;
import com.mongodb.client.model.changestream.FullDocument;
import com.mongodb.client.model.changestream.FullDocumentBeforeChange;
import io.fairlead.conformance.unified.match.TestFailure;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Reads of a collection. */
final class CollectionReads {
  private CollectionReads() {}

  static Prepared find(MongoCollection<BsonDocument> of, Args args) {
    FindIterable<BsonDocument> find = findIterable(of, args, args.documentOrEmpty("filter"));
    return () -> Outcome.documents(find);
  }

  static Prepared findOne(MongoCollection<BsonDocument> of, Args args) {
    FindIterable<BsonDocument> find = findIterable(of, args, args.document("filter"));
    return () -> Outcome.orNull(find.first());
  }

  static Prepared createFindCursor(MongoCollection<BsonDocument> of, Args args) {
    FindIterable<BsonDocument> find = findIterable(of, args, args.document("filter"));
    return () -> Outcome.handle(find.cursor());
  }

  private static FindIterable<BsonDocument> findIterable(
      MongoCollection<BsonDocument> of, Args args, BsonDocument filter) {
    MongoCollection<BsonDocument> from = withTimeout(of, args);
    ClientSession session = args.session();
    FindIterable<BsonDocument> find =
        session == null ? from.find(filter) : from.find(session, filter);
    args.document("projection", find::projection);
    args.document("sort", find::sort);
    args.number("skip", skip -> find.skip((int) skip));
    args.number("limit", limit -> find.limit((int) limit));
    args.number("batchSize", size -> find.batchSize((int) size));
    args.number("maxTimeMS", time -> find.maxTime(time, MILLISECONDS));
    args.number("maxAwaitTimeMS", time -> find.maxAwaitTime(time, MILLISECONDS));
    args.flag("allowDiskUse", find::allowDiskUse);
    args.flag("allowPartialResults", find::partial);
    args.flag("noCursorTimeout", find::noCursorTimeout);
    args.flag("returnKey", find::returnKey);
    args.flag("showRecordId", find::showRecordId);
    args.document("min", find::min);
    args.document("max", find::max);
    args.document("let", find::let);
    args.value("comment", find::comment);
    args.hint(find::hintString, find::hint);
    args.collation(find::collation);
    args.text("cursorType", type -> find.cursorType(cursorType(type)));
    args.text("timeoutMode", mode -> find.timeoutMode(timeoutMode(mode)));
    return find;
  }

  private static CursorType cursorType(String name) {
    return switch (name) {
      case "nonTailable" -> CursorType.NonTailable;
      case "tailable" -> CursorType.Tailable;
      case "tailableAwait" -> CursorType.TailableAwait;
      default -> throw new TestFailure("unknown cursor type " + name);
    };
  }

  static TimeoutMode timeoutMode(String name) {
    return switch (name) {
      case "cursorLifetime" -> TimeoutMode.CURSOR_LIFETIME;
      case "iteration" -> TimeoutMode.ITERATION;
      default -> throw new TestFailure("unknown timeout mode " + name);
    };
  }

  static Prepared aggregate(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> from = withTimeout(of, args);
    ClientSession session = args.session();
    List<BsonDocument> pipeline = args.documents("pipeline");
    AggregateIterable<BsonDocument> aggregate =
        session == null ? from.aggregate(pipeline) : from.aggregate(session, pipeline);
    return aggregate(aggregate, pipeline, args);
  }

  static Prepared aggregate(
      AggregateIterable<BsonDocument> aggregate, List<BsonDocument> pipeline, Args args) {
    args.flag("allowDiskUse", aggregate::allowDiskUse);
    args.number("batchSize", size -> aggregate.batchSize((int) size));
    args.number("maxTimeMS", time -> aggregate.maxTime(time, MILLISECONDS));
    args.number("maxAwaitTimeMS", time -> aggregate.maxAwaitTime(time, MILLISECONDS));
    args.flag("bypassDocumentValidation", aggregate::bypassDocumentValidation);
    args.document("let", aggregate::let);
    args.value("comment", aggregate::comment);
    args.hint(aggregate::hintString, aggregate::hint);
    args.collation(aggregate::collation);
    args.text("timeoutMode", mode -> aggregate.timeoutMode(timeoutMode(mode)));
    boolean writes =
        !pipeline.isEmpty() && List.of("$out", "$merge").contains(pipeline.getLast().getFirstKey());
    return () -> {
      if (writes) {
        aggregate.toCollection();
        return Outcome.documents(List.of());
      }
      return Outcome.documents(aggregate);
    };
  }

  static Prepared distinct(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> from = withTimeout(of, args);
    ClientSession session = args.session();
    String field = args.text("fieldName");
    BsonDocument filter = args.documentOrEmpty("filter");
    DistinctIterable<BsonValue> distinct =
        session == null
            ? from.distinct(field, filter, BsonValue.class)
            : from.distinct(session, field, filter, BsonValue.class);
    args.number("maxTimeMS", time -> distinct.maxTime(time, MILLISECONDS));
    args.value("comment", distinct::comment);
    args.hint(distinct::hintString, distinct::hint);
    args.collation(distinct::collation);
    return () -> Outcome.values(distinct);
  }

  static Prepared countDocuments(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> from = withTimeout(of, args);
    ClientSession session = args.session();
    BsonDocument filter = args.document("filter");
    CountOptions options = new CountOptions();
    args.number("skip", skip -> options.skip((int) skip));
    args.number("limit", limit -> options.limit((int) limit));
    args.number("maxTimeMS", time -> options.maxTime(time, MILLISECONDS));
    args.value("comment", options::comment);
    args.hint(options::hintString, options::hint);
    args.collation(options::collation);
    return () ->
        Outcome.of(
            session == null
                ? from.countDocuments(filter, options)
                : from.countDocuments(session, filter, options));
  }

  static Prepared estimatedDocumentCount(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> from = withTimeout(of, args);
    EstimatedDocumentCountOptions options = new EstimatedDocumentCountOptions();
    args.number("maxTimeMS", time -> options.maxTime(time, MILLISECONDS));
    args.value("comment", options::comment);
    return () -> Outcome.of(from.estimatedDocumentCount(options));
  }

  static Prepared listIndexes(MongoCollection<BsonDocument> of, Args args) {
    ListIndexesIterable<BsonDocument> list = indexes(of, args);
    return () -> Outcome.documents(list);
  }

  static Prepared listIndexNames(MongoCollection<BsonDocument> of, Args args) {
    ListIndexesIterable<BsonDocument> list = indexes(of, args);
    return () ->
        Outcome.values(list.map(index -> new BsonString(index.getString("name").getValue())));
  }

  private static ListIndexesIterable<BsonDocument> indexes(
      MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> from = withTimeout(of, args);
    ClientSession session = args.session();
    ListIndexesIterable<BsonDocument> list =
        session == null
            ? from.listIndexes(BsonDocument.class)
            : from.listIndexes(session, BsonDocument.class);
    args.number("batchSize", size -> list.batchSize((int) size));
    args.number("maxTimeMS", time -> list.maxTime(time, MILLISECONDS));
    args.value("comment", list::comment);
    args.text("timeoutMode", mode -> list.timeoutMode(timeoutMode(mode)));
    return list;
  }

  static Prepared createChangeStream(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> from = withTimeout(of, args);
    ClientSession session = args.session();
    List<BsonDocument> pipeline = args.documentsOrNone("pipeline");
    return changeStream(
        session == null
            ? from.watch(pipeline, BsonDocument.class)
            : from.watch(session, pipeline, BsonDocument.class),
        args);
  }

  static Prepared changeStream(ChangeStreamIterable<BsonDocument> stream, Args args) {
    args.number("batchSize", size -> stream.batchSize((int) size));
    args.number("maxAwaitTimeMS", time -> stream.maxAwaitTime(time, MILLISECONDS));
    args.text("fullDocument", kind -> stream.fullDocument(FullDocument.fromString(kind)));
    args.text(
        "fullDocumentBeforeChange",
        kind -> stream.fullDocumentBeforeChange(FullDocumentBeforeChange.fromString(kind)));
    args.flag("showExpandedEvents", stream::showExpandedEvents);
    args.value("comment", stream::comment);
    args.document("resumeAfter", stream::resumeAfter);
    args.document("startAfter", stream::startAfter);
    args.value("startAtOperationTime", time -> stream.startAtOperationTime(time.asTimestamp()));
    args.collation(stream::collation);
    return () -> Outcome.handle(stream.withDocumentClass(BsonDocument.class).cursor());
  }

  @SuppressWarnings("deprecation") // deprecated, and still a part of the interface
  static Prepared mapReduce(MongoCollection<BsonDocument> of, Args args) {
    ClientSession session = args.session();
    String map = args.required("map").asJavaScript().getCode();
    String reduce = args.required("reduce").asJavaScript().getCode();
    BsonDocument out = args.document("out");
    if (!out.containsKey("inline")) {
      throw new TestFailure("mapReduce is known with inline output only");
    }
    var results = session == null ? of.mapReduce(map, reduce) : of.mapReduce(session, map, reduce);
    return () -> Outcome.documents(results);
  }

  static MongoCollection<BsonDocument> withTimeout(MongoCollection<BsonDocument> of, Args args) {
    @Nullable BsonValue timeout = args.get("timeoutMS");
    return timeout == null ? of : of.withTimeout(timeout.asNumber().longValue(), MILLISECONDS);
  }
}
