// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Functions that exist only in windows: ranks, shifts, fills, covariances. Those over the sort
 * value are {@link SlopeFunctions}, {@code $expMovingAvg} is {@link MovingAverage}.
 */
final class OwnWindowFunctions {
  private OwnWindowFunctions() {}

  static WindowFunction parse(
      String operator,
      BsonValue operand,
      WindowBounds bounds,
      SortPattern sortBy,
      OperationContext context) {
    return switch (operator) {
      case "$documentNumber" -> {
        empty(operator, operand);
        yield partition -> perRow(partition, row -> new BsonInt32(row + 1));
      }
      case "$rank", "$denseRank" -> {
        empty(operator, operand);
        yield partition -> ranks(partition, operator.equals("$denseRank"));
      }
      case "$shift" -> shift(operand, context);
      case "$locf" -> carried(Expression.compile(operand, context));
      case "$linearFill" -> new LinearFill(Expression.compile(operand, context));
      case "$expMovingAvg" -> MovingAverage.parse(operand, context);
      case "$covariancePop", "$covarianceSamp" -> covariance(operator, operand, bounds, context);
      default -> SlopeFunctions.parse(operator, operand, bounds, context);
    };
  }

  /**
   * Refuses a window or an order that the function cannot have.
   *
   * @param window whether a window is given
   * @param sorted by how many fields
   * @throws EngineException 9, 605001, 5371601 or 5371602
   */
  static void check(String operator, boolean window, int sorted) {
    switch (operator) {
      case "$documentNumber", "$rank", "$denseRank" -> {
        if (window) {
          throw new EngineException(5371601, "Rank style window functions take no other arguments");
        }
        if (sorted != 1) {
          throw oneSortField(5371602, operator);
        }
      }
      case "$linearFill" -> {
        refuseWindow(operator, window);
        if (sorted != 1) {
          throw oneSortField(605001, operator);
        }
      }
      case "$locf" -> refuseWindow(operator, window);
      case "$shift", "$expMovingAvg" -> {
        refuseWindow(operator, window);
        if (sorted == 0) {
          throw WindowBounds.failed(operator + " requires a sortBy");
        }
      }
      case "$derivative", "$integral" -> {
        if (sorted != 1) {
          throw WindowBounds.failed(operator + " requires a sortBy of one field");
        }
        if (!window && operator.equals("$derivative")) {
          throw WindowBounds.failed("$derivative requires explicit window bounds");
        }
      }
      default -> {}
    }
  }

  private static EngineException oneSortField(int code, String operator) {
    return new EngineException(
        code,
        operator
            + " must be specified with a top level sortBy expression with exactly one element");
  }

  private static void refuseWindow(String operator, boolean window) {
    if (window) {
      throw WindowBounds.failed("'window' field is not allowed in " + operator);
    }
  }

  private static void empty(String operator, BsonValue operand) {
    if (!operand.isDocument() || !operand.asDocument().isEmpty()) {
      throw new EngineException(5371603, operator + " must be specified with '{}' as the value");
    }
  }

  static List<BsonValue> perRow(WindowFunction.Partition partition, IntFunction<BsonValue> value) {
    List<BsonValue> values = new ArrayList<>(partition.rows().size());
    for (int i = 0; i < partition.rows().size(); i++) {
      values.add(value.apply(i));
    }
    return values;
  }

  private static List<BsonValue> ranks(WindowFunction.Partition partition, boolean dense) {
    List<BsonValue> values = new ArrayList<>();
    int rank = 0;
    for (int i = 0; i < partition.rows().size(); i++) {
      boolean same =
          i > 0
              && partition
                  .context()
                  .order()
                  .equal(partition.sortValues().get(i), partition.sortValues().get(i - 1));
      if (!same) {
        rank = dense ? rank + 1 : i + 1;
      }
      values.add(new BsonInt32(rank));
    }
    return values;
  }

