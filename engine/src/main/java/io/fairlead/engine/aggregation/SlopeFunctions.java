// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.DateArithmetic;
import io.fairlead.engine.expression.Expression;
import java.time.ZoneOffset;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** {@code $derivative} and {@code $integral} over the sort value. */
final class SlopeFunctions {
  private SlopeFunctions() {}

  static WindowFunction parse(
      String operator, BsonValue operand, WindowBounds bounds, OperationContext context) {
    BsonDocument arguments =
        OwnWindowFunctions.arguments(operator, operand, List.of("input", "unit"));
    Expression input =
        Expression.compile(OwnWindowFunctions.required(operator, arguments, "input"), context);
    BsonValue unitSpec = arguments.get("unit");
    DateArithmetic.Unit unit =
        unitSpec == null
            ? null
            : DateArithmetic.Unit.of(unitSpec.isString() ? unitSpec.asString().getValue() : "");
    if (unit != null
        && !unit.isClock()
        && unit != DateArithmetic.Unit.WEEK
        && unit != DateArithmetic.Unit.DAY) {
      throw new EngineException(5490710, "unit must be 'week' or smaller");
    }
    double scale = unit == null ? 1 : DateArithmetic.add(0, unit, 1, ZoneOffset.UTC);
    return partition ->
        OwnWindowFunctions.perRow(
            partition,
            row -> {
              int[] range = bounds.rows(row, partition.sortValues());
              return operator.equals("$derivative")
                  ? derivative(partition, input, range, scale, unit != null)
                  : integral(partition, input, range, scale, unit != null);
            });
  }

  private static double axis(
      WindowFunction.Partition partition, int row, boolean dates, String operator) {
    BsonValue value = partition.sortValues().get(row);
    if (dates != value instanceof BsonDateTime) {
      boolean slope = operator.equals("$derivative");
      throw new EngineException(
          dates ? (slope ? 5624900 : 5423901) : slope ? 5624901 : 5423902,
          operator
              + (dates
                  ? " with 'unit' expects the sortBy field to be a Date"
                  : " where the sortBy is a Date requires a 'unit'"));
    }
    return OwnWindowFunctions.position(value, operator);
  }

  private static BsonValue derivative(
      WindowFunction.Partition partition,
      Expression input,
      int[] range,
      double scale,
      boolean dates) {
    if (range[1] - range[0] < 2) {
      return BsonNull.VALUE;
    }
    Double first = WindowFunction.number("$derivative", input, partition.rows().get(range[0]));
    Double last = WindowFunction.number("$derivative", input, partition.rows().get(range[1] - 1));
    double run =
        (axis(partition, range[1] - 1, dates, "$derivative")
                - axis(partition, range[0], dates, "$derivative"))
            / scale;
    return first == null || last == null || run == 0
        ? BsonNull.VALUE
        : new BsonDouble((last - first) / run);
  }

  private static BsonValue integral(
      WindowFunction.Partition partition,
      Expression input,
      int[] range,
      double scale,
      boolean dates) {
    if (range[1] <= range[0]) {
      return BsonNull.VALUE;
    }
    double area = 0;
    for (int i = range[0] + 1; i < range[1]; i++) {
      Double before = WindowFunction.number("$integral", input, partition.rows().get(i - 1));
      Double after = WindowFunction.number("$integral", input, partition.rows().get(i));
      double width =
          (axis(partition, i, dates, "$integral") - axis(partition, i - 1, dates, "$integral"))
              / scale;
      if (before != null && after != null) {
        area += (before + after) / 2 * width;
      }
    }
    return new BsonDouble(area);
  }
}
