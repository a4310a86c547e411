// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.ElementCursor;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.ValueSet;
import java.util.List;

/** {@code $jsonSchema}'s rules for arrays; anything else passes them. */
final class ArrayRules {
  private ArrayRules() {}

  static long count(Slice container) {
    ElementCursor cursor = new ElementCursor(container.bytes(), container.start());
    long count = 0;
    while (cursor.next()) {
      count++;
    }
    return count;
  }

  static JsonSchema.Test size(long least, long most) {
    return value -> {
      if (!value.isArray()) {
        return true;
      }
      long count = count(value);
      return count >= least && count <= most;
    };
  }

  /** No two elements are equal; the order of fields and collations do not tell them apart. */
  static JsonSchema.Test unique() {
    return value -> {
      if (!value.isArray()) {
        return true;
      }
      ValueSet seen = new ValueSet(BsonOrder.SIMPLE);
      ElementCursor cursor = new ElementCursor(value.bytes(), value.start());
      while (cursor.next()) {
        if (!seen.add(SchemaEquality.sorted(cursor.value()))) {
          return false;
        }
      }
      return true;
    };
  }

  /** The first elements pass the schema of their position, later ones {@code otherwise}. */
  static JsonSchema.Test items(List<JsonSchema.Test> positions, JsonSchema.Test otherwise) {
    return value -> {
      if (!value.isArray()) {
        return true;
      }
      ElementCursor cursor = new ElementCursor(value.bytes(), value.start());
      Slice slice = new Slice();
      for (int i = 0; cursor.next(); i++) {
        JsonSchema.Test test = i < positions.size() ? positions.get(i) : otherwise;
        if (!test.passes(cursor.into(slice))) {
          return false;
        }
      }
      return true;
    };
  }
}
