// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.accumulator;

import java.util.Comparator;
import java.util.Iterator;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The first or last so many by an order: {@code $minN $maxN $topN $bottomN $top $bottom}. What ties
 * stays in the order in which it came; when enough are kept, a value that only ties with the worst
 * of them is not taken.
 */
public final class Ranked extends Holding {
  /** What is shown. */
  public enum Shown {
    /** The one value. */
    VALUE,
    /** An array in the order. */
    ARRAY,
    /** An array against the order. */
    REVERSED
  }

  private record Kept(BsonValue value, long number) {}

  private final long most;
  private final boolean last;
  private final boolean sliding;
  private final Shown shown;
  private final Comparator<BsonValue> order;
  private final Predicate<@Nullable BsonValue> takes;
  private final Function<BsonValue, BsonValue> output;
  private final TreeSet<Kept> kept;
  private long seen;

  /**
   * Makes one.
   *
   * @param last whether the last in the order are wanted rather than the first
   * @param sliding whether it is for a window that moves at both ends: there all values stay in
   *     play, so of those that tie at the end the latest count
   * @param takes which values take part
   * @param output what is shown of a kept value
   */
  public Ranked(
      long most,
      boolean last,
      boolean sliding,
      Shown shown,
      Comparator<BsonValue> order,
      Predicate<@Nullable BsonValue> takes,
      Function<BsonValue, BsonValue> output) {
    this.most = most;
    this.last = last;
    this.sliding = sliding;
    this.shown = shown;
    this.order = order;
    this.takes = takes;
    this.output = output;
    this.kept =
        new TreeSet<>(Comparator.comparing(Kept::value, order).thenComparingLong(Kept::number));
  }

  @Override
  public void add(@Nullable BsonValue value) {
    if (value == null || !takes.test(value)) {
      return;
    }
    if (!sliding && kept.size() == most) {
      int comparison = order.compare(value, (last ? kept.first() : kept.last()).value);
      if (last ? comparison <= 0 : comparison >= 0) {
        return;
      }
      Kept worst = last ? kept.pollFirst() : kept.pollLast();
      if (worst != null) {
        letsGo(worst.value);
      }
    }
    kept.add(new Kept(value, seen++));
    keeps(value);
  }

  @Override
  public BsonValue result() {
    BsonArray result = new BsonArray();
    Iterator<Kept> all = shown == Shown.REVERSED ? kept.descendingIterator() : kept.iterator();
    // against the order the last come first
    long skipped = last && shown != Shown.REVERSED ? Math.max(0, kept.size() - most) : 0;
    while (all.hasNext() && result.size() < most) {
      Kept next = all.next();
      if (skipped-- <= 0) {
        result.add(output.apply(next.value));
      }
    }
    if (shown == Shown.VALUE) {
      return result.isEmpty() ? BsonNull.VALUE : result.getFirst();
    }
    return result;
  }
}
