// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.plan.Planner;
import io.fairlead.engine.plan.QueryPlan;
import io.fairlead.engine.query.Predicate;
import io.fairlead.engine.query.Special;
import io.fairlead.engine.value.StringOrder;
import java.util.List;
import java.util.Objects;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Plans a query where collations play a part. An index orders strings by its own collation: one
 * that is the operation's answers everything, with the filter's strings turned into sort keys; any
 * other answers what is not about strings, and gives no order.
 */
final class CollatedPlans {
  private CollatedPlans() {}

  /**
   * Plans.
   *
   * @param wish what is wanted, with the filter's strings as they are
   * @param strings the operation's collation, or null
   */
  static QueryPlan plan(
      CollectionState collection, Planner.Wish wish, @Nullable StringOrder strings) {
    if (strings == null && plain(collection)) {
      return Planner.plan(collection, wish);
    }
    if (Special.near(wish.filter()) != null || Special.text(wish.filter()) != null) {
      // their indexes have no collation
      return strings == null
          ? fitting(
              collection,
              collection.indexes().stream().filter(index -> fits(index, null)).toList(),
              wish,
              null)
          : other(collection, wish);
    }
    BsonValue hint = wish.hint();
    if (hint != null) {
      IndexState hinted = Planner.hinted(collection, hint);
      return hinted != null && fits(hinted, strings)
          ? fitting(collection, List.of(hinted), wish, strings)
          : other(collection, wish);
    }
    List<IndexState> fitting =
        collection.indexes().stream().filter(index -> fits(index, strings)).toList();
    boolean records =
        collection.options().recordKeyField() == null
            || Objects.equals(collection.rules().collation(), strings);
    if (records && wish.natural() == 0) {
      QueryPlan plan = fitting(collection, fitting, wish, strings);
      boolean ordered = wish.sort() != null && plan.sorted();
      if (ordered || !(plan.access() instanceof QueryPlan.Access.Scan)) {
        return plan;
      }
    }
    return other(collection, wish);
  }

  private static boolean plain(CollectionState collection) {
    if (collection.rules().collation() != null) {
      return false;
    }
    for (IndexState index : collection.indexes()) {
      if (index.definition().strings() != null) {
        return false;
      }
    }
    return true;
  }

  private static boolean fits(IndexState index, @Nullable StringOrder strings) {
    return Objects.equals(index.definition().strings(), strings)
        // Whether its filter covers the query cannot be told once the query's strings are keys.
        && (strings == null
            || index.definition().filter() == null
            || !StringBlind.saysStrings(index.definition().filter().predicate()));
  }

  private static QueryPlan fitting(
      CollectionState collection,
      List<IndexState> indexes,
      Planner.Wish wish,
      @Nullable StringOrder strings) {
    Predicate filter = strings == null ? wish.filter() : CollatedFilter.of(wish.filter(), strings);
    return Planner.plan(
        collection.withIndexes(indexes),
        new Planner.Wish(filter, wish.sort(), wish.natural(), wish.wanted(), wish.hint()));
  }

  private static QueryPlan other(CollectionState collection, Planner.Wish wish) {
    boolean sorts = wish.sort() != null;
    QueryPlan plan =
        Planner.plan(
            collection,
            new Planner.Wish(
                StringBlind.of(wish.filter()),
                null,
                wish.natural(),
                sorts ? 0 : wish.wanted(),
                wish.hint()));
    return sorts ? new QueryPlan(plan.access(), plan.exact(), false) : plan;
  }
}
