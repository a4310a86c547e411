// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;
import static io.fairlead.engine.error.ErrorCodes.NO_QUERY_EXECUTION_PLANS;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexConflicts;
import io.fairlead.engine.index.KeyPattern;
import io.fairlead.engine.index.PartialFilter;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.plan.QueryPlan.Access;
import io.fairlead.engine.query.Predicate;
import io.fairlead.engine.query.Special;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how a query is answered: by the index that has to be read the least, counted and not
 * guessed; by one that gives the order when that saves a sort; by a union of indexes for {@code
 * $or}; else by reading everything. Pure.
 */
public final class Planner {
  private Planner() {}

  /**
   * What is to be planned.
   *
   * @param filter the query's tree
   * @param sort the wanted order, or null
   * @param natural whether insertion order is wanted (1), its reverse (-1), or neither (0)
   * @param wanted how many documents will be pulled at most; 0 is all
   * @param hint name or key pattern of the index to use, or null
   */
  public record Wish(
      Predicate filter,
      @Nullable KeyPattern sort,
      int natural,
      long wanted,
      @Nullable BsonValue hint) {}

  /**
   * Plans a query.
   *
   * @throws EngineException 2 for a hint that names no index
   */
  public static QueryPlan plan(CollectionState collection, Wish wish) {
    if (wish.hint() == null) {
      QueryPlan byId = byId(collection, wish.filter());
      if (byId != null) {
        return byId;
      }
    }
    Predicate.Near near = Special.near(wish.filter());
    if (near != null) {
      return NearPlans.plan(collection, wish, near);
    }
    Predicate.Text text = Special.text(wish.filter());
    if (text != null) {
      return textPlan(collection, wish, text);
    }
    Conditions conditions = Conditions.of(wish.filter());
    if (wish.hint() != null) {
      return hinted(collection, wish, conditions, wish.hint());
    }
    if (wish.natural() != 0) {
      return scan(collection, wish, conditions, wish.natural() < 0);
    }
    List<Candidate> candidates = new ArrayList<>();
    for (IndexState index : collection.indexes()) {
      if (!index.definition().hidden()) {
        Candidate candidate = candidate(index, wish, conditions, false);
        if (candidate != null) {
          candidates.add(candidate);
        }
      }
    }
    String recordField = collection.options().recordKeyField();
    if (recordField != null) {
      QueryPlan byRecord = scan(collection, wish, conditions, false);
      if (byRecord.access() instanceof Access.Records || byRecord.sorted()) {
        return byRecord;
      }
    }
    Candidate best = Candidate.best(candidates, wish);
    if (best != null && best.bounded() > 0) {
      return best.plan();
    }
    QueryPlan union = union(collection, wish);
    if (union != null) {
      return union;
    }
    return best != null ? best.plan() : scan(collection, wish, conditions, false);
  }

  /** The plan of a filter that says nothing but which {@code _id}, or null for any other. */
  private static @Nullable QueryPlan byId(CollectionState collection, Predicate filter) {
    Predicate only =
        filter instanceof Predicate.And and && and.children().size() == 1
            ? and.children().getFirst()
            : filter;
    if (!(only instanceof Predicate.Comparison comparison)
        || comparison.operator() != Predicate.Operator.EQ
        || !comparison.path().dotted().equals("_id")
        || !IdLookup.isServedBy(collection)
        || !IdLookup.isOne(comparison.value().getBsonType().getValue() & 0xFF)) {
      return null;
    }
    byte[] key = new KeyWriter().value(comparison.value()).toBytes();
    return new QueryPlan(
        new Access.Index(
            collection.indexes().getFirst(),
            List.of(ByteRange.startingWith(key)),
            false,
            true,
            Map.of()),
        true,
        true);
  }

  private static QueryPlan textPlan(CollectionState collection, Wish wish, Predicate.Text text) {
    TextPlans.check(collection, wish);
    if (Special.isOnTop(wish.filter(), text)) {
      return new QueryPlan(
          TextPlans.access(collection, wish.filter(), text), false, wish.sort() == null);
    }
    QueryPlan union = union(collection, wish);
    if (union == null) {
      throw TextPlans.unindexedBranch(collection);
    }
    return union;
  }

