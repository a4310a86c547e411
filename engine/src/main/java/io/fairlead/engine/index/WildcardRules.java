// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import static io.fairlead.engine.error.ErrorCodes.FAILED_TO_PARSE;
import static io.fairlead.engine.error.ErrorCodes.TYPE_MISMATCH;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.Values;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * What a wildcard index may declare. No path may be in a compound one twice: as a field of its own
 * and among those that the wildcard stands for.
 */
final class WildcardRules {
  private static final int OVERLAPPING_PROJECTION = 7246200;
  private static final int BELOW_THE_WILDCARD = 7246204;
  private static final int FIELD_INCLUDED = 7246208;
  private static final int FIELD_NOT_EXCLUDED = 7246209;
  private static final int FIELDS_LEFT = 7246210;
  private static final int MIXED_IN_COMPOUND = 7246211;
  private static final int MIXED = 31254;
  private static final int EXPRESSION = 51271;

  private WildcardRules() {}

  /**
   * Checks the options and adds what is kept of them.
   *
   * @param declared as given
   * @param result with {@code key}, to be completed
   * @throws EngineException 67, 2, 9, 14 and those above
   */
  static void complete(BsonDocument declared, BsonDocument result) {
    for (String option : List.of("unique", "sparse")) {
      if (result.containsKey(option)) {
        throw SpecialKinds.refused(
            "Index type 'wildcard' does not support the " + option + " option");
      }
    }
    if (result.getInt32("v").getValue() < 2) {
      throw SpecialKinds.refused(
          "Index type 'wildcard' is not allowed with index version v: "
              + result.getInt32("v").getValue());
    }
    BsonDocument key = result.getDocument("key");
    BsonValue projection = declared.get("wildcardProjection");
    if (projection != null) {
      result.append("wildcardProjection", projected(key, projection));
      return;
    }
    if (key.size() > 1 && key.containsKey("$**")) {
      throw SpecialKinds.refused(
          "a compound wildcard index on all fields needs a wildcardProjection that leaves its"
              + " other fields out");
    }
    WildcardPaths paths = WildcardPaths.of(SpecialKinds.wildcardField(key), null);
    for (String field : fields(key)) {
      if (paths.leadsTo(field)) {
        throw overlap(BELOW_THE_WILDCARD, field);
      }
    }
  }

  private static BsonDocument projected(BsonDocument key, BsonValue projection) {
    if (!(projection instanceof BsonDocument paths)) {
      throw new EngineException(
          TYPE_MISMATCH, "The field 'wildcardProjection' must be a non-empty object");
    }
    if (paths.isEmpty()) {
      throw new EngineException(
          FAILED_TO_PARSE, "The 'wildcardProjection' field can't be an empty object");
    }
    if (!key.containsKey("$**")) {
      throw new EngineException(
          FAILED_TO_PARSE,
          "The field 'wildcardProjection' is only allowed when 'key' is {\"$**\": 1}. "
              + Values.showDocument(paths));
    }
    SortedMap<String, Boolean> flat = new TreeMap<>();
    flatten("", paths, flat);
    checkMixture(flat, key.size() > 1);
    if (key.size() > 1) {
      checkCompound(key, flat);
    }
    return paths;
  }

  private static void flatten(
      String prefix, BsonDocument projection, SortedMap<String, Boolean> into) {
    for (Map.Entry<String, BsonValue> entry : projection.entrySet()) {
      BsonValue value = entry.getValue();
      String path = prefix + entry.getKey();
      if (value.isDocument() && !value.asDocument().isEmpty()) {
        flatten(path + ".", value.asDocument(), into);
      } else if (value.isNumber() || value.isBoolean()) {
        into.put(path, Values.truthy(value));
      } else {
        throw new EngineException(
            EXPRESSION,
            "Bad projection specification, cannot use an expression in a wildcardProjection: "
                + path);
      }
    }
  }

  private static void checkMixture(SortedMap<String, Boolean> paths, boolean compound) {
    List<Boolean> kinds =
        paths.entrySet().stream()
            .filter(entry -> !entry.getKey().equals("_id"))
            .map(Map.Entry::getValue)
            .distinct()
            .toList();
    if (kinds.size() > 1) {
      throw new EngineException(
          compound ? MIXED_IN_COMPOUND : MIXED,
          "Bad wildcardProjection: cannot mix inclusion and exclusion of fields");
    }
  }

  private static void checkCompound(BsonDocument key, SortedMap<String, Boolean> paths) {
    for (String path : paths.keySet()) {
      for (String other : paths.keySet()) {
        if (!path.equals(other) && isWithin(path, other)) {
          throw overlap(OVERLAPPING_PROJECTION, path);
        }
      }
    }
    boolean including =
        paths.entrySet().stream()
            .filter(entry -> !entry.getKey().equals("_id") || paths.size() == 1)
            .anyMatch(Map.Entry::getValue);
    for (String field : fields(key)) {
      List<String> listed =
          paths.entrySet().stream()
              .filter(entry -> entry.getValue() == including)
              .map(Map.Entry::getKey)
              .toList();
      boolean hit = listed.stream().anyMatch(path -> isWithin(field, path));
      if (including) {
        boolean leads = listed.stream().anyMatch(path -> isWithin(path, field));
        boolean id = field.equals("_id") && Boolean.TRUE.equals(paths.get("_id"));
        if (hit || leads || id) {
          throw overlap(FIELD_INCLUDED, field);
        }
      } else if (!hit) {
        boolean later = listed.stream().anyMatch(path -> path.compareTo(field) > 0);
        throw overlap(later ? FIELD_NOT_EXCLUDED : FIELDS_LEFT, field);
      }
    }
  }

  private static List<String> fields(BsonDocument key) {
    return key.keySet().stream().filter(path -> !IndexKind.isWildcard(path)).toList();
  }

  private static boolean isWithin(String path, String outer) {
    return path.equals(outer) || path.startsWith(outer + ".");
  }

  private static EngineException overlap(int code, String field) {
    return new EngineException(
        code,
        "the field '" + field + "' of a compound wildcard index is among its wildcard fields");
  }
}
