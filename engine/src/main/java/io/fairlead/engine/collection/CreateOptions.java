// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import static io.fairlead.engine.catalog.OptionErrors.invalid;
import static io.fairlead.engine.catalog.OptionErrors.truth;
import static io.fairlead.engine.catalog.OptionErrors.wrongType;
import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;
import static io.fairlead.engine.error.ErrorCodes.TYPE_MISMATCH;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexConflicts;
import io.fairlead.engine.timeseries.TimeSeriesOptions;
import io.fairlead.engine.value.Values;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The options of a create command in the form in which they are kept and reported: checked, with
 * defaults written out where MongoDB writes them out, and without what says nothing.
 */
public final class CreateOptions {
  private static final int INVALID_INDEX_SPECIFICATION_OPTION = 197;
  private static final int CLUSTERED_NOT_UNIQUE = 5979700;
  private static final Set<String> CLUSTERED_FIELDS = Set.of("v", "key", "name", "unique");
  private static final Set<String> ID_INDEX_FIELDS = Set.of("v", "key", "name", "ns", "collation");
  private static final Set<String> INTERNAL_DATABASES = Set.of("admin", "config", "local");

  /** The one collection of an internal database that has a validator: the config servers' own. */
  private static final Namespace CONFIG_SETTINGS = Namespace.of("config", "settings");

  private CreateOptions() {}

  /**
   * The options as they are kept.
   *
   * @throws EngineException 72, 2, 14, 197 and 40415 for options that are wrong or contradict each
   *     other
   */
  public static CollectionOptions kept(Namespace namespace, CollectionOptions given) {
    BsonDocument kept = new BsonDocument();
    String recordKeyField = given.recordKeyField();
    for (Map.Entry<String, BsonValue> option : given.declared().entrySet()) {
      String name = option.getKey();
      BsonValue value = option.getValue();
      switch (name) {
        case "capped", "temp" -> {
          if (truth(name, value)) {
            kept.append(name, BsonBoolean.TRUE);
          }
        }
        case "collation" -> {
          Collation collation = collation(value);
          if (collation != null) {
            kept.append(name, collation.spec());
          }
        }
        case "clusteredIndex" -> {
          BsonDocument clustered = clusteredIndex(value);
          if (clustered != null) {
            kept.append(name, clustered);
            recordKeyField = "_id";
          }
        }
        case "idIndex" -> checkIdIndex(value, given.declared());
        case "changeStreamPreAndPostImages" -> {
          if (images(value)) {
            if (INTERNAL_DATABASES.contains(namespace.database())) {
              throw invalid(
                  "The 'changeStreamPreAndPostImages' option is not supported for collections in"
                      + " the "
                      + namespace.database()
                      + " database");
            }
            kept.append(name, value);
          }
        }
        case "validator" -> {
          checkValidatorPlace(namespace);
          kept.append(name, value);
        }
        case "storageEngine", "indexOptionDefaults" -> {
          if (!(value instanceof BsonDocument document) || !document.isEmpty()) {
            throw new EngineException(
                value.isDocument() ? 115 : TYPE_MISMATCH,
                "create: the option '" + name + "' is not supported");
          }
        }
        case "autoIndexId" -> {
          if (!truth(name, value)) {
            throw invalid("create: the option 'autoIndexId' cannot be false");
          }
        }
        case "timeseries" -> kept.append(name, TimeSeriesOptions.parse(value).document());
        default -> kept.append(name, value);
      }
    }
    checkExpiry(kept);
    return new CollectionOptions(given.uuid(), kept, recordKeyField);
  }

  private static void checkExpiry(BsonDocument kept) {
    BsonValue seconds = kept.get("expireAfterSeconds");
    if (seconds == null) {
      return;
    }
    if (!kept.containsKey("clusteredIndex") && !kept.containsKey("timeseries")) {
      throw invalid(
          "'expireAfterSeconds' is only supported on time-series collections or when the"
              + " 'clusteredIndex' option is specified");
    }
    checkExpiry(seconds);
  }

  /**
   * Checks after how many seconds a collection's documents shall expire.
   *
   * @throws EngineException 72, 14
   */
  public static void checkExpiry(BsonValue seconds) {
    if (!seconds.isNumber()) {
      throw wrongType("expireAfterSeconds", seconds, "number");
    }
    double number = seconds.asNumber().doubleValue();
    if (!(number >= 0) || number > Integer.MAX_VALUE) {
      throw invalid(
          number < 0
              ? "TTL index 'expireAfterSeconds' option cannot be less than 0"
              : "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a"
                  + " lower number");
    }
  }

