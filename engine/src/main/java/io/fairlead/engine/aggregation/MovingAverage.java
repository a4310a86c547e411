// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.types.Decimal128;

/** {@code $expMovingAvg}: each value weighs so much more than the one before it. */
final class MovingAverage {
  private MovingAverage() {}

  static WindowFunction parse(BsonValue operand, OperationContext context) {
    BsonDocument arguments =
        OwnWindowFunctions.arguments("$expMovingAvg", operand, List.of("input", "N", "alpha"));
    Expression input =
        Expression.compile(
            OwnWindowFunctions.required("$expMovingAvg", arguments, "input"), context);
    BsonValue n = arguments.get("N");
    BsonValue alpha = arguments.get("alpha");
    if ((n == null) == (alpha == null)) {
      throw WindowBounds.failed(
          "$expMovingAvg sub object must have exactly two fields: An 'input' field, and either an"
              + " 'N' field or an 'alpha' field");
    }
    Decimal128 weight;
    if (n != null) {
      if (!n.isNumber() || !Numbers.isLong(n) || Numbers.toLong(n) <= 0) {
        throw WindowBounds.failed(
            "'N' field must be an integer greater than zero, but found N: " + Values.show(n));
      }
      weight =
          Numbers.decimal(
              BigDecimal.TWO.divide(
                  BigDecimal.valueOf(Numbers.toLong(n)).add(BigDecimal.ONE),
                  MathContext.DECIMAL128));
    } else {
      double given = alpha != null && alpha.isNumber() ? Numbers.toDouble(alpha) : Double.NaN;
      weight = alpha == null ? Decimal128.NaN : Numbers.roundedDecimal(alpha);
      if (!(given > 0 && given < 1)) {
        throw WindowBounds.failed(
            "'alpha' must be between 0 and 1 (exclusive), found alpha: " + Values.show(alpha));
      }
    }
    return partition -> movingAverages(partition.rows(), input, weight);
  }

  /** Computed in decimals; shown as doubles until an input is decimal. */
  private static List<BsonValue> movingAverages(
      List<RawBsonDocument> rows, Expression input, Decimal128 weight) {
    Decimal128 rest = Numbers.addDecimals(new Decimal128(1), Numbers.negate(weight));
    List<BsonValue> values = new ArrayList<>();
    BsonDecimal128 average = null;
    boolean decimal = false;
    for (RawBsonDocument row : rows) {
      BsonValue value = input.evaluate(row);
      if (value != null && value.isNumber()) {
        decimal |= value.isDecimal128();
        Decimal128 number = Numbers.roundedDecimal(value);
        average =
            new BsonDecimal128(
                average == null
                    ? number
                    : Numbers.addDecimals(
                        Numbers.multiplyDecimals(number, weight),
                        Numbers.multiplyDecimals(average.getValue(), rest)));
      }
      values.add(
          average == null
              ? BsonNull.VALUE
              : decimal ? average : new BsonDouble(Numbers.toDouble(average)));
    }
    return values;
  }
}
