// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.expression.DateArithmetic;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.time.ZoneOffset;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Which rows around the current one a window function sees.
 *
 * @param range whether distances are between sort values, rather than between places
 * @param unit of a range over dates
 */
record WindowBounds(boolean range, Bound lower, Bound upper, DateArithmetic.@Nullable Unit unit) {
  /** An end of a window. */
  sealed interface Bound {
    /** The end of the partition. */
    record Unbounded() implements Bound {}

    /** The current row itself, and not those that tie with it. */
    record Current() implements Bound {}

    /** What is that far from the current row; in a range, with all that tie. */
    record Distance(BsonValue value) implements Bound {}
  }

  static final WindowBounds ALL =
      new WindowBounds(false, new Bound.Unbounded(), new Bound.Unbounded(), null);

  static WindowBounds parse(@Nullable BsonValue window, OperationContext context) {
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
      return of(false, documents, null, context);
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
            : DateArithmetic.Unit.of(unit.isString() ? unit.asString().getValue() : ""),
        context);
  }

  private static WindowBounds of(
      boolean range,
      BsonValue bounds,
      DateArithmetic.@Nullable Unit unit,
      OperationContext context) {
    if (!bounds.isArray() || bounds.asArray().size() != 2) {
      throw failed("Window bounds must be a 2-element array: " + Values.show(bounds));
    }
    Bound lower = bound(range, bounds.asArray().get(0), context);
    Bound upper = bound(range, bounds.asArray().get(1), context);
    if (!(lower instanceof Bound.Unbounded)
        && !(upper instanceof Bound.Unbounded)
        && Numbers.compare(distance(lower), distance(upper)) > 0) {
      throw new EngineException(
          5339900, "Lower bound must not exceed upper bound: " + Values.show(bounds));
    }
    return new WindowBounds(range, lower, upper, unit);
  }

  /** A bound: one of two words, or a constant expression of a number. */
  private static Bound bound(boolean range, BsonValue given, OperationContext context) {
    if (given.isString()) {
      String word = given.asString().getValue();
      if (word.equals("unbounded")) {
        return new Bound.Unbounded();
      }
      if (!word.equals("current")) {
        throw failed("Window bounds must be 'unbounded', 'current', or a number.");
      }
      return new Bound.Current();
    }
    Expression expression = Expression.compile(given, context);
    BsonValue value =
        expression.isConstant()
            ? expression.evaluate(DocumentWriter.write(new BsonDocument()))
            : null;
    if (value == null || !value.isNumber() || (!range && !Numbers.isInt(value))) {
      throw failed(
          range
              ? "Range-based bounds expression must be a number"
              : "Numeric document-based bounds must be an integer");
    }
    return new Bound.Distance(value);
  }

  private static BsonValue distance(Bound bound) {
    return bound instanceof Bound.Distance distance ? distance.value() : new BsonInt32(0);
  }

  static EngineException failed(String message) {
    return new EngineException(ErrorCodes.FAILED_TO_PARSE, message);
  }

  /** From the first row to this one. */
  boolean isRunning() {
    return !range
        && lower instanceof Bound.Unbounded
        && !(upper instanceof Bound.Unbounded)
        && Numbers.toLong(distance(upper)) == 0;
  }

  /** All rows, whatever they are sorted by. */
  boolean isWhole() {
    return !range && lower instanceof Bound.Unbounded && upper instanceof Bound.Unbounded;
  }

  /** First row and the one after the last, for row {@code at} of a sorted partition. */
  int[] rows(int at, List<BsonValue> sortValues) {
    int size = sortValues.size();
    if (range) {
      requireMeasurable(sortValues.get(at));
    }
    int from =
        switch (lower) {
          case Bound.Unbounded none -> 0;
          case Bound.Current here -> at;
          case Bound.Distance far when range -> firstWithin(sortValues, at, far.value());
          case Bound.Distance far -> place(at + Numbers.toLong(far.value()), size);
        };
    int to =
        switch (upper) {
          case Bound.Unbounded none -> size;
          case Bound.Current here -> at + 1;
          case Bound.Distance far when range -> endWithin(sortValues, at, from, far.value());
          case Bound.Distance far -> place(at + Numbers.toLong(far.value()) + 1, size);
        };
    return new int[] {from, Math.max(from, to)};
  }

  private static int place(long row, int size) {
    return (int) Math.max(0, Math.min(size, row));
  }

  private int firstWithin(List<BsonValue> sortValues, int at, BsonValue distance) {
    int row = 0;
    while (row < sortValues.size()
        && !reaches(sortValues.get(row), sortValues.get(at), distance, true)) {
      row++;
    }
    return row;
  }

  private int endWithin(List<BsonValue> sortValues, int at, int from, BsonValue distance) {
    int row = from;
    while (row < sortValues.size()
        && reaches(sortValues.get(row), sortValues.get(at), distance, false)) {
      row++;
    }
    return row;
  }

  /** A range is measured from a number, or with a unit from a date. */
  private void requireMeasurable(BsonValue current) {
    if (current instanceof BsonDateTime) {
      if (unit == null) {
        throw new EngineException(
            5429413, "For windows that involve date or time ranges, a unit must be provided.");
      }
    } else if (!current.isNumber()) {
      throw new EngineException(
          5429414,
          "Invalid range: Expected the sortBy field to be a number, but it was "
              + io.fairlead.engine.value.BsonTypes.nameOf(current));
    } else if (unit != null) {
      throw new EngineException(
          5429513,
          "Expected the sortBy field to be a Date, but it was "
              + io.fairlead.engine.value.BsonTypes.nameOf(current));
    }
  }

  private boolean reaches(BsonValue value, BsonValue current, BsonValue distance, boolean above) {
    if (current instanceof BsonDateTime date && unit != null) {
      if (!(value instanceof BsonDateTime other)) {
        return false;
      }
      long limit =
          DateArithmetic.add(date.getValue(), unit, Numbers.toLong(distance), ZoneOffset.UTC);
      return above ? other.getValue() >= limit : other.getValue() <= limit;
    }
    if (!value.isNumber()) {
      return false;
    }
    int comparison = Numbers.compare(value, Numbers.add(current, distance));
    return above ? comparison >= 0 : comparison <= 0;
  }
}
