// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import io.fairlead.engine.index.KeyPattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where in an index the documents of a query are.
 *
 * @param ranges ascending, apart from each other
 * @param bounded how many leading fields of the index are bounded
 * @param fixed how many leading fields have one value each
 * @param used how many of the query's conditions the ranges express whole
 * @param text the intervals of every field for explain
 */
record IndexBounds(
    List<ByteRange> ranges, int bounded, int fixed, int used, Map<String, List<String>> text) {
  /** More ranges than this are not made; the fields behind are then left unbounded. */
  private static final int RANGES_MAX = 2_000;

  IndexBounds {
    ranges = List.copyOf(ranges);
  }

  /** The whole index. */
  static IndexBounds all(KeyPattern pattern) {
    Map<String, List<String>> text = new LinkedHashMap<>();
    pattern.fields().forEach(field -> text.put(field.path(), whole(field)));
    return new IndexBounds(List.of(ByteRange.ALL), 0, 0, 0, text);
  }

  private static List<String> whole(KeyPattern.Field field) {
    return List.of(field.descending() ? "[MaxKey, MinKey]" : "[MinKey, MaxKey]");
  }

  /**
   * The bounds that the conditions put on an index.
   *
   * @param multikey bit {@code i}: field {@code i} goes through an array in some document, so that
   *     two conditions on it may hold of two elements
   */
  static IndexBounds of(KeyPattern pattern, long multikey, boolean sparse, Conditions conditions) {
    return of(
        pattern, multikey, field -> conditions.on(pattern.fields().get(field).path(), sparse));
  }

  /** The intervals of each condition on a field of an index. */
  interface FieldIntervals {
    List<Intervals> on(int field);
  }

  /** The same with the intervals of a field asked for one by one. */
  static IndexBounds of(KeyPattern pattern, long multikey, FieldIntervals conditions) {
    List<byte[]> prefixes = List.of(new byte[0]);
    List<ByteRange> ranges = null;
    Map<String, List<String>> text = new LinkedHashMap<>();
    int bounded = 0;
    int fixed = 0;
    int used = 0;
    boolean multikeyBounded = false;
    boolean open = true;
    for (int i = 0; i < pattern.size(); i++) {
      KeyPattern.Field field = pattern.fields().get(i);
      boolean many = ((multikey >>> i) & 1) != 0;
      List<Intervals> on = open ? conditions.on(i) : List.of();
      // Conditions on two fields of one array may hold of two of its elements, whose keys are not
      // one entry.
      if (on.isEmpty() || (many && multikeyBounded)) {
        open = false;
        text.put(field.path(), whole(field));
        continue;
      }
      Intervals intervals = combine(on, many);
      if ((long) prefixes.size() * intervals.ranges().size() > RANGES_MAX) {
        open = false;
        text.put(field.path(), whole(field));
        continue;
      }
      multikeyBounded |= many;
      bounded++;
      used += intervals.exact() && !(many && on.size() > 1) ? on.size() : 0;
      text.put(field.path(), intervals.text());
      Intervals directed = field.descending() ? intervals.turnedOver() : intervals;
      if (directed.points()) {
        if (directed.ranges().size() == 1 && fixed == i && !many) {
          fixed++;
        }
        prefixes = extend(prefixes, directed.ranges());
      } else {
        ranges = behind(prefixes, directed.ranges());
        open = false;
      }
    }
    if (ranges == null) {
      ranges = new ArrayList<>(prefixes.size());
      for (byte[] prefix : prefixes) {
        ranges.add(ByteRange.startingWith(prefix));
      }
    }
    return new IndexBounds(ranges, bounded, fixed, used, text);
  }

  /** All conditions at once; where they may hold of different elements, the narrowest alone. */
  private static Intervals combine(List<Intervals> on, boolean many) {
    Intervals combined = on.getFirst();
    for (int i = 1; i < on.size(); i++) {
      Intervals next = on.get(i);
      if (!many) {
        combined = combined.and(next);
      } else if (next.points()
          && (!combined.points() || next.ranges().size() < combined.ranges().size())) {
        combined = next;
      }
    }
    return combined;
  }

  private static List<byte[]> extend(List<byte[]> prefixes, List<ByteRange> points) {
    List<byte[]> extended = new ArrayList<>(prefixes.size() * points.size());
    for (byte[] prefix : prefixes) {
      for (ByteRange point : points) {
        byte[] longer = Arrays.copyOf(prefix, prefix.length + point.from().length);
        System.arraycopy(point.from(), 0, longer, prefix.length, point.from().length);
        extended.add(longer);
      }
    }
    return extended;
  }

  private static List<ByteRange> behind(List<byte[]> prefixes, List<ByteRange> ranges) {
    List<ByteRange> all = new ArrayList<>(prefixes.size() * ranges.size());
    for (byte[] prefix : prefixes) {
      for (ByteRange range : ranges) {
        all.add(range.behind(prefix));
      }
    }
    return all;
  }
}
