// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.math.BigDecimal;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

/** Trigonometric and hyperbolic functions. */
final class Trigonometry {
  private Trigonometry() {}

  static void register(Operators.Registrar operators) {
    bounded(
        operators,
        "$sin",
        Double.NEGATIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        false,
        Math::sin,
        DecimalMath::sin);
    bounded(
        operators,
        "$cos",
        Double.NEGATIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        false,
        Math::cos,
        DecimalMath::cos);
    bounded(
        operators,
        "$tan",
        Double.NEGATIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        false,
        Math::tan,
        DecimalMath::tan);
    bounded(operators, "$asin", -1, 1, true, Math::asin, DecimalMath::asin);
    bounded(operators, "$acos", -1, 1, true, Math::acos, DecimalMath::acos);
    free(operators, "$atan", Math::atan, DecimalMath::atan);
    free(operators, "$sinh", Math::sinh, DecimalMath::sinh);
    free(operators, "$cosh", Math::cosh, DecimalMath::cosh);
    free(operators, "$tanh", Math::tanh, DecimalMath::tanh);
    free(operators, "$asinh", x -> x < 0 ? -asinh(-x) : asinh(x), DecimalMath::asinh);
    bounded(
        operators,
        "$acosh",
        1,
        Double.POSITIVE_INFINITY,
        true,
        x -> Double.isInfinite(x) ? x : Math.log(x + Math.sqrt(x * x - 1)),
        DecimalMath::acosh);
    bounded(
        operators,
        "$atanh",
        -1,
        1,
        true,
        x -> 0.5 * Math.log((1 + x) / (1 - x)),
        DecimalMath::atanh);
    free(operators, "$degreesToRadians", Math::toRadians, DecimalMath::toRadians);
    free(operators, "$radiansToDegrees", Math::toDegrees, DecimalMath::toDegrees);
    operators.fixed("$atan2", 2, Trigonometry::atan2);
  }

  private static double asinh(double x) {
    return Double.isInfinite(x) || x == 0 ? x : Math.log(x + Math.sqrt(x * x + 1));
  }

  private static void free(
      Operators.Registrar operators,
      String name,
      DoubleUnaryOperator function,
      UnaryOperator<BigDecimal> exact) {
    operators.fixed(
        name,
        1,
        a -> RealFunctions.numeric(name, a[0], value -> real(name, value, function, exact)));
  }

  private static void bounded(
      Operators.Registrar operators,
      String name,
      double least,
      double most,
      boolean inclusive,
      DoubleUnaryOperator function,
      UnaryOperator<BigDecimal> exact) {
    operators.fixed(
        name,
        1,
        a ->
            RealFunctions.numeric(
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
                  return real(name, value, function, exact);
                }));
  }

  /** Infinities have decimal angles too, and the ends of {@code $atanh} are infinite. */
  private static BsonValue real(
      String name, BsonValue value, DoubleUnaryOperator function, UnaryOperator<BigDecimal> exact) {
    if (value instanceof BsonDecimal128 decimal) {
      double x = Numbers.toDouble(value);
      if (name.equals("$atanh") && decimal.getValue().isFinite() && unit(decimal)) {
        return new BsonDecimal128(Numbers.toDecimal(new BsonDouble(function.applyAsDouble(x))));
      }
      if (name.equals("$atan") && Double.isInfinite(x) && decimal.getValue().isInfinite()) {
        BigDecimal angle = x > 0 ? DecimalMath.halfPi() : DecimalMath.halfPi().negate();
        return new BsonDecimal128(Numbers.decimal(angle));
      }
    }
    return RealFunctions.real(value, function, exact);
  }

  private static boolean unit(BsonDecimal128 decimal) {
    return Numbers.exact(decimal.getValue()).abs().compareTo(BigDecimal.ONE) == 0;
  }

  private static BsonValue atan2(@Nullable BsonValue[] a) {
    BsonValue y = a[0];
    BsonValue x = a[1];
    if (y == null || Values.isNullish(y) || x == null || Values.isNullish(x)) {
      return BsonNull.VALUE;
    }
    if (!y.isNumber() || !x.isNumber()) {
      throw new EngineException(
          y.isNumber() ? 51045 : 51044,
          "$atan2 only supports numeric types, not " + BsonTypes.nameOf(y.isNumber() ? x : y));
    }
    double angle = Math.atan2(Numbers.toDouble(y), Numbers.toDouble(x));
    if (y instanceof BsonDecimal128 || x instanceof BsonDecimal128) {
      Decimal128 down = Numbers.roundedDecimal(y);
      Decimal128 right = Numbers.roundedDecimal(x);
      return new BsonDecimal128(
          down.isFinite() && right.isFinite()
              ? Numbers.decimal(DecimalMath.atan2(Numbers.exact(down), Numbers.exact(right)))
              : Numbers.toDecimal(new BsonDouble(angle)));
    }
    return new BsonDouble(angle);
  }
}
