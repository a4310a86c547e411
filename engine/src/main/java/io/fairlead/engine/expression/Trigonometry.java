// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.function.DoubleUnaryOperator;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Trigonometric and hyperbolic functions. */
final class Trigonometry {
  private Trigonometry() {}

  static void register(Operators.Registrar operators) {
    bounded(
        operators, "$sin", Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, false, Math::sin);
    bounded(
        operators, "$cos", Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, false, Math::cos);
    bounded(
        operators, "$tan", Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, false, Math::tan);
    bounded(operators, "$asin", -1, 1, true, Math::asin);
    bounded(operators, "$acos", -1, 1, true, Math::acos);
    free(operators, "$atan", Math::atan);
    free(operators, "$sinh", Math::sinh);
    free(operators, "$cosh", Math::cosh);
    free(operators, "$tanh", Math::tanh);
    free(operators, "$asinh", x -> x < 0 ? -asinh(-x) : asinh(x));
    bounded(
        operators,
        "$acosh",
        1,
        Double.POSITIVE_INFINITY,
        true,
        x -> Double.isInfinite(x) ? x : Math.log(x + Math.sqrt(x * x - 1)));
    bounded(operators, "$atanh", -1, 1, true, x -> 0.5 * Math.log((1 + x) / (1 - x)));
    free(operators, "$degreesToRadians", Math::toRadians);
    free(operators, "$radiansToDegrees", Math::toDegrees);
    operators.fixed("$atan2", 2, Trigonometry::atan2);
  }

  private static double asinh(double x) {
    return Double.isInfinite(x) || x == 0 ? x : Math.log(x + Math.sqrt(x * x + 1));
  }

  private static void free(
      Operators.Registrar operators, String name, DoubleUnaryOperator function) {
    operators.fixed(
        name, 1, a -> Arithmetic.numeric(name, a[0], value -> Arithmetic.real(value, function)));
  }

  private static void bounded(
      Operators.Registrar operators,
      String name,
      double least,
      double most,
      boolean inclusive,
      DoubleUnaryOperator function) {
    operators.fixed(
        name,
        1,
        a ->
            Arithmetic.numeric(
                name,
                a[0],
                value -> {
                  double x = Numbers.toDouble(value);
                  boolean within =
                      Double.isNaN(x)
                          || (inclusive ? x >= least && x <= most : x > least && x < most);
                  if (!within) {
                    throw new EngineException(
                        50989,
                        "cannot apply "
                            + name
                            + " to "
                            + Values.show(value)
                            + ", value must be in "
                            + (inclusive ? "[" : "(")
                            + Strings.number(least)
                            + ","
                            + Strings.number(most)
                            + (inclusive ? "]" : ")"));
                  }
                  return Arithmetic.real(value, function);
                }));
  }

  private static BsonValue atan2(@Nullable BsonValue[] a) {
    BsonValue y = a[0];
    BsonValue x = a[1];
    if (y == null || Values.isNullish(y) || x == null || Values.isNullish(x)) {
      return BsonNull.VALUE;
    }
    for (BsonValue value : new BsonValue[] {y, x}) {
      if (!value.isNumber()) {
        throw new EngineException(
            51044, "$atan2 only supports numeric types, not " + BsonTypes.nameOf(value));
      }
    }
    double angle = Math.atan2(Numbers.toDouble(y), Numbers.toDouble(x));
    return y instanceof BsonDecimal128 || x instanceof BsonDecimal128
        ? new BsonDecimal128(Numbers.toDecimal(new BsonDouble(angle)))
        : new BsonDouble(angle);
  }
}
