// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.accumulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The best of many by a comparator: {@code $minN $maxN $topN $bottomN $top $bottom}. Keeps at most
 * twice the wanted number.
 */
public final class Ranked extends Holding {
  private final long most;
  private final boolean single;
  private final boolean fromEnd;
  private final Comparator<BsonValue> order;
  private final java.util.function.Function<BsonValue, BsonValue> output;
  private final java.util.function.Predicate<@Nullable BsonValue> takes;
  private final List<BsonValue> kept = new ArrayList<>();

  /**
   * Makes one.
   *
   * @param single whether the result is the one value rather than an array
   * @param fromEnd whether the last in order are wanted; they come out in order
   * @param takes which values take part
   * @param output what is shown of a kept value
   */
  public Ranked(
      long most,
      boolean single,
      boolean fromEnd,
      Comparator<BsonValue> order,
      java.util.function.Predicate<@Nullable BsonValue> takes,
      java.util.function.Function<BsonValue, BsonValue> output) {
    this.most = most;
    this.single = single;
    this.fromEnd = fromEnd;
    this.order = order;
    this.takes = takes;
    this.output = output;
  }

  @Override
  public void add(@Nullable BsonValue value) {
    if (value == null || !takes.test(value)) {
      return;
    }
    kept.add(value);
    keeps(value);
    if (kept.size() >= 2 * most + 16) {
      trim();
    }
  }

  private void trim() {
    kept.sort(order);
    if (kept.size() > most) {
      List<BsonValue> rest =
          fromEnd
              ? kept.subList(0, (int) (kept.size() - most))
              : kept.subList((int) most, kept.size());
      rest.forEach(this::letsGo);
      rest.clear();
    }
  }

  @Override
  public BsonValue result() {
    trim();
    if (single) {
      return kept.isEmpty() ? BsonNull.VALUE : output.apply(kept.getFirst());
    }
    BsonArray result = new BsonArray(kept.size());
    kept.forEach(value -> result.add(output.apply(value)));
    return result;
  }
}