  private static @Nullable Candidate candidate(
      IndexState index, Wish wish, Conditions conditions, boolean forced) {
    if (index.definition().filter() != null
        && !forced
        && !PartialFilter.covers(index.definition().filter(), wish.filter())) {
      return null;
    }
    KeyPattern pattern = index.definition().pattern();
    long multikey = index.multikey();
    long unordered = 0;
    boolean whole = !index.definition().sparse();
    IndexBounds bounds;
    if (SpecialBounds.isOrdered(index)) {
      bounds = IndexBounds.of(pattern, multikey, index.definition().sparse(), conditions);
    } else {
      SpecialBounds special = SpecialBounds.of(index, wish.filter(), conditions);
      if (special == null) {
        return null;
      }
      pattern = special.pattern();
      multikey = special.multikey();
      unordered = special.unordered();
      whole = special.coversAll();
      bounds = special.bounds();
    }
    ReadingOrder order = ReadingOrder.of(pattern, multikey, unordered, bounds, wish.sort());
    if (bounds.bounded() == 0) {
      if (!forced && !(order != ReadingOrder.OTHER && wish.sort() != null && whole)) {
        return null;
      }
      bounds = IndexBounds.all(pattern);
    }
    boolean exact =
        !index.isMultikey()
            && index.definition().filter() == null
            && conditions.complete()
            && bounds.used() == conditions.count();
    boolean backward = order == ReadingOrder.BACKWARD;
    Access access =
        bounds.ranges().isEmpty()
            ? new Access.Nothing()
            : new Access.Index(index, bounds.ranges(), backward, false, bounds.text());
    QueryPlan plan = new QueryPlan(access, exact, order != ReadingOrder.OTHER);
    return new Candidate(
        plan, access instanceof Access.Index entries ? entries.entries() : 0, bounds.bounded());
  }

  /** Everything, or the records in ranges of the field that orders them. */
  private static QueryPlan scan(
      CollectionState collection, Wish wish, Conditions conditions, boolean backward) {
    boolean all = conditions.complete() && conditions.count() == 0;
    String field = collection.options().recordKeyField();
    if (field == null) {
      return new QueryPlan(new Access.Scan(backward), all, wish.sort() == null);
    }
    KeyPattern pattern = new KeyPattern(List.of(new KeyPattern.Field(field, false)));
    IndexBounds bounds = IndexBounds.of(pattern, 0, false, conditions);
    ReadingOrder order = ReadingOrder.of(pattern, 0, 0, bounds, wish.sort());
    boolean direction = wish.sort() == null ? backward : order == ReadingOrder.BACKWARD;
    boolean exact = conditions.complete() && bounds.used() == conditions.count();
    if (bounds.bounded() == 0) {
      return new QueryPlan(new Access.Scan(direction), all, order != ReadingOrder.OTHER);
    }
    Access access =
        bounds.ranges().isEmpty()
            ? new Access.Nothing()
            : new Access.Records(
                field, bounds.ranges(), direction, bounds.text().getOrDefault(field, List.of()));
    return new QueryPlan(access, exact, order != ReadingOrder.OTHER);
  }

  private static QueryPlan hinted(
      CollectionState collection, Wish wish, Conditions conditions, BsonValue hint) {
    if (hint instanceof BsonDocument key && key.size() == 1 && key.containsKey("$natural")) {
      boolean backward = natural(key) < 0;
      return scan(
          collection, wish, conditions, wish.natural() != 0 ? wish.natural() < 0 : backward);
    }
    String field = collection.options().recordKeyField();
    if (field != null
        && (hint.isString()
            ? hint.asString().getValue().equals(field.equals("_id") ? "_id_" : field)
            : hint instanceof BsonDocument key && key.size() == 1 && key.containsKey(field))) {
      return scan(collection, wish, conditions, false);
    }
    Candidate candidate = candidate(hintedIndex(collection, hint), wish, conditions, true);
    if (candidate == null) {
      // An index of a special kind that has not every document, and nothing asked of it.
      throw new EngineException(
          NO_QUERY_EXECUTION_PLANS,
          "error processing query: ns="
              + collection.namespace()
              + " planner returned error :: caused by :: no query solutions: the hinted index"
              + " cannot answer the query");
    }
    return candidate.plan();
  }

