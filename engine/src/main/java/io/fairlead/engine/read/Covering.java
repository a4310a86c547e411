// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.index.IndexKind;
import io.fairlead.engine.index.KeyPattern;
import io.fairlead.engine.plan.QueryPlan;
import io.fairlead.engine.plan.QueryPlan.Access;
import io.fairlead.engine.projection.Projection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Sees whether an index alone answers a query: covered queries. */
final class Covering {
  private Covering() {}

  /**
   * The same query reading no documents, when projection, filter and sort need only fields of the
   * index, each of which comes back out of its keys as it went in; else the query itself.
   */
  static Query of(Query query, Projection projection) {
    if (!(query.plan().access() instanceof Access.Index access)
        || access.idLookup()
        || query.metaSort() != null
        || access.index().isMultikey()
        || access.index().definition().kind() != IndexKind.ORDERED) {
      return query;
    }
    Optional<Set<String>> shown = projection.dependencies();
    if (shown.isEmpty()) {
      return query;
    }
    Set<String> needed = new LinkedHashSet<>(shown.get());
    if (!query.plan().exact()) {
      query.matcher().paths().forEach(path -> needed.add(path.dotted()));
    }
    KeyPattern sort = query.sort();
    if (!query.plan().sorted() && sort != null) {
      sort.fields().forEach(field -> needed.add(field.path()));
    }
    if (needed.isEmpty() || !restorable(access.index(), needed)) {
      return query;
    }
    return query.withPlan(
        new QueryPlan(
            new Access.Covered(access, List.copyOf(needed)),
            query.plan().exact(),
            query.plan().sorted()));
  }

  /** Whether the index has those fields, and everything up to the last of them can be read back. */
  private static boolean restorable(IndexState index, Set<String> needed) {
    List<KeyPattern.Field> fields = index.definition().pattern().fields();
    int found = 0;
    for (int i = 0; i < fields.size() && found < needed.size(); i++) {
      String path = fields.get(i).path();
      if (path.indexOf('.') >= 0 || !index.restores(i)) {
        return false;
      }
      found += needed.contains(path) ? 1 : 0;
    }
    return found == needed.size();
  }
}
