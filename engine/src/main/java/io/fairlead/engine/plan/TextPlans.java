// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;
import static io.fairlead.engine.error.ErrorCodes.INDEX_NOT_FOUND;
import static io.fairlead.engine.error.ErrorCodes.NO_QUERY_EXECUTION_PLANS;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.index.IndexKind;
import io.fairlead.engine.index.KeyPattern;
import io.fairlead.engine.index.PartialFilter;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.query.Predicate;
import io.fairlead.engine.text.TextSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Plans of queries with {@code $text}: the entries of its words in the text index. */
final class TextPlans {
  private TextPlans() {}

  /**
   * Refuses what a text query cannot be combined with.
   *
   * @throws EngineException 2, 27
   */
  static void check(CollectionState collection, Planner.Wish wish) {
    if (wish.hint() != null) {
      throw new EngineException(BAD_VALUE, "text and hint not allowed in same query");
    }
    if (wish.natural() != 0) {
      throw new EngineException(BAD_VALUE, "text expression not allowed with $natural sort order");
    }
    index(collection);
  }

  private static IndexState index(CollectionState collection) {
    for (IndexState index : collection.indexes()) {
      if (index.definition().kind() == IndexKind.TEXT && !index.definition().hidden()) {
        return index;
      }
    }
    throw new EngineException(INDEX_NOT_FOUND, "text index required for $text query");
  }

  /**
   * The access of a filter that has the {@code $text} on top or within {@code $and}.
   *
   * @throws EngineException 27 without the index, 291 when a field before the texts has no value
   */
  static QueryPlan.Access.Text access(
      CollectionState collection, Predicate filter, Predicate.Text text) {
    IndexState index = index(collection);
    IndexDefinition definition = index.definition();
    if (definition.filter() != null && !PartialFilter.covers(definition.filter(), filter)) {
      throw noPlan(collection);
    }
    TextSearch search = new TextSearch(Objects.requireNonNull(definition.text()), text.query());
    Conditions conditions = Conditions.of(filter);
    KeyWriter prefix = new KeyWriter();
    BsonDocument shown = new BsonDocument();
    for (KeyPattern.Field field : definition.pattern().fields()) {
      if (field.path().equals("_fts")) {
        break;
      }
      List<List<BsonValue>> equal = conditions.equalities(field.path());
      if (equal.isEmpty() || equal.getFirst().size() != 1) {
        throw noPlan(collection);
      }
      BsonValue value = equal.getFirst().getFirst();
      prefix.value(value, field.descending());
      shown.append(field.path(), value);
    }
    List<ByteRange> ranges = new ArrayList<>();
    for (String term : search.terms()) {
      byte[] word = new KeyWriter().value(new BsonString(term)).toBytes();
      byte[] before = prefix.toBytes();
      byte[] key = java.util.Arrays.copyOf(before, before.length + word.length);
      System.arraycopy(word, 0, key, before.length, word.length);
      ranges.add(ByteRange.startingWith(key));
    }
    return new QueryPlan.Access.Text(index, search, ranges, shown);
  }

  private static EngineException noPlan(CollectionState collection) {
    return new EngineException(
        NO_QUERY_EXECUTION_PLANS,
        "error processing query: ns="
            + collection.namespace()
            + " planner returned error :: caused by :: failed to use text index to satisfy $text"
            + " query (if text index is compound, are equality predicates given for all prefix"
            + " fields?)");
  }

  static EngineException unindexedBranch(CollectionState collection) {
    return new EngineException(
        NO_QUERY_EXECUTION_PLANS,
        "error processing query: ns="
            + collection.namespace()
            + " planner returned error :: caused by :: Failed to produce a solution for TEXT under"
            + " OR - other non-TEXT clauses under OR have to be indexed as well.");
  }
}
