// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;
import static io.fairlead.engine.error.ErrorCodes.CANNOT_CREATE_INDEX;
import static io.fairlead.engine.error.ErrorCodes.FAILED_TO_PARSE;
import static io.fairlead.engine.error.ErrorCodes.TYPE_MISMATCH;

import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.Plain;
import io.fairlead.engine.value.Values;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What createIndexes accepts as a specification. How one gets along with those that are there says
 * {@link IndexConflicts}; what is special to hashed, wildcard, text and geometry is checked by
 * {@link SpecialKinds}.
 */
public final class IndexRules {
  private static final int INVALID_INDEX_SPECIFICATION_OPTION = 197;
  private static final Set<String> OPTIONS =
      withSpecial(
          "v",
          "key",
          "name",
          "ns",
          "unique",
          "sparse",
          "hidden",
          "prepareUnique",
          "background",
          "expireAfterSeconds",
          "partialFilterExpression",
          "collation",
          "clustered");
  private static final Set<String> ID_OPTIONS = Set.of("v", "key", "name", "ns", "collation");

  private IndexRules() {}

  private static Set<String> withSpecial(String... ordinary) {
    Set<String> all = new java.util.HashSet<>(SpecialKinds.OPTIONS);
    all.addAll(List.of(ordinary));
    return Set.copyOf(all);
  }

  /** The index on {@code _id}, whose strings are ordered by the collection's collation. */
  public static IndexDefinition idIndex(@Nullable Collation collation) {
    BsonDocument declared =
        new BsonDocument("v", new BsonInt32(2))
            .append("key", new BsonDocument("_id", new BsonInt32(1)))
            .append("name", new BsonString("_id_"));
    if (collation != null) {
      declared.append("collation", collation.spec());
    }
    return new IndexDefinition(declared);
  }

  /** A definition that was checked when its index was made, from what it declared then. */
  public static IndexDefinition restored(BsonDocument declared) {
    return new IndexDefinition(declared);
  }

  /**
   * Checks a specification by itself and compiles it.
   *
   * @param ofCollection the collection's collation, which the index has unless it says otherwise
   * @throws EngineException 67, 9, 14, 2 or 197
   */
  public static IndexDefinition parse(IndexSpec spec, @Nullable Collation ofCollection) {
    BsonDocument declared = Plain.document(spec.declared());
    if (!(declared.get("key") instanceof BsonDocument key)) {
      throw new EngineException(
          declared.containsKey("key") ? TYPE_MISMATCH : FAILED_TO_PARSE,
          "The 'key' field is a required property of an index specification, and must be a"
              + " document");
    }
    boolean id = key.size() == 1 && key.containsKey("_id") && key.get("_id").isNumber();
    checkOptions(declared, id);
    checkKey(key);
    BsonDocument result = new BsonDocument("v", new BsonInt32(version(declared)));
    result.append("key", key);
    if (declared.containsKey("collation") && result.getInt32("v").getValue() < 2) {
      throw SpecialKinds.refused(
          "Invalid index specification "
              + Values.showDocument(declared)
              + "; cannot create an index with the 'collation' option and v=1");
    }
    Collation collation = collation(declared, ofCollection);
    if (id) {
      if (key.getNumber("_id").doubleValue() != 1) {
        throw new EngineException(
            BAD_VALUE,
            "The field 'key' for an _id index must be {_id: 1}, but got "
                + Values.showDocument(key));
      }
      if (!Objects.equals(collation, ofCollection)) {
        throw new EngineException(
            BAD_VALUE,
            "The _id index must have the same collation as the collection. Index collation: "
                + (collation == null ? Collation.SIMPLE : collation)
                + ", collection collation: "
                + (ofCollection == null ? Collation.SIMPLE : ofCollection));
      }
      return idIndex(ofCollection);
    }
    result.append("name", new BsonString(name(declared)));
    for (String option : List.of("unique", "sparse", "hidden", "prepareUnique")) {
      BsonValue value = declared.get(option);
      if (value == null) {
        continue;
      }
      if (!value.isBoolean() && !value.isNumber()) {
        throw new EngineException(
            TYPE_MISMATCH,
            "The field '"
                + option
                + "' has value "
                + Values.show(value)
                + ", which is not convertible to bool");
      }
      if (value.isBoolean() ? value.asBoolean().getValue() : value.asNumber().doubleValue() != 0) {
        result.append(option, BsonBoolean.TRUE);
      }
    }
    if (declared.containsKey("expireAfterSeconds")) {
      result.append(
          "expireAfterSeconds",
          new BsonInt32((int) declared.getNumber("expireAfterSeconds").longValue()));
    }
    if (collation != null) {
      result.append("collation", collation.spec());
    }
    SpecialKinds.checkKey(key);
    SpecialKinds.complete(declared, result);
    appendFilter(declared, result);
    return new IndexDefinition(result);
  }

