// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import io.fairlead.engine.collection.IndexState;
import java.util.List;
import java.util.Map;

/**
 * How a query is answered.
 *
 * @param access where documents come from, and in which order
 * @param exact whether all that come from there match, so that they need not be looked at
 * @param sorted whether they come in the order that was asked for
 */
public record QueryPlan(Access access, boolean exact, boolean sorted) {
  /** A way to documents. */
  public sealed interface Access {
    /** All documents, in the order of their records. */
    record Scan(boolean backward) implements Access {}

    /**
     * Documents by the key of their records, which is the value of a field.
     *
     * @param text the bounds for explain
     */
    record Records(String field, List<ByteRange> ranges, boolean backward, List<String> text)
        implements Access {
      public Records {
        ranges = List.copyOf(ranges);
      }
    }

    /**
     * Documents by the entries of an index.
     *
     * @param idLookup whether it is the one entry of one {@code _id}
     * @param text the bounds of each field for explain
     */
    record Index(
        IndexState index,
        List<ByteRange> ranges,
        boolean backward,
        boolean idLookup,
        Map<String, List<String>> text)
        implements Access {
      public Index {
        ranges = List.copyOf(ranges);
      }

      /** How many entries lie in the ranges. */
      public long entries() {
        long sum = 0;
        for (ByteRange range : ranges) {
          sum += index.entries().count(range.from(), range.to());
        }
        return sum;
      }
    }

    /** Nothing can match. */
    record Nothing() implements Access {}

    /** What any of several accesses leads to, each document once: {@code $or}. */
    record Union(List<QueryPlan> parts) implements Access {
      public Union {
        parts = List.copyOf(parts);
      }
    }
  }
}
