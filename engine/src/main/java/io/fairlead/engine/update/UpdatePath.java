// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.update;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.Indexes;
import java.util.Comparator;
import java.util.List;

/**
 * A path of an update: names, indexes, and the positional {@code $}, {@code $[]}, {@code $[name]}.
 */
record UpdatePath(String dotted, List<String> parts) {
  /**
   * In which order paths are applied, and so new fields are appended: part by part, numbers before
   * names.
   */
  static final Comparator<UpdatePath> ORDER =
      (a, b) -> {
        int length = Math.min(a.parts.size(), b.parts.size());
        for (int i = 0; i < length; i++) {
          int order = compareParts(a.parts.get(i), b.parts.get(i));
          if (order != 0) {
            return order;
          }
        }
        return Integer.compare(a.parts.size(), b.parts.size());
      };

  static UpdatePath parse(String dotted) {
    if (dotted.isEmpty()) {
      throw new EngineException(ErrorCodes.EMPTY_FIELD_NAME, "An empty update path is not valid.");
    }
    List<String> parts =
        dotted.indexOf('.') < 0 ? List.of(dotted) : List.of(dotted.split("\\.", -1));
    int positional = 0;
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i);
      if (part.isEmpty()) {
        throw new EngineException(
            ErrorCodes.EMPTY_FIELD_NAME,
            "The update path '" + dotted + "' contains an empty field name, which is not allowed.");
      }
      if (part.equals("$")) {
        if (i == 0) {
          throw new EngineException(
              ErrorCodes.BAD_VALUE,
              "Cannot have positional (i.e. '$') element in the first position in path '"
                  + dotted
                  + "'");
        }
        if (++positional > 1) {
          throw new EngineException(
              ErrorCodes.BAD_VALUE,
              "Too many positional (i.e. '$') elements found in path '" + dotted + "'");
        }
      } else if (isArrayUpdate(part)) {
        if (i == 0) {
          throw new EngineException(
              ErrorCodes.BAD_VALUE,
              "Cannot have array filter identifier (i.e. '$[<id>]') element in the first position"
                  + " in path '"
                  + dotted
                  + "'");
        }
      } else if (part.startsWith("$")
          && !part.equals("$ref")
          && !part.equals("$id")
          && !part.equals("$db")) {
        throw new EngineException(
            ErrorCodes.DOLLAR_PREFIXED_FIELD_NAME,
            "The dollar ($) prefixed field '"
                + part
                + "' in '"
                + dotted
                + "' is not allowed for storage.");
      }
    }
    return new UpdatePath(dotted, parts);
  }

  /** {@code $[]} or {@code $[name]}. */
  static boolean isArrayUpdate(String part) {
    return part.startsWith("$[") && part.endsWith("]");
  }

  /** The name within {@code $[name]}; empty for {@code $[]}. */
  static String identifier(String part) {
    return part.substring(2, part.length() - 1);
  }

  boolean hasPositional() {
    return parts.contains("$");
  }

  boolean hasArrayUpdates() {
    for (String part : parts) {
      if (isArrayUpdate(part)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the paths are equal or one lies within the other. */
  boolean conflictsWith(UpdatePath other) {
    int length = Math.min(parts.size(), other.parts.size());
    return parts.subList(0, length).equals(other.parts.subList(0, length));
  }

  private static int compareParts(String a, String b) {
    int x = Indexes.parse(a);
    int y = Indexes.parse(b);
    if (x >= 0 && y >= 0) {
      return Integer.compare(x, y);
    }
    if (x >= 0 || y >= 0) {
      return x >= 0 ? -1 : 1;
    }
    return io.fairlead.engine.value.BsonOrder.plain(a, b);
  }
}
