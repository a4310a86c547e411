// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.geo.NearQuery;
import io.fairlead.engine.index.IndexKind;
import io.fairlead.engine.text.TextSearch;
import io.fairlead.engine.value.FieldPath;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import org.bson.BsonDocument;

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

      /** Whether a record may have several entries in the ranges: for elements, or for paths. */
      public boolean repeats() {
        return index.isMultikey() || index.definition().kind() == IndexKind.WILDCARD;
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

    /**
     * The fields of an index's entries, without a look at the documents.
     *
     * @param fields those that are wanted
     */
    record Covered(Index index, List<String> fields) implements Access {
      public Covered {
        fields = List.copyOf(fields);
      }
    }

    /**
     * Documents by their distance from a point, nearest first.
     *
     * @param farthest the distance beyond which there is nothing
     * @param within where in the index everything within a distance is
     * @param text the bounds of each field for explain
     */
    record Near(
        IndexState index,
        FieldPath path,
        NearQuery near,
        double farthest,
        DoubleFunction<List<ByteRange>> within,
        Map<String, List<String>> text)
        implements Access {}

    /**
     * Documents that have one of the words, by the entries of the text index.
     *
     * @param ranges the entries of each word
     * @param prefix the values of the fields before the texts
     */
    record Text(IndexState index, TextSearch search, List<ByteRange> ranges, BsonDocument prefix)
        implements Access {
      public Text {
        ranges = List.copyOf(ranges);
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
