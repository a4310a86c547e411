// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The values that one field of an index may have, as ranges of their keys: ascending, apart from
 * each other, none empty.
 *
 * @param exact whether a document with such a value in that field surely satisfies the condition
 *     they came from
 * @param points whether every range is one value
 * @param text the ranges for people, as explain shows them
 */
record Intervals(List<ByteRange> ranges, boolean exact, boolean points, List<String> text) {
  Intervals {
    ranges = List.copyOf(ranges);
    text = List.copyOf(text);
  }

  static Intervals point(byte[] key, boolean exact, String text) {
    return new Intervals(List.of(ByteRange.startingWith(key)), exact, true, List.of(text));
  }

  static Intervals range(ByteRange range, boolean exact, String text) {
    return new Intervals(range.isEmpty() ? List.of() : List.of(range), exact, false, List.of(text));
  }

  static Intervals none() {
    return new Intervals(List.of(), true, true, List.of());
  }

  Intervals inexact() {
    return new Intervals(ranges, false, points, text);
  }

  /** What lies in either. */
  Intervals or(Intervals other) {
    return anyOf(List.of(this, other));
  }

  /** What lies in any; in one go, because a condition may list very many values. */
  static Intervals anyOf(List<Intervals> parts) {
    List<ByteRange> all = new ArrayList<>(parts.size());
    List<String> texts = new ArrayList<>(parts.size());
    boolean allExact = true;
    boolean stillPoints = true;
    for (Intervals part : parts) {
      all.addAll(part.ranges);
      texts.addAll(part.text);
      allExact &= part.exact;
      stillPoints &= part.points;
    }
    all.sort((a, b) -> Arrays.compareUnsigned(a.from(), b.from()));
    List<ByteRange> merged = new ArrayList<>();
    for (ByteRange next : all) {
      ByteRange last = merged.isEmpty() ? null : merged.getLast();
      if (last != null && last.equals(next)) {
        continue;
      }
      if (last != null
          && (last.to() == null
              || (stillPoints
                  ? Arrays.compareUnsigned(next.from(), last.to()) < 0
                  : Arrays.compareUnsigned(next.from(), last.to()) <= 0))) {
        stillPoints = false;
        boolean lastEndsLater =
            last.to() == null
                || (next.to() != null && Arrays.compareUnsigned(last.to(), next.to()) >= 0);
        merged.set(
            merged.size() - 1, new ByteRange(last.from(), lastEndsLater ? last.to() : next.to()));
      } else {
        merged.add(next);
      }
    }
    return new Intervals(merged, allExact, stillPoints, texts);
  }

  /** What lies in both. */
  Intervals and(Intervals other) {
    List<ByteRange> both = new ArrayList<>();
    for (ByteRange mine : ranges) {
      for (ByteRange theirs : other.ranges) {
        ByteRange common = mine.and(theirs);
        if (!common.isEmpty()) {
          both.add(common);
        }
      }
    }
    List<String> texts = new ArrayList<>(text);
    texts.addAll(other.text);
    return new Intervals(both, exact && other.exact, points || other.points, texts);
  }

  /** The ranges of the turned-over keys, ascending. */
  Intervals turnedOver() {
    List<ByteRange> turned = new ArrayList<>(ranges.size());
    for (int i = ranges.size() - 1; i >= 0; i--) {
      ByteRange range = ranges.get(i);
      turned.add(
          points ? ByteRange.startingWith(ByteRange.turn(range.from())) : range.turnedOver());
    }
    return new Intervals(turned, exact, points, text);
  }
}
