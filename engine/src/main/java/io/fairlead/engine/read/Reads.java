// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.ExplainVerbosity;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.plan.IdLookup;
import io.fairlead.engine.plan.QueryPlan.Access;
import io.fairlead.engine.projection.Projection;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.query.Special;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.Chance;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.MetaDocument;
import io.fairlead.engine.value.MetaUse;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** The reads that a collection answers: find, count, distinct. */
public final class Reads {
  private Reads() {}

  /** Finds in a collection; null is one that does not exist. */
  public static DocumentCursor find(
      @Nullable CollectionState collection, FindRequest request, OperationContext outer) {
    OperationContext operation =
        Query.context(outer, request.let(), request.collation(), collection);
    if (collection != null && request.isFilterAlone()) {
      byte[] id = IdLookup.key(collection, request.filter(), operation.order());
      if (id != null) {
        byte[] entry = IdLookup.entry(collection, id);
        return new OneDocument(entry == null ? null : collection.document(entry));
      }
    }
    Matcher matcher = Matcher.compile(request.filter(), operation);
    Projection projection = Projection.compile(request.projection(), matcher, operation);
    MetaUse.check(
        request.projection(),
        Special.text(matcher.predicate()) != null,
        Special.near(matcher.predicate()) != null,
        true,
        true);
    Set<String> known = MetaUse.of(request.projection());
    SortPattern shownOrder =
        known.contains("sortKey") ? shownOrder(request.sort(), operation) : null;
    if (collection == null) {
      return DocumentCursor.empty();
    }
    Query query = Query.of(collection, matcher, request, operation);
    if (!request.returnKey() && !known.contains("indexKey") && shownOrder == null) {
      query = query.coveredFor(projection);
    }
    if (request.returnKey() && Special.text(matcher.predicate()) != null) {
      throw new EngineException(BAD_VALUE, "text and returnKey are not allowed in same query");
    }
    boolean found =
        request.returnKey()
            || request.showRecordId()
            || known.contains("recordId")
            || known.contains("indexKey");
    return new FoundDocuments(
        query,
        query.counted().run(new Counters()),
        projection,
        request,
        found ? new FoundBy(query) : null,
        shownOrder);
  }

  /** The sort whose values a projection shows. */
  private static SortPattern shownOrder(BsonDocument sort, OperationContext operation) {
    if (sort.isEmpty()) {
      throw new EngineException(BAD_VALUE, "cannot use sortKey $meta projection without a sort");
    }
    boolean ofFields =
        SortPattern.parse(sort).parts().stream()
            .noneMatch(
                part -> part.meta().equals("randVal") || part.path().dotted().equals("$natural"));
    if (!ofFields || operation.order().strings() != null) {
      throw new EngineException(
          ErrorCodes.COMMAND_NOT_SUPPORTED,
          "the sort key of a sort with a collation, by $natural or by chance is not supported");
    }
    return SortPattern.parse(sort);
  }

  /** Counts what find would return. */
  public static long count(
      @Nullable CollectionState collection, FindRequest request, OperationContext outer) {
    OperationContext operation =
        Query.context(outer, request.let(), request.collation(), collection);
    Matcher matcher = Matcher.compile(request.filter(), operation);
    if (collection == null) {
      return 0;
    }
    return Query.of(
            collection,
            matcher,
            new BsonDocument(),
            request.skip(),
            request.limit(),
            request.hint(),
            operation)
        .counted()
        .count();
  }

  /** The different values at a path. */
  public static List<BsonValue> distinct(
      @Nullable CollectionState collection,
      String path,
      FindRequest request,
      OperationContext outer) {
    OperationContext operation =
        Query.context(outer, request.let(), request.collation(), collection);
    Matcher matcher = Matcher.compile(request.filter(), operation);
    if (collection == null) {
      return List.of();
    }
    Query query =
        Query.of(collection, matcher, new BsonDocument(), 0, 0, request.hint(), operation);
    return distinct(query, path, request.hint() != null, new Counters());
  }

  private static List<BsonValue> distinct(
      Query query, String path, boolean hinted, Counters counters) {
    OperationContext operation = query.operation();
    Distinct distinct = new Distinct(path, operation.order().strings());
    Access.Index scan = DistinctScan.of(query, path, hinted);
    if (scan != null) {
      scan.index().use().count();
      return DistinctScan.values(
          query.collection(), scan, distinct, counters, operation.interrupt());
    }
    RecordCursor cursor = query.counted().run(counters);
    while (cursor.next()) {
      distinct.add(cursor.document());
    }
    return distinct.values();
  }