  /** The direction of a hint at the order of insertion: 1 or -1. */
  private static int natural(BsonDocument hint) {
    BsonValue given = hint.get("$natural");
    double direction = given != null && given.isNumber() ? given.asNumber().doubleValue() : 0;
    if (direction != 1 && direction != -1) {
      throw new EngineException(
          BAD_VALUE, "$natural hint cannot be set to a value other than -1 or 1.");
    }
    return (int) direction;
  }

  /**
   * The index that a hint names.
   *
   * @throws EngineException 2 when there is none
   */
  static IndexState hintedIndex(CollectionState collection, BsonValue hint) {
    IndexState index = hinted(collection, hint);
    if (index == null) {
      throw new EngineException(
          BAD_VALUE,
          "error processing query: ns="
              + collection.namespace()
              + " :: caused by :: hint provided does not correspond to an existing index");
    }
    return index;
  }

  /**
   * The index that a hint means, or null.
   *
   * @throws EngineException 27 when it means several
   */
  public static @Nullable IndexState hinted(CollectionState collection, BsonValue hint) {
    NamedIndexes.requireOneHinted(collection, hint);
    return find(collection, hint);
  }

  /** The index of that name or key pattern, or null. */
  public static @Nullable IndexState find(CollectionState collection, BsonValue hint) {
    for (IndexState index : collection.indexes()) {
      boolean meant =
          hint.isString()
              ? index.definition().name().equals(hint.asString().getValue())
              : hint instanceof BsonDocument key
                  && IndexConflicts.sameKey(index.definition().key(), key);
      if (meant) {
        return index;
      }
    }
    return null;
  }

  /**
   * One access for every branch of an {@code $or}, when every branch has bounds on an index; else
   * null.
   */
  private static @Nullable QueryPlan union(CollectionState collection, Wish wish) {
    Predicate.Or or = null;
    if (wish.filter() instanceof Predicate.Or only) {
      or = only;
    } else if (wish.filter() instanceof Predicate.And and) {
      boolean searches = Special.text(wish.filter()) != null;
      for (Predicate child : and.children()) {
        if (child instanceof Predicate.Or first && (!searches || Special.text(first) != null)) {
          or = first;
          break;
        }
      }
    }
    if (or == null || or.children().isEmpty()) {
      return null;
    }
    List<QueryPlan> parts = new ArrayList<>();
    for (Predicate branch : or.children()) {
      Wish part = new Wish(branch, null, 0, 0, null);
      Predicate.Text text = Special.text(branch);
      if (text != null) {
        if (!Special.isOnTop(branch, text)) {
          return null;
        }
        // first, so that a document that several branches find is known by its words
        parts.addFirst(new QueryPlan(TextPlans.access(collection, branch, text), false, true));
        continue;
      }
      Conditions conditions = Conditions.of(branch);
      Candidate best = null;
      for (IndexState index : collection.indexes()) {
        Candidate candidate =
            index.definition().hidden() ? null : candidate(index, part, conditions, false);
        if (candidate != null
            && candidate.bounded() > 0
            && (best == null || candidate.entries() < best.entries())) {
          best = candidate;
        }
      }
      if (best == null) {
        return null;
      }
      if (!(best.plan().access() instanceof Access.Nothing)) {
        parts.add(best.plan());
      }
    }
    return parts.isEmpty()
        ? new QueryPlan(new Access.Nothing(), true, true)
        : new QueryPlan(new Access.Union(parts), false, wish.sort() == null);
  }
}