  private static void checkOptions(BsonDocument declared, boolean id) {
    for (String option : declared.keySet()) {
      if (!OPTIONS.contains(option)) {
        throw new EngineException(
            INVALID_INDEX_SPECIFICATION_OPTION,
            "The field '"
                + option
                + "' is not valid for an index specification. Specification: "
                + Values.showDocument(declared));
      }
      if (id && !ID_OPTIONS.contains(option) && !option.equals("background")) {
        throw new EngineException(
            INVALID_INDEX_SPECIFICATION_OPTION,
            "The field '"
                + option
                + "' is not valid for an _id index specification. Specification: "
                + Values.showDocument(declared));
      }
    }
    if (declared.containsKey("clustered")) {
      throw new EngineException(
          INVALID_INDEX_SPECIFICATION_OPTION, "a clustered index is created with its collection");
    }
    if (declared.containsKey("expireAfterSeconds")) {
      checkExpiry(
          declared.getDocument("key"), Objects.requireNonNull(declared.get("expireAfterSeconds")));
    }
  }

  private static @Nullable Collation collation(
      BsonDocument declared, @Nullable Collation ofCollection) {
    BsonValue given = declared.get("collation");
    if (given == null) {
      return ofCollection;
    }
    if (!(given instanceof BsonDocument options)) {
      throw new EngineException(
          TYPE_MISMATCH, "The field 'collation' must be an object, but got " + typeName(given));
    }
    if (options.isEmpty()) {
      throw new EngineException(BAD_VALUE, "The field 'collation' cannot be an empty object.");
    }
    return Collation.of(options);
  }

  /**
   * Checks after how many seconds documents shall expire.
   *
   * @throws EngineException 67 for an index on several fields, and for what is no such number
   */
  public static void checkExpiry(BsonDocument key, BsonValue seconds) {
    String wrong = null;
    if (!seconds.isNumber()) {
      wrong =
          "TTL index 'expireAfterSeconds' option must be numeric, but received a type of '"
              + typeName(seconds)
              + "'";
    } else if (!(seconds.asNumber().doubleValue() >= 0)) {
      wrong = "TTL index 'expireAfterSeconds' option cannot be less than 0";
    } else if (seconds.asNumber().doubleValue() > Integer.MAX_VALUE) {
      wrong =
          "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a"
              + " different number";
    } else if (key.size() != 1) {
      wrong = "TTL indexes are single-field indexes, compound indexes do not support TTL";
    } else if (key.containsKey("_id")) {
      wrong = "the index on _id cannot expire documents";
    }
    if (wrong != null) {
      throw new EngineException(
          CANNOT_CREATE_INDEX, wrong + ". Index spec key: " + Values.showDocument(key));
    }
  }

  private static int version(BsonDocument declared) {
    BsonValue version = declared.get("v");
    if (version == null) {
      return 2;
    }
    if (!version.isNumber()) {
      throw new EngineException(
          TYPE_MISMATCH, "The field 'v' must be a number, but got " + Values.show(version));
    }
    double number = version.asNumber().doubleValue();
    if (number != 1 && number != 2) {
      throw new EngineException(
          CANNOT_CREATE_INDEX,
          "Invalid index specification "
              + Values.showDocument(declared)
              + "; cannot create an index with v="
              + Values.show(version));
    }
    return (int) number;
  }

