// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A map whose keys are equal when the order says so: {@code 1} and {@code 1.0} are one key. */
public final class ValueMap<T> {
  private final BsonOrder order;
  private final Map<ValueKey, T> map = new HashMap<>();

  public ValueMap(BsonOrder order) {
    this.order = order;
  }

  public @Nullable T get(BsonValue key) {
    return map.get(new ValueKey(key, order));
  }

  public T computeIfAbsent(BsonValue key, Supplier<T> fresh) {
    return map.computeIfAbsent(new ValueKey(key, order), absent -> fresh.get());
  }

  public void put(BsonValue key, T value) {
    map.put(new ValueKey(key, order), value);
  }

  public int size() {
    return map.size();
  }
}
