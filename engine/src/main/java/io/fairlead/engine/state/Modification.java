// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;
import static io.fairlead.engine.error.ErrorCodes.INVALID_OPTIONS;
import static io.fairlead.engine.error.ErrorCodes.TYPE_MISMATCH;

import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.CreateOptions;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.timeseries.TimeSeriesOptions;
import io.fairlead.engine.value.BsonTypes;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/**
 * What collMod makes of a collection or view.
 *
 * @param state it with the modification
 * @param reply the fields of the command's reply
 */
record Modification(CollectionState state, BsonDocument reply) {
  private static final long CAPPED_BYTES_MAX = 1L << 50;
  private static final Set<String> OF_TIME_SERIES =
      Set.of("timeseries", "expireAfterSeconds", "index", "dryRun");
  private static final Set<String> OF_VIEWS = Set.of("viewOn", "pipeline");

  /**
   * @param fields the command's own fields, {@code index}, {@code validator} …
   * @throws EngineException 72 for an option that such a collection cannot have, 2, 14, 27, 359,
   *     40415
   */
  static Modification of(CollectionState before, BsonDocument fields, Instant now) {
    CollectionState state = before;
    BsonDocument reply = new BsonDocument();
    BsonDocument options = before.options().declared().clone();
    boolean dryRun = truth("dryRun", fields.get("dryRun", BsonBoolean.FALSE));
    if (dryRun
        && !(fields.get("index") instanceof BsonDocument index && index.containsKey("unique"))) {
      throw invalid("The 'dryRun' option is only valid with 'index: {unique: true}'");
    }
    for (Map.Entry<String, BsonValue> field : fields.entrySet()) {
      String name = field.getKey();
      BsonValue value = field.getValue();
      checkKind(before, name);
      switch (name) {
        case "viewOn", "pipeline", "validator", "validationLevel", "validationAction" ->
            options.put(name, value);
        case "cappedSize" -> {
          requireCapped(before);
          long size = number(name, value);
          if (size < 1 || size > CAPPED_BYTES_MAX) {
            throw new EngineException(
                51024,
                "BSON field 'collMod.cappedSize' value must be >= 1 and <= "
                    + CAPPED_BYTES_MAX
                    + ", actual value '"
                    + size
                    + "'");
          }
          options.put("size", new BsonInt64(size));
        }
        case "cappedMax" -> {
          requireCapped(before);
          options.put("max", new BsonInt64(Math.max(0, number(name, value))));
        }
        case "expireAfterSeconds" -> expiry(options, value);
        case "changeStreamPreAndPostImages" -> {
          if (CreateOptions.images(value)) {
            options.put(name, value);
          } else {
            options.remove(name);
          }
        }
        case "index" -> {
          if (!(value instanceof BsonDocument wish)) {
            throw wrongType(name, value, "object");
          }
          state = new IndexModification(state, wish, reply).apply(dryRun, now);
        }
        case "timeseries" -> {
          TimeSeriesOptions timeSeries = before.rules().timeSeries();
          if (timeSeries == null) {
            throw invalid("option only supported on a time-series collection: timeseries");
          }
          options.put(name, timeSeries.modified(value).document());
        }
        case "dryRun" -> {}
        default ->
            throw new EngineException(
                40415, "BSON field 'collMod." + name + "' is an unknown field.");
      }
    }
    if (fields.containsKey("pipeline") != fields.containsKey("viewOn")) {
      throw invalid("Must specify both 'viewOn' and 'pipeline' when modifying a view");
    }
    CollectionOptions changed =
        new CollectionOptions(before.options().uuid(), options, before.options().recordKeyField());
    return new Modification(state.withOptions(changed), reply);
  }

  private static void checkKind(CollectionState before, String name) {
    if (before.isView() && before.rules().timeSeries() != null) {
      if (!OF_TIME_SERIES.contains(name)) {
        throw invalid("option not supported on a time-series collection: " + name);
      }
      return;
    }
    if (OF_VIEWS.contains(name) && !before.isView()) {
      throw invalid("option only supported on a view: " + name);
    }
    if (!OF_VIEWS.contains(name) && before.isView()) {
      throw invalid("option not supported on a view: " + name);
    }
  }

  private static void expiry(BsonDocument options, BsonValue value) {
    if (!options.containsKey("clusteredIndex") && !options.containsKey("timeseries")) {
      throw invalid(
          "'expireAfterSeconds' is only supported on time-series collections or when the"
              + " 'clusteredIndex' option is specified");
    }
    if (value.isString()) {
      if (!value.asString().getValue().equals("off")) {
        throw invalid("Invalid string value for the 'expireAfterSeconds' option: " + value);
      }
      options.remove("expireAfterSeconds");
      return;
    }
    CreateOptions.checkExpiry(value);
    options.put("expireAfterSeconds", new BsonInt64(value.asNumber().longValue()));
  }

  private static void requireCapped(CollectionState state) {
    if (!state.rules().capped()) {
      throw invalid("Collection must be capped.");
    }
  }

  static boolean truth(String option, BsonValue value) {
    if (value.isBoolean()) {
      return value.asBoolean().getValue();
    }
    if (value.isNumber()) {
      return value.asNumber().doubleValue() != 0;
    }
    throw wrongType(option, value, "bool");
  }

  private static long number(String option, BsonValue value) {
    if (!value.isNumber()) {
      throw wrongType(option, value, "long");
    }
    return value.asNumber().longValue();
  }

  static EngineException wrongType(String option, BsonValue value, String expected) {
    return new EngineException(
        TYPE_MISMATCH,
        "BSON field 'collMod."
            + option
            + "' is the wrong type '"
            + BsonTypes.nameOf(value)
            + "', expected type '"
            + expected
            + "'");
  }

  static EngineException invalid(String message) {
    return new EngineException(INVALID_OPTIONS, message);
  }

  static EngineException badValue(String message) {
    return new EngineException(BAD_VALUE, message);
  }
}
