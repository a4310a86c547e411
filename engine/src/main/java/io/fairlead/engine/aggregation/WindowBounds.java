// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.expression.DateArithmetic;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.time.ZoneOffset;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a partition a window holds for a row: counted in documents, or by the distance of
 * the sort value.
 *
 * @param lower null when unbounded
 * @param upper null when unbounded
 * @param unit of a range over dates
 */
record WindowBounds(
    boolean range,
    @Nullable BsonValue lower,
    @Nullable BsonValue upper,
    DateArithmetic.@Nullable Unit unit) {
  static final WindowBounds ALL = new WindowBounds(false, null, null, null);

  static WindowBounds parse(@Nullable BsonValue window) {
    if (window == null) {
      return ALL;
    }
    if (!window.isDocument()) {
      throw failed("'window' field must be an object");
    }
    BsonDocument spec = window.asDocument();
    for (String name : spec.keySet()) {
      if (!name.equals("documents") && !name.equals("range") && !name.equals("unit")) {
        throw failed(
            "'window' field can only contain 'documents' as the only argument or 'range' with an"
                + " optional 'unit' field");
      }
    }
    BsonValue documents = spec.get("documents");
    BsonValue range = spec.get("range");
    BsonValue unit = spec.get("unit");
    if (documents != null && (range != null || unit != null)) {
      throw failed(
          "'window' field can only contain 'documents' as the only argument or 'range' with an"
              + " optional 'unit' field");
    }
    if (documents != null) {
      return of(false, documents, null);
    }
    if (range == null) {
      if (unit != null) {
        throw failed("'window' field that specifies a 'unit' must also have a 'range'");
      }
      return ALL;
    }
    return of(
        true,
        range,
        unit == null
            ? null
            : DateArithmetic.Unit.of(unit.isString() ? unit.asString().getValue() : ""));
  }

  private static WindowBounds of(
      boolean range, BsonValue bounds, DateArithmetic.@Nullable Unit unit) {
    if (!bounds.isArray() || bounds.asArray().size() != 2) {
      throw failed("Window bounds must be a 2-element array: " + Values.show(bounds));
    }
    BsonValue lower = bound(range, bounds.asArray().get(0));
    BsonValue upper = bound(range, bounds.asArray().get(1));
    if (lower != null && upper != null && Numbers.compare(lower, upper) > 0) {
      throw new EngineException(
          5339900, "Lower bound must not exceed upper bound: " + Values.show(bounds));
    }
    return new WindowBounds(range, lower, upper, unit);
  }

  private static @Nullable BsonValue bound(boolean range, BsonValue value) {
    if (value.isString()) {
      String word = value.asString().getValue();
      if (word.equals("unbounded")) {
        return null;
      }
      if (!word.equals("current")) {
        throw failed("Window bounds must be 'unbounded', 'current', or a number.");
      }
      return new org.bson.BsonInt32(0);
    }
    if (!value.isNumber() || (!range && !Numbers.isInt(value))) {
      throw failed(
          range
              ? "Range-based bounds expression must be a number"
              : "Numeric document-based bounds must be an integer");
    }
    return value;
  }

  static EngineException failed(String message) {
    return new EngineException(ErrorCodes.FAILED_TO_PARSE, message);
  }

  /** From the first row to this one. */
  boolean isRunning() {
    return !range && lower == null && upper != null && Numbers.toLong(upper) == 0;
  }

  boolean isWhole() {
    return lower == null && upper == null;
  }

  /** First row and the one after the last, for row {@code at} of a sorted partition. */
  int[] rows(int at, List<BsonValue> sortValues) {
    int size = sortValues.size();
    if (!range) {
      long from = lower == null ? 0 : Math.max(0, at + Numbers.toLong(lower));
      long to = upper == null ? size : Math.min(size, at + Numbers.toLong(upper) + 1);
      return new int[] {(int) Math.min(from, size), (int) Math.max(Math.min(from, size), to)};
    }
    BsonValue current = sortValues.get(at);
    int from = 0;
    while (lower != null && from < size && !reaches(sortValues.get(from), current, lower, true)) {
      from++;
    }
    int to = upper == null ? size : from;
    while (to < size && upper != null && reaches(sortValues.get(to), current, upper, false)) {
      to++;
    }
    return new int[] {from, to};
  }

  private boolean reaches(BsonValue value, BsonValue current, BsonValue distance, boolean above) {
    if (current instanceof BsonDateTime date) {
      if (unit == null) {
        throw new EngineException(
            5429413, "For windows that involve date or time ranges, a unit must be provided.");
      }
      if (!(value instanceof BsonDateTime other)) {
        return false;
      }
      long limit =
          DateArithmetic.add(date.getValue(), unit, Numbers.toLong(distance), ZoneOffset.UTC);
      return above ? other.getValue() >= limit : other.getValue() <= limit;
    }
    if (!current.isNumber()) {
      throw new EngineException(
          5429414,
          "Invalid range: Expected the sortBy field to be a number, but it was "
              + io.fairlead.engine.value.BsonTypes.nameOf(current));
    }
    if (unit != null) {
      throw new EngineException(
          5429513,
          "Expected the sortBy field to be a Date, but it was "
              + io.fairlead.engine.value.BsonTypes.nameOf(current));
    }
    if (!value.isNumber()) {
      return false;
    }
    int comparison = Numbers.compare(value, Numbers.add(current, distance));
    return above ? comparison >= 0 : comparison <= 0;
  }
}
