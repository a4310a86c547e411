// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.ValueSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * When {@code $jsonSchema} calls two values equal, in {@code enum} and {@code uniqueItems}: numbers
 * by their value, strings by their bytes whatever the collation, documents whatever the order of
 * their fields.
 */
final class SchemaEquality {
  private SchemaEquality() {}

  /** The value with the fields of all its documents in the order of their names. */
  static BsonValue sorted(BsonValue value) {
    if (value.isDocument()) {
      Map<String, BsonValue> fields = new TreeMap<>();
      value.asDocument().forEach((name, inner) -> fields.put(name, sorted(inner)));
      BsonDocument sorted = new BsonDocument();
      fields.forEach(sorted::append);
      return sorted;
    }
    if (value.isArray()) {
      List<BsonValue> elements = new ArrayList<>();
      value.asArray().forEach(inner -> elements.add(sorted(inner)));
      return new BsonArray(elements);
    }
    return value;
  }

  /** The test of {@code enum}. */
  static JsonSchema.Test oneOf(BsonArray wanted) {
    ValueSet values = new ValueSet(BsonOrder.SIMPLE);
    for (BsonValue value : wanted) {
      if (!values.add(sorted(value))) {
        throw JsonSchema.failed(
            "$jsonSchema keyword 'enum' array cannot contain duplicate values.");
      }
    }
    ValueTest.OneOf any =
        ValueTest.OneOf.of(List.copyOf(values.values()), List.of(), BsonOrder.SIMPLE);
    return value -> {
      Slice compared =
          value.isDocument() || value.isArray()
              ? Slice.of(sorted(Objects.requireNonNull(value.value())))
              : value;
      return any.test(compared, new Evaluation(compared.bytes(), compared.start()));
    };
  }
}