  /**
   * Explains a distinct; null when it is explained as the find whose documents it reads.
   *
   * @param namespace the name to show
   */
  public static @Nullable BsonDocument explainDistinct(
      CollectionState collection,
      String namespace,
      String path,
      FindRequest request,
      ExplainVerbosity verbosity,
      OperationContext operation) {
    Matcher matcher = Matcher.compile(request.filter(), operation);
    Query query =
        Query.of(collection, matcher, new BsonDocument(), 0, 0, request.hint(), operation);
    Access.Index scan = DistinctScan.of(query, path, request.hint() != null);
    return scan == null
        ? null
        : Explanation.distinct(
            namespace,
            query,
            scan,
            verbosity,
            counters ->
                DistinctScan.values(
                    collection,
                    scan,
                    new Distinct(path, operation.order().strings()),
                    counters,
                    operation.interrupt()));
  }

  /** The different values at a path over documents; closes their cursor. */
  public static List<BsonValue> distinct(DocumentCursor documents, String path, BsonOrder order) {
    Distinct distinct = new Distinct(path, order.strings());
    try (documents) {
      for (RawBsonDocument next = documents.next(); next != null; next = documents.next()) {
        distinct.add(BsonBytes.of(next));
      }
    }
    return distinct.values();
  }

  /** Projected documents of records. */
  private static final class FoundDocuments implements DocumentCursor {
    private @Nullable Query query;
    private @Nullable RecordCursor records;
    private final Projection projection;
    private final boolean whole;

    private final FindRequest request;
    private final @Nullable FoundBy foundBy;
    private final @Nullable SortPattern shownOrder;

    FoundDocuments(
        Query query,
        RecordCursor records,
        Projection projection,
        FindRequest request,
        @Nullable FoundBy foundBy,
        @Nullable SortPattern shownOrder) {
      this.shownOrder = shownOrder;
      this.query = query;
      this.records = records;
      this.projection = projection;
      this.whole = projection.isIdentity();
      this.request = request;
      this.foundBy = foundBy;
    }

    @Override
    public @Nullable RawBsonDocument next() {
      RecordCursor cursor = records;
      if (cursor == null) {
        return null;
      }
      if (!cursor.next()) {
        close();
        return null;
      }
      return shown(cursor);
    }

    private RawBsonDocument shown(RecordCursor cursor) {
      FoundBy where = foundBy;
      RawBsonDocument document =
          MetaDocument.of(
              new RawBsonDocument(cursor.document()),
              where == null ? cursor.metadata() : where.of(cursor));
      if (shownOrder != null) {
        document = MetaDocument.sorted(document, shownOrder.values(document, BsonOrder.SIMPLE));
      }
      if (where != null && request.returnKey()) {
        BsonDocument key = where.indexKey(cursor); // the key alone, without a record id
        return DocumentWriter.write(shownOrder == null ? key : withSortKeys(key, document));
      }
      RawBsonDocument shown = whole ? document : projection.apply(document);
      return where != null && request.showRecordId() ? withRecordId(shown, where, cursor) : shown;
    }

    /** The fields that show the sort key are the only ones that a projection adds to a key. */
    private BsonDocument withSortKeys(BsonDocument key, RawBsonDocument document) {
      RawBsonDocument shown = projection.apply(document);
      BsonDocument both = key.clone();
      BsonDocument sortKey = new BsonDocument("$meta", new BsonString("sortKey"));
      request
          .projection()
          .forEach(
              (field, how) -> {
                BsonValue value = how.equals(sortKey) ? shown.get(field) : null;
                if (value != null) {
                  both.put(field, value);
                }
              });
      return both;
    }

    @Override
    public void readAll(Reader reader) {
      boolean asStored = whole && foundBy == null && shownOrder == null;
      while (asStored) {
        RecordCursor cursor = records;
        if (cursor == null) {
          return;
        }
        if (!cursor.next()) {
          close();
        } else if (cursor.metadata() == null) {
          reader.read(cursor.document(), 0);
        } else {
          RawBsonDocument document = shown(cursor);
          reader.read(document.getBackingArray(), document.getByteOffset());
        }
      }
      DocumentCursor.super.readAll(reader);
    }

    @Override
    public @Nullable DocumentCursor again() {
      Query source = query;
      if (source == null
          || source.metaSort() != null
          || Chance.isIn(request.filter())
          || Chance.isIn(request.projection())) {
        return null;
      }
      return new FoundDocuments(
          source,
          source.run(new Counters()),
          projection,
          request,
          foundBy == null ? null : new FoundBy(source),
          shownOrder);
    }

    private static RawBsonDocument withRecordId(
        RawBsonDocument document, FoundBy where, RecordCursor cursor) {
      BsonDocument shown = new BsonDocument();
      document.forEach(shown::append);
      return DocumentWriter.write(shown.append("$recordId", where.recordId(cursor)));
    }

    @Override
    public void close() {
      // Without it the snapshot can be collected.
      records = null;
      query = null;
    }
  }
}
