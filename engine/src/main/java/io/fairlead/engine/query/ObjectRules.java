// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.context.OperationContext.Interrupt;
import io.fairlead.engine.value.ElementCursor;
import io.fairlead.engine.value.FieldName;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Regex;
import io.fairlead.engine.value.Slice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code $jsonSchema}'s rules for objects; anything else passes them. */
final class ObjectRules {
  private ObjectRules() {}

  /** A property. As in MongoDB, a name with dots is a path and no name of one field. */
  private static final class Property {
    private final FieldName name;
    private final @Nullable FieldPath path;

    Property(String name) {
      this.name = FieldName.of(name);
      this.path = name.indexOf('.') < 0 ? null : FieldPath.of(name);
    }

    /** Whether the object has it and a value of it passes the test. */
    boolean passes(Slice object, JsonSchema.Test test) {
      if (path != null) {
        return path.visit(
            object.bytes(),
            object.start(),
            false,
            (value, index) -> !value.isMissing() && test.passes(value));
      }
      Slice value = new Slice();
      return value.moveToField(object.bytes(), object.start(), name) && test.passes(value);
    }

    boolean isIn(Slice object) {
      return passes(object, value -> true);
    }
  }

  static JsonSchema.Test required(Set<String> names) {
    List<Property> wanted = names.stream().map(Property::new).toList();
    return value ->
        !value.isDocument() || wanted.stream().allMatch(property -> property.isIn(value));
  }

  static JsonSchema.Test properties(Map<String, JsonSchema.Test> schemas) {
    Map<Property, JsonSchema.Test> tests = properly(schemas);
    return value -> {
      if (value.isDocument()) {
        for (Map.Entry<Property, JsonSchema.Test> each : tests.entrySet()) {
          Property property = each.getKey();
          if (!property.passes(value, each.getValue()) && property.isIn(value)) {
            return false;
          }
        }
      }
      return true;
    };
  }

  private static Map<Property, JsonSchema.Test> properly(Map<String, JsonSchema.Test> named) {
    Map<Property, JsonSchema.Test> tests = new LinkedHashMap<>();
    named.forEach((name, test) -> tests.put(new Property(name), test));
    return tests;
  }

  /**
   * Fields that match a pattern pass its schema; those that are neither named nor matched pass
   * {@code otherwise}.
   */
  static JsonSchema.Test additional(
      Set<String> named,
      Map<Regex, JsonSchema.Test> patterns,
      JsonSchema.Test otherwise,
      Interrupt interrupt) {
    return value -> {
      if (!value.isDocument()) {
        return true;
      }
      ElementCursor cursor = new ElementCursor(value.bytes(), value.start());
      Slice slice = new Slice();
      while (cursor.next()) {
        String name = cursor.name();
        boolean covered = named.contains(name);
        for (Map.Entry<Regex, JsonSchema.Test> pattern : patterns.entrySet()) {
          if (pattern.getKey().found(name, interrupt)) {
            covered = true;
            if (!pattern.getValue().passes(cursor.into(slice))) {
              return false;
            }
          }
        }
        if (!covered && !otherwise.passes(cursor.into(slice))) {
          return false;
        }
      }
      return true;
    };
  }

  static JsonSchema.Test size(long least, long most) {
    return value -> {
      if (!value.isDocument()) {
        return true;
      }
      long count = ArrayRules.count(value);
      return count >= least && count <= most;
    };
  }

  static JsonSchema.Test dependencies(Map<String, JsonSchema.Test> dependencies) {
    Map<Property, JsonSchema.Test> tests = properly(dependencies);
    return value -> {
      if (value.isDocument()) {
        for (Map.Entry<Property, JsonSchema.Test> each : tests.entrySet()) {
          if (each.getKey().isIn(value) && !each.getValue().passes(value)) {
            return false;
          }
        }
      }
      return true;
    };
  }
}
