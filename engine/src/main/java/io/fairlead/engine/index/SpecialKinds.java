// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;
import static io.fairlead.engine.error.ErrorCodes.CANNOT_CREATE_INDEX;
import static io.fairlead.engine.error.ErrorCodes.TYPE_MISMATCH;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.geo.GeoCells;
import io.fairlead.engine.text.TextIndexOptions;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The rules for special indexes: hashed, wildcard, text and geometry. What their options may be,
 * and what reads their keys.
 */
final class SpecialKinds {
  private static final double PLANE_MIN = -180;
  private static final double PLANE_MAX = 180;
  private static final int PLANE_BITS = 26;

  /** Options that only one kind has. */
  static final Set<String> OPTIONS =
      Set.of(
          "weights",
          "default_language",
          "language_override",
          "textIndexVersion",
          "2dsphereIndexVersion",
          "bits",
          "min",
          "max",
          "wildcardProjection");

  private SpecialKinds() {}

  /**
   * Checks the key of an index that is not purely ordered.
   *
   * @throws EngineException 67 for a combination that cannot be
   */
  static void checkKey(BsonDocument key) {
    Set<IndexKind> kinds = new java.util.LinkedHashSet<>();
    int hashed = 0;
    int wildcards = 0;
    for (Map.Entry<String, BsonValue> field : key.entrySet()) {
      BsonValue value = field.getValue();
      IndexKind named = IndexKind.named(value);
      if (value.isString() && named == null) {
        throw refused("Unknown index plugin '" + value.asString().getValue() + "'");
      }
      if (named != null) {
        kinds.add(named);
      }
      hashed += named == IndexKind.HASHED ? 1 : 0;
      if (IndexKind.isWildcard(field.getKey()) && named != IndexKind.TEXT) {
        wildcards++;
        if (named != null) {
          throw refused(
              "The key pattern value for an '$**' index must be a non-zero number, not a string.");
        }
        if (!value.isNumber() || Numbers.toDouble(value) == 0) {
          throw refused("Values in the index key pattern cannot be 0.");
        }
      }
    }
    if (kinds.size() > 1) {
      throw refused("Can't use more than one index plugin for a single index.");
    }
    if (hashed > 1) {
      throw new EngineException(
          31303,
          "A maximum of one index field is allowed to be hashed but found "
              + hashed
              + " for 'key' "
              + Values.showDocument(key));
    }
    if (wildcards > 0 && !kinds.isEmpty()) {
      throw refused("wildcard indexes cannot be combined with other index plugins");
    }
    if (wildcards > 1) {
      throw new EngineException(
          7246201, "wildcard indexes do not allow more than one wildcard field");
    }
    if (kinds.contains(IndexKind.GEO_PLANE)) {
      checkPlane(key);
    }
  }

  private static void checkPlane(BsonDocument key) {
    if (IndexKind.named(key.get(key.getFirstKey())) != IndexKind.GEO_PLANE) {
      throw new EngineException(16801, "2d has to be first in index");
    }
    if (key.values().stream().filter(value -> IndexKind.named(value) == IndexKind.GEO_PLANE).count()
        > 1) {
      throw new EngineException(16800, "can't have 2 geo fields");
    }
  }

  /**
   * Adds the options of the index's kind to what is kept of it, with their defaults, and refuses
   * those of other kinds.
   *
   * @param declared as given
   * @param result with {@code key}, to be completed
   */
  static void complete(BsonDocument declared, BsonDocument result) {
    IndexKind kind = IndexKind.of(result.getDocument("key"));
    switch (kind) {
      case TEXT, GEO_SPHERE, GEO_PLANE -> {
        if (result.containsKey("collation")) {
          throw refused(
              "an index of the kind '"
                  + kind.plugin()
                  + "' with a collation is not supported: give it {locale: 'simple'}");
        }
      }
      case ORDERED, HASHED, WILDCARD -> {}
    }
    switch (kind) {
      case ORDERED -> {}
      case HASHED -> {
        if (result.containsKey("unique")) {
          throw new EngineException(
              16764, "Currently hashed indexes cannot guarantee uniqueness. Use a regular index.");
        }
      }
      case WILDCARD -> WildcardRules.complete(declared, result);
      case TEXT -> TextIndexOptions.complete(declared, result);
      case GEO_SPHERE ->
          result.append(
              "2dsphereIndexVersion",
              new BsonInt32(version(declared, "2dsphereIndexVersion", 3, Set.of(1, 2, 3))));
      case GEO_PLANE -> completePlane(declared, result);
    }
    if (kind != IndexKind.WILDCARD && declared.containsKey("wildcardProjection")) {
      throw new EngineException(
          BAD_VALUE,
          "The field 'wildcardProjection' is only allowed in an 'wildcard' index. Specification: "
              + Values.showDocument(declared));
    }
    if ((kind == IndexKind.WILDCARD || kind == IndexKind.TEXT || kind == IndexKind.HASHED)
        && declared.containsKey("expireAfterSeconds")) {
      throw refused("TTL indexes are single-field indexes, and no special ones");
    }
  }

