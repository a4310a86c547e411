// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.timeseries;

import static io.fairlead.engine.catalog.OptionErrors.invalid;
import static io.fairlead.engine.catalog.OptionErrors.wrongType;
import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;

import io.fairlead.engine.error.EngineException;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What a time-series collection is created with. Immutable.
 *
 * @param timeField where a measurement has its time
 * @param metaField where it says what was measured, or null
 * @param granularity {@code seconds}, {@code minutes}, {@code hours}, or null for a span of its own
 * @param maxSpanSeconds how much time one bucket covers at most
 * @param roundingSeconds to what a bucket's least time is rounded down
 */
public record TimeSeriesOptions(
    String timeField,
    @Nullable String metaField,
    @Nullable String granularity,
    int maxSpanSeconds,
    int roundingSeconds) {
  private static final Map<String, int[]> GRANULARITIES =
      Map.of(
          "seconds", new int[] {3_600, 60},
          "minutes", new int[] {86_400, 3_600},
          "hours", new int[] {2_592_000, 86_400});
  private static final int SPAN_SECONDS_MAX = 31_536_000;
  private static final Set<String> FIELDS =
      Set.of(
          "timeField", "metaField", "granularity", "bucketMaxSpanSeconds", "bucketRoundingSeconds");

  /**
   * Reads the {@code timeseries} option.
   *
   * @throws EngineException 40414, 40415, 14, 2 and 72
   */
  public static TimeSeriesOptions parse(BsonValue option) {
    if (!(option instanceof BsonDocument given)) {
      throw wrongType("timeseries", option, "object");
    }
    for (String name : given.keySet()) {
      if (!FIELDS.contains(name)) {
        throw new EngineException(
            40415, "BSON field 'create.timeseries." + name + "' is an unknown field.");
      }
    }
    String time = text(given, "timeField");
    if (time == null) {
      throw new EngineException(
          40414, "BSON field 'create.timeseries.timeField' is missing but a required field");
    }
    String meta = text(given, "metaField");
    checkNames(time, meta);
    String granularity = text(given, "granularity");
    int span = seconds(given, "bucketMaxSpanSeconds");
    int rounding = seconds(given, "bucketRoundingSeconds");
    if (granularity == null && span == 0 && rounding == 0) {
      granularity = "seconds";
    }
    if (granularity != null) {
      return withGranularity(time, meta, granularity, span, rounding);
    }
    if (span == 0 || rounding == 0) {
      throw invalid(
          "Timeseries 'bucketMaxSpanSeconds' and 'bucketRoundingSeconds' need to be set alongside"
              + " each other");
    }
    if (span != rounding) {
      throw invalid(
          "Timeseries 'bucketRoundingSeconds' needs to be equal to 'bucketMaxSpanSeconds'");
    }
    return new TimeSeriesOptions(time, meta, null, span, rounding);
  }

  private static TimeSeriesOptions withGranularity(
      String time, @Nullable String meta, String granularity, int span, int rounding) {
    int[] known = GRANULARITIES.get(granularity);
    if (known == null) {
      throw new EngineException(
          BAD_VALUE,
          "Enumeration value '"
              + granularity
              + "' for field 'create.timeseries.granularity' is not a valid value.");
    }
    if (rounding != 0 || (span != 0 && span != known[0])) {
      throw invalid(
          "Timeseries 'bucketMaxSpanSeconds' and 'bucketRoundingSeconds' cannot be set with"
              + " 'granularity', unless to the granularity's own "
              + known[0]);
    }
    return new TimeSeriesOptions(time, meta, granularity, known[0], known[1]);
  }

  private static void checkNames(String time, @Nullable String meta) {
    if (time.isEmpty() || time.indexOf('.') >= 0 || time.startsWith("$")) {
      throw invalid("'timeField' must be a top-level field and not begin with '$': " + time);
    }
    if (time.equals("_id")) {
      throw invalid("'timeField' cannot be '_id'");
    }
    if (meta == null) {
      return;
    }
    if (meta.isEmpty() || meta.indexOf('.') >= 0 || meta.startsWith("$")) {
      throw invalid("'metaField' must be a top-level field and not begin with '$': " + meta);
    }
    if (meta.equals("_id")) {
      throw invalid("'metaField' cannot be '_id'");
    }
    if (meta.equals(time)) {
      throw invalid("'metaField' cannot be the same as 'timeField'");
    }
  }

  /**
   * The options with a coarser granularity or a longer span.
   *
   * @throws EngineException 72 when buckets would become shorter
   */
  public TimeSeriesOptions modified(BsonValue option) {
    if (!(option instanceof BsonDocument change)) {
      throw wrongType("timeseries", option, "object");
    }
    BsonDocument whole = new BsonDocument("timeField", new BsonString(timeField));
    if (metaField != null) {
      whole.append("metaField", new BsonString(metaField));
    }
    for (Map.Entry<String, BsonValue> field : change.entrySet()) {
      if (field.getKey().equals("timeField") || field.getKey().equals("metaField")) {
        throw new EngineException(
            40415, "BSON field 'collMod.timeseries." + field.getKey() + "' is an unknown field.");
      }
      whole.append(field.getKey(), field.getValue());
    }
    TimeSeriesOptions changed = parse(whole);
    if (changed.maxSpanSeconds < maxSpanSeconds || changed.roundingSeconds < roundingSeconds) {
      throw invalid("Invalid transition for timeseries options: buckets cannot become shorter");
    }
    return changed;
  }

  /** As listCollections reports it. */
  public BsonDocument document() {
    BsonDocument document = new BsonDocument("timeField", new BsonString(timeField));
    if (metaField != null) {
      document.append("metaField", new BsonString(metaField));
    }
    if (granularity != null) {
      document.append("granularity", new BsonString(granularity));
    }
    document.append("bucketMaxSpanSeconds", new BsonInt32(maxSpanSeconds));
    if (granularity == null) {
      document.append("bucketRoundingSeconds", new BsonInt32(roundingSeconds));
    }
    return document;
  }

  private static @Nullable String text(BsonDocument given, String name) {
    BsonValue value = given.get(name);
    if (value == null) {
      return null;
    }
    if (!value.isString()) {
      throw wrongType("timeseries." + name, value, "string");
    }
    return value.asString().getValue();
  }

  private static int seconds(BsonDocument given, String name) {
    BsonValue value = given.get(name);
    if (value == null) {
      return 0;
    }
    if (!value.isNumber()) {
      throw wrongType("timeseries." + name, value, "int");
    }
    double seconds = value.asNumber().doubleValue();
    if (!(seconds >= 1) || seconds > SPAN_SECONDS_MAX) {
      throw new EngineException(
          51024,
          "BSON field 'timeseries."
              + name
              + "' value must be >= 1 and <= "
              + SPAN_SECONDS_MAX
              + ", actual value '"
              + seconds
              + "'");
    }
    return (int) seconds;
  }
}
