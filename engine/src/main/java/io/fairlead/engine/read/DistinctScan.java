// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.context.OperationContext.Interrupt;
import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.index.IndexKind;
import io.fairlead.engine.plan.ByteRange;
import io.fairlead.engine.plan.QueryPlan.Access;
import io.fairlead.engine.storage.TreeCursor;
import io.fairlead.engine.value.Indexes;
import io.fairlead.engine.value.StringOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The different values at a path by an index whose first field it is: of each value the first
 * entry, then a jump behind all of its like. Values come in the order of the index. Only where
 * nothing has a value, which an index does not tell from null, entry after entry is looked at.
 */
final class DistinctScan {
  private static final int CHECK_EVERY = 128;

  private DistinctScan() {}

  /**
   * The entries to go through, or null when documents have to be read one by one.
   *
   * @param hinted whether the request says how to read
   */
  static Access.@Nullable Index of(Query query, String path, boolean hinted) {
    StringOrder strings = query.operation().order().strings();
    if (!query.plan().exact() || isNumbered(path)) {
      return null;
    }
    if (query.plan().access() instanceof Access.Index access) {
      return !access.idLookup()
              && !access.index().isMultikey()
              && begins(access.index().definition(), path, strings)
          ? access
          : null;
    }
    if (!(query.plan().access() instanceof Access.Scan) || hinted) {
      return null;
    }
    for (IndexState index : query.collection().indexes()) {
      IndexDefinition definition = index.definition();
      if (!definition.hidden()
          && definition.filter() == null
          && begins(definition, path, strings)) {
        return new Access.Index(
            index, List.of(ByteRange.ALL), false, false, Map.of(path, List.of("[MinKey, MaxKey]")));
      }
    }
    return null;
  }

  private static boolean begins(IndexDefinition index, String path, @Nullable StringOrder strings) {
    return index.kind() == IndexKind.ORDERED
        && index.pattern().fields().getFirst().path().equals(path)
        && Objects.equals(index.strings(), strings);
  }

  /** A number in a path may be a position: the index then has keys for less than there is. */
  private static boolean isNumbered(String path) {
    return Arrays.stream(path.split("\\.", -1)).anyMatch(part -> Indexes.parse(part) >= 0);
  }

  /** Goes through the entries. */
  static List<BsonValue> values(
      CollectionState collection,
      Access.Index access,
      Distinct distinct,
      Counters counters,
      Interrupt interrupt) {
    boolean descending = access.index().definition().pattern().fields().getFirst().descending();
    TreeCursor<Void> cursor = access.index().entries().cursor();
    for (ByteRange range : access.ranges()) {
      boolean there = range.from().length == 0 ? cursor.first() : cursor.seek(range.from());
      while (there && isBefore(cursor.key(), range.to())) {
        if (counters.keysExamined++ % CHECK_EVERY == 0) {
          interrupt.check();
        }
        counters.documentsExamined++;
        byte[] entry = cursor.key();
        byte[] value = distinct.add(collection.document(entry), entry, descending);
        byte[] behind = value == null ? null : ByteRange.after(value);
        there = value == null ? cursor.next() : behind != null && cursor.seek(behind);
      }
    }
    counters.returned = distinct.values().size();
    return distinct.values();
  }

  private static boolean isBefore(byte[] entry, byte @Nullable [] end) {
    return end == null || Arrays.compareUnsigned(entry, end) < 0;
  }
}
