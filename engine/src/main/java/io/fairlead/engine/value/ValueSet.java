// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonValue;

/** Values that differ in the order's view, in the order they were added. */
public final class ValueSet {
  private final BsonOrder order;
  private final Set<ValueKey> keys = new LinkedHashSet<>();

  public ValueSet(BsonOrder order) {
    this.order = order;
  }

  /** Adds a value; false when an equal one is there already, which then stays. */
  public boolean add(BsonValue value) {
    return keys.add(new ValueKey(value, order));
  }

  public boolean contains(BsonValue value) {
    return keys.contains(new ValueKey(value, order));
  }

  public boolean remove(BsonValue value) {
    return keys.remove(new ValueKey(value, order));
  }

  public int size() {
    return keys.size();
  }

  public List<BsonValue> values() {
    List<BsonValue> values = new ArrayList<>(keys.size());
    keys.forEach(key -> values.add(key.value()));
    return values;
  }
}
