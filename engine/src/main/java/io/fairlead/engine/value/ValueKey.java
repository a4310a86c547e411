// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A value as a key of hash tables: equal when the order says so. */
final class ValueKey {
  private final BsonValue value;
  private final int hash;
  private final BsonOrder order;

  ValueKey(BsonValue value, BsonOrder order) {
    this.value = value;
    this.hash = order.hash(value);
    this.order = order;
  }

  BsonValue value() {
    return value;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ValueKey key && hash == key.hash && order.equal(value, key.value);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