  static BsonDocument arguments(String operator, BsonValue operand, List<String> known) {
    if (!operand.isDocument()) {
      throw WindowBounds.failed(
          operator + " expects an object, found " + BsonTypes.nameOf(operand));
    }
    for (String name : operand.asDocument().keySet()) {
      if (!known.contains(name)) {
        throw WindowBounds.failed(operator + " got unexpected argument: " + name);
      }
    }
    return operand.asDocument();
  }

  static BsonValue required(String operator, BsonDocument arguments, String name) {
    BsonValue value = arguments.get(name);
    if (value == null) {
      throw WindowBounds.failed(operator + " requires '" + name + "'");
    }
    return value;
  }

  private static WindowFunction shift(BsonValue operand, OperationContext context) {
    BsonDocument arguments = arguments("$shift", operand, List.of("output", "by", "default"));
    Expression output = Expression.compile(required("$shift", arguments, "output"), context);
    BsonValue by = required("$shift", arguments, "by");
    if (!by.isNumber() || !Numbers.isInt(by)) {
      throw WindowBounds.failed(
          "'$shift:by' field must be an integer, but found by: " + Values.show(by));
    }
    BsonValue given = arguments.get("default");
    Expression otherwise = Expression.compile(given == null ? BsonNull.VALUE : given, context);
    if (!otherwise.isConstant()) {
      throw WindowBounds.failed("'$shift:default' expression must yield a constant value.");
    }
    int distance = (int) Numbers.toLong(by);
    return partition ->
        perRow(
            partition,
            row -> {
              long target = (long) row + distance;
              boolean inside = target >= 0 && target < partition.rows().size();
              BsonValue value = inside ? output.evaluate(partition.rows().get((int) target)) : null;
              return orNull(
                  value == null
                      ? otherwise.evaluate(DocumentWriter.write(new BsonDocument()))
                      : value);
            });
  }

  private static BsonValue orNull(@Nullable BsonValue value) {
    return value == null ? BsonNull.VALUE : value;
  }

  private static WindowFunction carried(Expression expression) {
    return partition -> {
      List<BsonValue> values = new ArrayList<>();
      BsonValue last = BsonNull.VALUE;
      for (RawBsonDocument row : partition.rows()) {
        BsonValue value = expression.evaluate(row);
        last = value == null || Values.isNullish(value) ? last : value;
        values.add(last);
      }
      return values;
    };
  }

  static double position(BsonValue value, String operator) {
    if (value instanceof BsonDateTime date) {
      return date.getValue();
    }
    if (!value.isNumber()) {
      throw new EngineException(
          605001,
          operator
              + " requires the sortBy values to be numbers or dates, found "
              + BsonTypes.nameOf(value));
    }
    return Numbers.toDouble(value);
  }

  private static WindowFunction covariance(
      String operator, BsonValue operand, WindowBounds bounds, OperationContext context) {
    if (!operand.isArray() || operand.asArray().size() != 2) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE, operator + " expects an array of two expressions");
    }
    Expression x = Expression.compile(operand.asArray().get(0), context);
    Expression y = Expression.compile(operand.asArray().get(1), context);
    boolean sample = operator.equals("$covarianceSamp");
    return partition ->
        perRow(
            partition,
            row -> {
              int[] range = bounds.rows(row, partition.sortValues());
              double meanX = 0;
              double meanY = 0;
              double moment = 0;
              long count = 0;
              for (int i = range[0]; i < range[1]; i++) {
                BsonValue a = x.evaluate(partition.rows().get(i));
                BsonValue b = y.evaluate(partition.rows().get(i));
                if (a == null || !a.isNumber() || b == null || !b.isNumber()) {
                  continue;
                }
                count++;
                double dx = Numbers.toDouble(a) - meanX;
                meanX += dx / count;
                meanY += (Numbers.toDouble(b) - meanY) / count;
                moment += dx * (Numbers.toDouble(b) - meanY);
              }
              long divisor = sample ? count - 1 : count;
              return divisor <= 0 ? BsonNull.VALUE : new BsonDouble(moment / divisor);
            });
  }
}
