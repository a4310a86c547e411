// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.accumulator.Accumulator;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** One output field of {@code $setWindowFields}: a value for every row of a sorted partition. */
interface WindowFunction {
  /** A partition in its order, and what it is sorted by. */
  record Partition(
      List<RawBsonDocument> rows,
      List<BsonValue> sortValues,
      SortPattern sortBy,
      OperationContext context) {}

  /** One value per row. */
  List<BsonValue> compute(Partition partition);

  Set<String> OWN =
      Set.of(
          "$rank",
          "$denseRank",
          "$documentNumber",
          "$shift",
          "$derivative",
          "$integral",
          "$expMovingAvg",
          "$covariancePop",
          "$covarianceSamp",
          "$linearFill",
          "$locf");

  /** The names of all functions that may stand in a window. */
  static Set<String> names() {
    Set<String> names = new TreeSet<>(AccumulatorSpec.names());
    names.remove("$mergeObjects");
    names.addAll(OWN);
    return names;
  }

  static WindowFunction parse(
      String field, BsonValue spec, SortPattern sortBy, OperationContext context) {
    if (!spec.isDocument() || spec.asDocument().isEmpty()) {
      throw WindowBounds.failed("The field '" + field + "' must be a window function object");
    }
    String operator = "";
    BsonValue operand = BsonNull.VALUE;
    BsonValue window = null;
    for (Map.Entry<String, BsonValue> entry : spec.asDocument().entrySet()) {
      if (entry.getKey().equals("window")) {
        window = entry.getValue();
      } else if (entry.getKey().startsWith("$") && operator.isEmpty()) {
        operator = entry.getKey();
        operand = entry.getValue();
      } else {
        throw WindowBounds.failed("Window function found an unknown argument: " + entry.getKey());
      }
    }
    if (!names().contains(operator)) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE, "Unrecognized window function, " + operator);
    }
    if (OWN.contains(operator)) {
      OwnWindowFunctions.check(operator, window != null, sortBy.parts().size());
    }
    WindowBounds bounds = WindowBounds.parse(window, context);
    if (bounds.range() && sortBy.parts().size() != 1) {
      throw new EngineException(5339902, "Range-based bounds require sortBy a single field");
    }
    if (sortBy.isEmpty() && !bounds.isWhole()) {
      throw new EngineException(5339901, "Document-based bounds require a sortBy");
    }
    if (bounds.range() && !sortBy.parts().getFirst().ascending()) {
      throw new EngineException(8947401, "Range-based bounds require an ascending sortBy");
    }
    return OWN.contains(operator)
        ? OwnWindowFunctions.parse(operator, operand, bounds, sortBy, context)
        : accumulated(field, operator, operand, bounds, context);
  }

  private static WindowFunction accumulated(
      String field,
      String operator,
      BsonValue operand,
      WindowBounds bounds,
      OperationContext context) {
    AccumulatorSpec spec = AccumulatorSpec.parse(field, operator, operand, context);
    if (spec.isKeyed()) {
      throw new EngineException(5787902, "'n' must be constant in " + operator + " of a window");
    }
    boolean sliding = !(bounds.lower() instanceof WindowBounds.Bound.Unbounded);
    return partition -> {
      List<RawBsonDocument> rows = partition.rows();
      List<BsonValue> values = new ArrayList<>(rows.size());
      Slice slice = new Slice();
      Accumulator whole = spec.fresh();
      if (bounds.isWhole()) {
        rows.forEach(row -> spec.feed(whole, row, slice));
        BsonValue result = settled(whole.result());
        rows.forEach(row -> values.add(result));
        return values;
      }
      for (int i = 0; i < rows.size(); i++) {
        if (bounds.isRunning()) {
          spec.feed(whole, rows.get(i), slice);
          values.add(settled(whole.result()));
          continue;
        }
        context.interrupt().check();
        int[] range = bounds.rows(i, partition.sortValues());
        Accumulator accumulator = sliding ? spec.sliding() : spec.fresh();
        for (int row = range[0]; row < range[1]; row++) {
          spec.feed(accumulator, rows.get(row), slice);
        }
        values.add(settled(accumulator.result()));
      }
      return values;
    };
  }

  /** A result that further values of a running accumulator do not change. */
  private static BsonValue settled(@Nullable BsonValue value) {
    return switch (value) {
      case null -> BsonNull.VALUE;
      case BsonArray array -> new BsonArray(new ArrayList<>(array));
      case BsonDocument document when !(document instanceof RawBsonDocument) ->
          io.fairlead.engine.value.DocumentWriter.write(document);
      default -> value;
    };
  }

  /** A number or null; what is no number is refused. */
  static @Nullable Double number(String operator, Expression expression, RawBsonDocument row) {
    BsonValue value = expression.evaluate(row);
    if (value == null || Values.isNullish(value)) {
      return null;
    }
    if (!value.isNumber()) {
      throw new EngineException(
          ErrorCodes.TYPE_MISMATCH,
          operator
              + " only supports numeric types, not "
              + io.fairlead.engine.value.BsonTypes.nameOf(value));
    }
    return Numbers.toDouble(value);
  }
}
