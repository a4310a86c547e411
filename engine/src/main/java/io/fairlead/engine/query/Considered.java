// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The values that a condition on a path looked at, as they are told when it did not hold. */
final class Considered {
  private static final int SHOWN_MAX = 10;

  private Considered() {}

  /** The values at a path, arrays at its end as they are. */
  static List<BsonValue> at(String path, BsonDocument document) {
    List<BsonValue> values = new ArrayList<>();
    Slice root = Slice.of(document);
    FieldPath.of(path)
        .visit(
            root.bytes(),
            root.start(),
            false,
            (value, index) -> {
              if (!value.isMissing()) {
                values.add(Objects.requireNonNull(value.detached().value()));
              }
              return false;
            });
    return values;
  }

  /** The same with the elements of arrays in their place. */
  static List<BsonValue> elements(List<BsonValue> values) {
    List<BsonValue> elements = new ArrayList<>();
    for (BsonValue value : values) {
      if (value.isArray()) {
        elements.addAll(value.asArray());
      } else {
        elements.add(value);
      }
    }
    return elements;
  }

  static void append(BsonDocument failure, List<BsonValue> values) {
    if (values.size() == 1) {
      failure.append("consideredValue", values.getFirst());
      return;
    }
    List<BsonValue> shown = values.subList(0, Math.min(values.size(), SHOWN_MAX));
    failure.append("consideredValues", new BsonArray(shown));
    if (shown.size() < values.size()) {
      failure.append("consideredValuesTruncated", BsonBoolean.TRUE);
    }
  }

  static void appendTypes(BsonDocument failure, List<BsonValue> values) {
    Set<String> types = new TreeSet<>();
    values.forEach(value -> types.add(BsonTypes.nameOf(value)));
    appendNames(failure, "consideredType", types);
  }

  static void appendNames(BsonDocument failure, String name, Set<String> names) {
    if (names.size() == 1) {
      failure.append(name, new BsonString(names.iterator().next()));
    } else if (!names.isEmpty()) {
      failure.append(name + "s", new BsonArray(names.stream().map(BsonString::new).toList()));
    }
  }
}
