// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.accumulator;

import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.Values;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code $min} and {@code $max}: in the order of all values; null and missing are ignored. */
public final class Extreme extends Accumulator {
  private final BsonOrder order;
  private final int sign;
  private final Slice best = new Slice();

  /**
   * Makes one.
   *
   * @param least whether the smallest is wanted
   */
  public Extreme(BsonOrder order, boolean least) {
    this.order = order;
    this.sign = least ? 1 : -1;
  }

  @Override
  public void add(@Nullable BsonValue value) {
    if (!Values.isNullish(value)) {
      add(Slice.of(value));
    }
  }

  @Override
  public void add(Slice value) {
    int type = value.type();
    if (type == BsonTypes.MISSING || type == BsonTypes.NULL || type == BsonTypes.UNDEFINED) {
      return;
    }
    if (best.isMissing() || order.compare(value, best) * sign < 0) {
      best.set(value);
    }
  }

  @Override
  public BsonValue result() {
    BsonValue value = best.value();
    return value == null ? BsonNull.VALUE : value;
  }
}
