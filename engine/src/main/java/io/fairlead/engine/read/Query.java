// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;

import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.LetVariables;
import io.fairlead.engine.index.KeyPattern;
import io.fairlead.engine.index.KeyReader;
import io.fairlead.engine.plan.MinMaxPlans;
import io.fairlead.engine.plan.Planner;
import io.fairlead.engine.plan.QueryPlan;
import io.fairlead.engine.plan.QueryPlan.Access;
import io.fairlead.engine.projection.Projection;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.sort.SortPattern;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A query compiled and planned for one state of a collection.
 *
 * @param sort the order, or null for any
 * @param metaSort the order when it is one by {@code $meta}; else null
 * @param skip how many to pass over
 * @param limit how many at most; 0 is all
 */
public record Query(
    CollectionState collection,
    Matcher matcher,
    @Nullable KeyPattern sort,
    @Nullable SortPattern metaSort,
    long skip,
    long limit,
    QueryPlan plan,
    OperationContext operation) {
  /** How many records are looked at between two questions whether to go on. */
  private static final int CHECK_EVERY = 128;

  /** Compiles and plans. */
  public static Query of(
      CollectionState collection,
      BsonDocument filter,
      BsonDocument sort,
      long skip,
      long limit,
      @Nullable BsonValue hint,
      OperationContext operation) {
    return of(collection, Matcher.compile(filter, operation), sort, skip, limit, hint, operation);
  }

  /** Plans what is compiled. */
  public static Query of(
      CollectionState collection,
      Matcher matcher,
      BsonDocument sort,
      long skip,
      long limit,
      @Nullable BsonValue hint,
      OperationContext operation) {
    return of(collection, matcher, sort, skip, limit, hint, null, null, operation);
  }

  /** Plans the arguments of a find. */
  public static Query of(
      CollectionState collection,
      Matcher matcher,
      FindRequest request,
      OperationContext operation) {
    return of(
        collection,
        matcher,
        request.sort(),
        request.skip(),
        request.limit(),
        request.hint(),
        request.min(),
        request.max(),
        operation);
  }

  private static Query of(
      CollectionState collection,
      Matcher matcher,
      BsonDocument sort,
      long skip,
      long limit,
      @Nullable BsonValue hint,
      @Nullable BsonDocument min,
      @Nullable BsonDocument max,
      OperationContext operation) {
    if (skip < 0) {
      throw new EngineException(
          51024, "BSON field 'skip' value must be >= 0, actual value '" + skip + "'");
    }
    int natural = natural(sort);
    SortPattern pattern = sort.isEmpty() || natural != 0 ? null : SortPattern.parse(sort);
    boolean byMeta = pattern != null && MetaSort.isOne(pattern, matcher.predicate());
    KeyPattern order = pattern == null || byMeta ? null : order(pattern);
    long wanted = limit == 0 || byMeta ? 0 : skip + Math.abs(limit);
    Planner.Wish wish = new Planner.Wish(matcher.predicate(), order, natural, wanted, hint);
    QueryPlan plan =
        min == null && max == null
            ? CollatedPlans.plan(collection, wish, operation.order().strings())
            : MinMaxPlans.plan(collection, wish, min, max, operation.order().strings());
    if (byMeta) {
      plan = new QueryPlan(plan.access(), plan.exact(), false);
    }
    return new Query(
        collection,
        matcher,
        order,
        byMeta ? pattern : null,
        skip,
        Math.abs(limit),
        plan,
        operation);
  }

  /**
   * The context of an operation with a request's own variables and collation; without one, with the
   * collection's.
   */
  public static OperationContext context(
      OperationContext operation,
      @Nullable BsonDocument let,
      @Nullable BsonDocument collation,
      @Nullable CollectionState collection) {
    OperationContext own = operation;
    if (collation != null && !collation.isEmpty()) {
      own = operation.withOrder(Collation.parse(collation));
    } else if (collection != null && collection.rules().collation() != null) {
      own = operation.withOrder(collection.rules().order());
    }
    return let == null ? own : LetVariables.bind(own, let);
  }

  private static int natural(BsonDocument sort) {
    if (!sort.containsKey("$natural")) {
      return 0;
    }
    if (sort.size() > 1) {
      throw new EngineException(
          BAD_VALUE,
          "$natural sort cannot be set to a value other than -1 or 1, or be combined with other"
              + " sort fields");
    }
    BsonValue direction = sort.get("$natural");
    double number =
        direction != null && direction.isNumber() ? direction.asNumber().doubleValue() : 0;
    if (number != 1 && number != -1) {
      throw new EngineException(
          BAD_VALUE, "$natural sort cannot be set to a value other than -1 or 1.");
    }
    return (int) number;
  }

  private static KeyPattern order(SortPattern sort) {
    List<KeyPattern.Field> fields = new ArrayList<>(sort.parts().size());
    for (SortPattern.Part part : sort.parts()) {
      fields.add(new KeyPattern.Field(part.path().dotted(), !part.ascending()));
    }
    return new KeyPattern(fields);
  }

  Query withPlan(QueryPlan other) {
    return new Query(collection, matcher, sort, metaSort, skip, limit, other, operation);
  }

  /**
   * The same query, answered from an index alone where all that the projection shows is in it.
   *
   * @see QueryPlan.Access.Covered
   */
  public Query coveredFor(Projection projection) {
    return Covering.of(this, projection);
  }

  /** The same query; every index that it reads has been used once more. */
  public Query counted() {
    count(plan.access());
    return this;
  }

  private static void count(Access access) {
    switch (access) {
      case Access.Index index -> index.index().use().count();
      case Access.Covered covered -> covered.index().index().use().count();
      case Access.Near near -> near.index().use().count();
      case Access.Text text -> text.index().use().count();
      case Access.Union union -> union.parts().forEach(part -> count(part.access()));
      case Access.Scan scan -> {}
      case Access.Records records -> {}
      case Access.Nothing nothing -> {}
    }
  }

  /** Runs it. */
  public RecordCursor run(Counters counters) {
    RecordCursor cursor = Sources.of(collection, plan.access(), counters, operation.interrupt());
    if (!plan.exact()) {
      cursor = new Filtered(cursor, counters);
    } else if (plan.access() instanceof Access.Index index && index.idLookup()) {
      // One record at most: there is nothing to sort.
      return skip > 0 ? new Window(cursor) : cursor;
    } else {
      cursor = new Checked(cursor, counters);
    }
    if (metaSort != null) {
      cursor =
          new Sorted(
              cursor,
              new MetaSort(metaSort, operation.order().strings(), operation.random()),
              wanted());
    } else if (!plan.sorted() && sort != null) {
      KeyReader keys = new KeyReader(sort, false, operation.order().strings());
      cursor = new Sorted(cursor, record -> keys.least(record.document()), wanted());
    }
    return skip > 0 || limit > 0 ? new Window(cursor) : cursor;
  }

  /** Runs it to its end for the sake of the counters. */
  public void drain(Counters counters) {
    RecordCursor cursor = run(counters);
    while (cursor.next()) {
      counters.returned++;
    }
    if (plan.access() instanceof Access.Index index && index.idLookup()) {
      counters.matched = counters.returned;
    }
  }

  private long wanted() {
    return limit == 0 ? 0 : skip > Long.MAX_VALUE - limit ? Long.MAX_VALUE : skip + limit;
  }

  /** How many records it yields, from the counts of the trees where they are exact. */
  public long count() {
    return count(new Counters());
  }

  /** Whether {@link #count()} reads nothing, but asks the trees. */
  boolean isCounted() {
    return plan.exact() && exactCount() >= 0;
  }

  /** As {@link #count()}, telling what it took. */
  public long count(Counters counters) {
    long matches = plan.exact() ? exactCount() : -1;
    if (matches < 0) {
      matches = 0;
      RecordCursor cursor = Sources.of(collection, plan.access(), counters, operation.interrupt());
      cursor = plan.exact() ? new Checked(cursor, counters) : new Filtered(cursor, counters);
      while ((limit == 0 || matches < wanted()) && cursor.next()) {
        matches++;
      }
      counters.matched = matches;
    }
    long left = Math.max(0, matches - skip);
    return limit == 0 ? left : Math.min(left, limit);
  }

  private long exactCount() {
    return switch (plan.access()) {
      case Access.Scan scan -> collection.records().size();
      case Access.Records records ->
          records.ranges().stream()
              .mapToLong(range -> collection.records().count(range.from(), range.to()))
              .sum();
      case Access.Index index -> index.index().isMultikey() ? -1 : index.entries();
      case Access.Nothing nothing -> 0;
      case Access.Union union -> -1;
      case Access.Covered covered -> covered.index().entries();
      case Access.Near near -> -1;
      case Access.Text text -> -1;
    };
  }

  /** What comes that matches. */
  private final class Filtered extends RecordCursor {
    private final RecordCursor source;
    private final Counters counters;
    private final Matcher.Pass filter = matcher.pass();
    private int looked;

    Filtered(RecordCursor source, Counters counters) {
      this.source = source;
      this.counters = counters;
    }

    @Override
    public boolean next() {
      while (source.next()) {
        counters.found++;
        if (++looked % CHECK_EVERY == 0) {
          operation.interrupt().check();
        }
        if (filter.matches(source.document(), 0, source.metadata() != null)) {
          counters.matched++;
          standAt(source);
          return true;
        }
      }
      return false;
    }
  }

  /** What comes, as long as the operation may go on. */
  private final class Checked extends RecordCursor {
    private final RecordCursor source;
    private final Counters counters;
    private int looked;

    Checked(RecordCursor source, Counters counters) {
      this.source = source;
      this.counters = counters;
    }

    @Override
    public boolean next() {
      if (++looked % CHECK_EVERY == 0) {
        operation.interrupt().check();
      }
      if (!source.next()) {
        return false;
      }
      counters.found++;
      counters.matched++;
      standAt(source);
      return true;
    }

    @Override
    long skip(long count) {
      return source.skip(count);
    }
  }

  /** What comes after the skipped, up to the limit. */
  private final class Window extends RecordCursor {
    private final RecordCursor source;
    private boolean begun;
    private long given;

    Window(RecordCursor source) {
      this.source = source;
    }

    @Override
    public boolean next() {
      if (!begun) {
        begun = true;
        long skipped = source.skip(skip);
        while (skipped < skip) {
          if (!source.next()) {
            return false;
          }
          skipped++;
        }
      }
      if ((limit > 0 && given == limit) || !source.next()) {
        return false;
      }
      given++;
      standAt(source);
      return true;
    }
  }
}
