// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.context.OperationContext.Interrupt;
import io.fairlead.engine.value.ElementCursor;
import io.fairlead.engine.value.Regex;
import io.fairlead.engine.value.Slice;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/** {@code $jsonSchema}'s rules for objects; anything else passes them. */
final class ObjectRules {
  private ObjectRules() {}

  private static boolean field(Slice object, String name, Slice into) {
    return into.moveToField(object.bytes(), object.start(), name.getBytes(StandardCharsets.UTF_8));
  }

  static JsonSchema.Test required(Set<String> names) {
    return value -> {
      Slice slice = new Slice();
      return !value.isDocument() || names.stream().allMatch(name -> field(value, name, slice));
    };
  }

  static JsonSchema.Test properties(Map<String, JsonSchema.Test> schemas) {
    return value -> {
      if (value.isDocument()) {
        Slice slice = new Slice();
        for (Map.Entry<String, JsonSchema.Test> schema : schemas.entrySet()) {
          if (field(value, schema.getKey(), slice) && !schema.getValue().passes(slice)) {
            return false;
          }
        }
      }
      return true;
    };
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
    return value -> {
      if (value.isDocument()) {
        Slice slice = new Slice();
        for (Map.Entry<String, JsonSchema.Test> dependency : dependencies.entrySet()) {
          if (field(value, dependency.getKey(), slice) && !dependency.getValue().passes(value)) {
            return false;
          }
        }
      }
      return true;
    };
  }
}