  static String wildcardField(BsonDocument key) {
    return key.keySet().stream().filter(IndexKind::isWildcard).findFirst().orElseThrow();
  }

  private static void completePlane(BsonDocument declared, BsonDocument result) {
    double bits = number(declared, "bits", PLANE_BITS);
    if (!(bits >= 1 && bits <= 32)) {
      throw new EngineException(
          BAD_VALUE,
          "bits for hash must be > 0 and <= 32, but " + (long) bits + " bits were specified");
    }
    double min = number(declared, "min", PLANE_MIN);
    double max = number(declared, "max", PLANE_MAX);
    if (!(min < max)) {
      throw new EngineException(
          BAD_VALUE,
          "region for hash must be valid and have positive area, but ["
              + min
              + ", "
              + max
              + "] was specified");
    }
    for (String option : List.of("bits", "min", "max")) {
      if (declared.containsKey(option)) {
        result.append(option, declared.get(option));
      }
    }
  }

  private static double number(BsonDocument declared, String option, double without) {
    BsonValue value = declared.get(option);
    if (value == null) {
      return without;
    }
    if (!value.isNumber()) {
      throw new EngineException(
          TYPE_MISMATCH,
          "The field '" + option + "' must be a number, but got " + Values.show(value));
    }
    return Numbers.toDouble(value);
  }

  /** The version that an option asks for, or the one without it. */
  static int version(BsonDocument declared, String option, int without, Set<Integer> known) {
    double version = number(declared, option, without);
    if (version != Math.rint(version) || !known.contains((int) version)) {
      throw refused("unsupported " + option + ": " + Values.show(declared.get(option)));
    }
    return (int) version;
  }

  static EngineException refused(String message) {
    return new EngineException(CANNOT_CREATE_INDEX, message);
  }

  /** The paths that a wildcard index covers; null for an index of another kind. */
  static @Nullable WildcardPaths wildcardPaths(BsonDocument declared) {
    BsonDocument key = declared.getDocument("key");
    if (IndexKind.of(key) != IndexKind.WILDCARD) {
      return null;
    }
    BsonDocument projection =
        declared.get("wildcardProjection") instanceof BsonDocument paths ? paths : null;
    return WildcardPaths.of(wildcardField(key), projection);
  }

  /** How an index keeps geometry; null for an index of another kind. */
  static @Nullable GeoCells cells(BsonDocument declared) {
    return switch (IndexKind.of(declared.getDocument("key"))) {
      case GEO_SPHERE -> GeoCells.SPHERE;
      case GEO_PLANE ->
          GeoCells.plane(
              number(declared, "min", PLANE_MIN),
              number(declared, "max", PLANE_MAX),
              (int) number(declared, "bits", PLANE_BITS));
      default -> null;
    };
  }

  /** What reads the keys of a special index. */
  static IndexKeys reader(IndexDefinition index) {
    List<KeyPart> parts = new ArrayList<>();
    GeoCells cells = index.cells();
    boolean text = false;
    for (KeyPattern.Field field : index.pattern().fields()) {
      IndexKind named = IndexKind.named(index.key().get(field.path()));
      if (named == IndexKind.HASHED) {
        parts.add(new HashedPart(field.path(), index.strings()));
      } else if (cells != null && named != null) {
        parts.add(new GeoPart(field.path(), cells));
      } else if (index.wildcard() != null && IndexKind.isWildcard(field.path())) {
        parts.add(
            new WildcardPart(java.util.Objects.requireNonNull(index.wildcard()), index.strings()));
      } else if (index.text() != null && field.path().startsWith("_fts")) {
        if (!text) {
          parts.add(new TextPart(java.util.Objects.requireNonNull(index.text())));
        }
        text = true;
      } else {
        parts.add(new PlainPart(field, index.strings(), index.text() != null));
      }
    }
    return new ProductKeys(parts);
  }
}