  /**
   * Whether images of changed documents are to be kept.
   *
   * @throws EngineException 14, 40414, 40415
   */
  public static boolean images(BsonValue value) {
    if (!(value instanceof BsonDocument options)) {
      throw wrongType("changeStreamPreAndPostImages", value, "object");
    }
    for (String name : options.keySet()) {
      if (!name.equals("enabled")) {
        throw new EngineException(
            40415, "BSON field 'changeStreamPreAndPostImages." + name + "' is an unknown field.");
      }
    }
    BsonValue enabled = options.get("enabled");
    if (enabled == null) {
      throw new EngineException(
          40414,
          "BSON field 'changeStreamPreAndPostImages.enabled' is missing but a required field");
    }
    return truth("changeStreamPreAndPostImages.enabled", enabled);
  }

  private static @Nullable Collation collation(BsonValue value) {
    if (!(value instanceof BsonDocument options)) {
      throw wrongType("collation", value, "object");
    }
    if (options.isEmpty()) {
      throw new EngineException(BAD_VALUE, "the 'collation' option cannot be an empty object");
    }
    return Collation.of(options);
  }

  private static void checkValidatorPlace(Namespace namespace) {
    if (INTERNAL_DATABASES.contains(namespace.database()) && !namespace.equals(CONFIG_SETTINGS)) {
      throw invalid(
          "Document validators are not allowed on collections in the "
              + namespace.database()
              + " database");
    }
    if (namespace.collection().startsWith("system.")
        && !namespace.collection().startsWith("system.buckets.")) {
      throw invalid("Document validators not allowed on system collection " + namespace);
    }
  }

  private static @Nullable BsonDocument clusteredIndex(BsonValue value) {
    if (value.isBoolean()) {
      if (value.asBoolean().getValue()) {
        throw invalid(
            "The 'clusteredIndex' option must be an object: {key: {_id: 1}, unique: true}");
      }
      return null;
    }
    if (!(value instanceof BsonDocument wish)) {
      throw wrongType("clusteredIndex", value, "object");
    }
    for (String name : wish.keySet()) {
      if (!CLUSTERED_FIELDS.contains(name)) {
        throw new EngineException(
            40415, "BSON field 'clusteredIndex." + name + "' is an unknown field.");
      }
    }
    if (!(wish.get("key") instanceof BsonDocument key)
        || !IndexConflicts.sameKey(key, new BsonDocument("_id", new BsonInt32(1)))) {
      throw new EngineException(
          INVALID_INDEX_SPECIFICATION_OPTION,
          "The clusteredIndex option is only supported for key: {_id: 1}");
    }
    BsonValue unique = wish.get("unique");
    if (unique == null || !truth("clusteredIndex.unique", unique)) {
      throw new EngineException(
          CLUSTERED_NOT_UNIQUE, "The clusteredIndex option requires unique: true to be specified");
    }
    BsonValue name = wish.get("name");
    if (name != null && !name.isString()) {
      throw wrongType("clusteredIndex.name", name, "string");
    }
    return new BsonDocument("v", new BsonInt32(2))
        .append("key", new BsonDocument("_id", new BsonInt32(1)))
        .append("name", name == null ? new BsonString("_id_") : name)
        .append("unique", BsonBoolean.TRUE);
  }

  private static void checkIdIndex(BsonValue value, BsonDocument options) {
    if (!(value instanceof BsonDocument index)) {
      throw wrongType("idIndex", value, "object");
    }
    if (options.containsKey("viewOn")) {
      throw invalid("option not supported on a view: idIndex");
    }
    if (options.isDocument("clusteredIndex")) {
      throw invalid("The 'clusteredIndex' option is not supported with the 'idIndex' option");
    }
    for (String name : index.keySet()) {
      if (!ID_INDEX_FIELDS.contains(name)) {
        throw new EngineException(
            INVALID_INDEX_SPECIFICATION_OPTION,
            "The field '"
                + name
                + "' is not valid for an _id index specification. Specification: "
                + Values.showDocument(index));
      }
    }
    if (!(index.get("key") instanceof BsonDocument key)
        || !IndexConflicts.sameKey(key, new BsonDocument("_id", new BsonInt32(1)))) {
      throw new EngineException(
          BAD_VALUE,
          "The field 'key' for an _id index must be {_id: 1}, but got "
              + Values.showDocument(index));
    }
    Collation own =
        index.containsKey("collation")
            ? collation(Objects.requireNonNull(index.get("collation")))
            : null;
    Collation collections =
        options.containsKey("collation")
            ? collation(Objects.requireNonNull(options.get("collation")))
            : null;
    if (index.containsKey("collation") && !Objects.equals(own, collections)) {
      throw new EngineException(
          BAD_VALUE, "'idIndex' must have the same collation as the collection.");
    }
  }
}
