// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;
import static io.fairlead.engine.error.ErrorCodes.NO_QUERY_EXECUTION_PLANS;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.geo.GeoCells;
import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.index.PartialFilter;
import io.fairlead.engine.query.Predicate;
import java.util.List;
import java.util.Objects;

/** Plans of queries with {@code $near}: the entries of an index on geometry, nearest first. */
final class NearPlans {
  private NearPlans() {}

  /**
   * The plan.
   *
   * @throws EngineException 291 when no index can give it, 2 when another order is forced
   */
  static QueryPlan plan(CollectionState collection, Planner.Wish wish, Predicate.Near near) {
    if (wish.natural() != 0) {
      throw new EngineException(BAD_VALUE, "$natural sort cannot be combined with $near");
    }
    IndexState hinted = wish.hint() == null ? null : Planner.hintedIndex(collection, wish.hint());
    Conditions conditions = Conditions.of(wish.filter());
    IndexState best = null;
    int bounded = -1;
    for (IndexState index : collection.indexes()) {
      if ((hinted != null && !index.definition().name().equals(hinted.definition().name()))
          || !serves(index.definition(), near, wish.filter())
          || (index.definition().hidden() && hinted == null)) {
        continue;
      }
      int here = bounds(index, near, conditions, 0).bounded();
      if (here > bounded) {
        best = index;
        bounded = here;
      }
    }
    if (best == null) {
      throw new EngineException(
          NO_QUERY_EXECUTION_PLANS,
          "error processing query: ns="
              + collection.namespace()
              + " planner returned error :: caused by :: unable to find index for $geoNear query");
    }
    IndexState index = best;
    GeoCells cells = Objects.requireNonNull(index.definition().cells());
    return new QueryPlan(
        new QueryPlan.Access.Near(
            index,
            near.path(),
            near.near(),
            cells.farthest(near.near()),
            radius -> bounds(index, near, conditions, radius).ranges(),
            IndexBounds.all(index.definition().pattern()).text()),
        false,
        wish.sort() == null);
  }

  private static boolean serves(IndexDefinition definition, Predicate.Near near, Predicate filter) {
    GeoCells cells = definition.cells();
    if (cells == null || !cells.serves(near.near())) {
      return false;
    }
    if (definition.filter() != null && !PartialFilter.covers(definition.filter(), filter)) {
      return false;
    }
    int field = field(definition, near);
    return field >= 0;
  }

  private static int field(IndexDefinition definition, Predicate.Near near) {
    int field = definition.pattern().indexOf(near.path().dotted());
    return field >= 0 && definition.isSpecial(field) ? field : -1;
  }

  /** Where everything within that distance is. */
  private static IndexBounds bounds(
      IndexState index, Predicate.Near near, Conditions conditions, double radius) {
    IndexDefinition definition = index.definition();
    int place = field(definition, near);
    List<Intervals> cells =
        List.of(
            SpecialBounds.cells(
                Objects.requireNonNull(definition.cells()).ranges(near.near(), radius)));
    return IndexBounds.of(
        definition.pattern(),
        index.multikey(),
        field -> {
          if (field == place) {
            return cells;
          }
          return definition.isSpecial(field)
              ? List.of()
              : conditions.on(definition.pattern().fields().get(field).path(), false);
        });
  }
}