  private static String name(BsonDocument declared) {
    if (!declared.containsKey("name")) {
      throw new EngineException(
          FAILED_TO_PARSE, "The 'name' field is a required property of an index specification");
    }
    if (!(declared.get("name") instanceof BsonString name)) {
      throw new EngineException(
          TYPE_MISMATCH,
          "The field 'name' must be a string, but got " + Values.show(declared.get("name")));
    }
    if (name.getValue().isEmpty()) {
      throw new EngineException(CANNOT_CREATE_INDEX, "index name cannot be empty");
    }
    if (name.getValue().indexOf('\0') >= 0) {
      throw new EngineException(CANNOT_CREATE_INDEX, "index name cannot contain a NUL");
    }
    if (name.getValue().equals("*")) {
      throw new EngineException(BAD_VALUE, "The index name '*' is not valid.");
    }
    return name.getValue();
  }

  private static void checkKey(BsonDocument key) {
    if (key.isEmpty()) {
      throw new EngineException(CANNOT_CREATE_INDEX, "Index keys cannot be empty.");
    }
    if (key.size() > 32) {
      throw new EngineException(13103, "too many compound keys");
    }
    key.forEach(
        (path, kind) -> {
          checkPath(path, IndexKind.named(kind) == IndexKind.TEXT);
          if (kind.isString()) {
            return; // of a special kind
          }
          if (!kind.isNumber()) {
            throw new EngineException(
                CANNOT_CREATE_INDEX,
                "Values in v:2 index key pattern cannot be of type "
                    + typeName(kind)
                    + ". Only numbers > 0, numbers < 0, and strings are allowed.");
          }
          double direction = kind.asNumber().doubleValue();
          if (direction == 0 || Double.isNaN(direction)) {
            throw new EngineException(
                CANNOT_CREATE_INDEX,
                Double.isNaN(direction)
                    ? "Values in the index key pattern cannot be NaN."
                    : "Values in the index key pattern cannot be 0.");
          }
        });
  }

  private static void checkPath(String path, boolean text) {
    if (path.isEmpty()) {
      throw new EngineException(CANNOT_CREATE_INDEX, "Index keys cannot be an empty field.");
    }
    if (path.equals("_fts") && !text) {
      throw new EngineException(
          CANNOT_CREATE_INDEX, "Index key contains an illegal field name: '_fts'");
    }
    String named =
        IndexKind.isWildcard(path) && (!text || path.equals("$**"))
            ? path.substring(0, path.length() - 3)
            : path;
    if (named.isEmpty()) {
      return;
    }
    if (named.length() < path.length()) {
      named = named.substring(0, named.length() - 1);
    }
    boolean first = true;
    for (String part : named.split("\\.", -1)) {
      if (part.isEmpty()) {
        throw new EngineException(CANNOT_CREATE_INDEX, "Index keys cannot contain an empty field.");
      }
      if (part.startsWith("$") && (first || !Set.of("$id", "$db", "$ref").contains(part))) {
        throw new EngineException(
            CANNOT_CREATE_INDEX,
            "Index key contains an illegal field name: field name starts with '$'.");
      }
      first = false;
    }
  }

  private static String typeName(BsonValue value) {
    return switch (value.getBsonType()) {
      case BOOLEAN -> "bool";
      case DOCUMENT -> "object";
      case ARRAY -> "array";
      case NULL -> "null";
      default -> value.getBsonType().name().toLowerCase(java.util.Locale.ROOT);
    };
  }

  private static void appendFilter(BsonDocument declared, BsonDocument result) {
    BsonValue filter = declared.get("partialFilterExpression");
    if (filter == null) {
      return;
    }
    if (!(filter instanceof BsonDocument)) {
      throw new EngineException(
          TYPE_MISMATCH,
          "The field 'partialFilterExpression' must be an object, but got " + typeName(filter));
    }
    if (result.containsKey("sparse")) {
      throw new EngineException(
          CANNOT_CREATE_INDEX, "cannot mix \"partialFilterExpression\" and \"sparse\" options");
    }
    result.append("partialFilterExpression", filter);
    PartialFilter.check(new IndexDefinition(result));
  }
}
