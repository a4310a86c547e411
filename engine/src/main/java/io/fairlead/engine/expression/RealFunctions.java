// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

/** Powers, roots and logarithms: {@code $sqrt $pow $exp $ln $log $log10}. */
final class RealFunctions {
  private RealFunctions() {}

  static void register(Operators.Registrar operators) {
    operators.fixed("$sqrt", 1, a -> numeric("$sqrt", a[0], RealFunctions::sqrt));
    operators.fixed(
        "$exp", 1, a -> numeric("$exp", a[0], v -> real(v, Math::exp, DecimalMath::exp)));
    operators.fixed(
        "$ln",
        1,
        a -> numeric("$ln", a[0], v -> positive("$ln", 28766, v, Math::log, DecimalMath::ln)));
    operators.fixed(
        "$log10",
        1,
        a ->
            numeric(
                "$log10",
                a[0],
                v -> positive("$log10", 28761, v, Math::log10, DecimalMath::log10)));
    operators.fixed("$log", 2, a -> log(a[0], a[1]));
    operators.fixed("$pow", 2, a -> pow(a[0], a[1]));
  }

  /** Applies to a number; null for null and missing; 28765 for others. */
  static @Nullable BsonValue numeric(
      String name, @Nullable BsonValue value, UnaryOperator<BsonValue> function) {
    if (value == null || Values.isNullish(value)) {
      return BsonNull.VALUE;
    }
    if (!Values.isNumber(value)) {
      throw new EngineException(
          28765, name + " only supports numeric types, not " + BsonTypes.nameOf(value));
    }
    return function.apply(value);
  }

  /**
   * A function of real numbers, with 16 digits for doubles and 34 for decimals.
   *
   * @param exact for finite decimals; what is not finite goes through {@code function}
   */
  static BsonValue real(
      BsonValue value, DoubleUnaryOperator function, UnaryOperator<BigDecimal> exact) {
    if (value instanceof BsonDecimal128 decimal) {
      return new BsonDecimal128(
          decimal.getValue().isFinite()
              ? Numbers.decimal(exact.apply(Numbers.exact(decimal.getValue())))
              : Numbers.toDecimal(new BsonDouble(function.applyAsDouble(Numbers.toDouble(value)))));
    }
    return new BsonDouble(function.applyAsDouble(Numbers.toDouble(value)));
  }

  private static BsonValue positive(
      String name,
      int code,
      BsonValue value,
      DoubleUnaryOperator function,
      UnaryOperator<BigDecimal> exact) {
    if (!Numbers.isNaN(value) && Numbers.compare(value, new BsonInt32(0)) <= 0) {
      throw new EngineException(
          code, name + "'s argument must be a positive number, but is " + Values.show(value));
    }
    return real(value, function, exact);
  }

  private static BsonValue sqrt(BsonValue value) {
    if (Numbers.toDouble(value) < 0) {
      throw new EngineException(28714, "$sqrt's argument must be greater than or equal to 0");
    }
    return real(value, Math::sqrt, number -> number.sqrt(MathContext.DECIMAL128));
  }

  private static @Nullable BsonValue log(@Nullable BsonValue value, @Nullable BsonValue base) {
    if ((value == null || Values.isNullish(value)) || (base == null || Values.isNullish(base))) {
      return BsonNull.VALUE;
    }
    if (!Values.isNumber(value)) {
      throw new EngineException(
          28756, "$log's argument must be numeric, not " + BsonTypes.nameOf(value));
    }
    if (!Values.isNumber(base)) {
      throw new EngineException(
          28757, "$log's base must be numeric, not " + BsonTypes.nameOf(base));
    }
    double number = Numbers.toDouble(value);
    double root = Numbers.toDouble(base);
    if (value instanceof BsonDecimal128 || base instanceof BsonDecimal128) {
      Decimal128 x = Numbers.roundedDecimal(value);
      Decimal128 b = Numbers.roundedDecimal(base);
      if (isAbove(x, BigDecimal.ZERO) && isAbove(b, BigDecimal.ZERO) && !isOne(b)) {
        return new BsonDecimal128(
            x.isFinite() && b.isFinite()
                ? Numbers.decimal(DecimalMath.log(Numbers.exact(x), Numbers.exact(b)))
                : Numbers.toDecimal(new BsonDouble(Math.log(number) / Math.log(root))));
      }
      // what has no logarithm, and what is no number, is judged as a double
    }
    if (number <= 0) {
      throw new EngineException(
          28758, "$log's argument must be a positive number, but is " + Values.show(value));
    }
    if (root <= 0 || root == 1) {
      throw new EngineException(
          28759,
          "$log's base must be a positive number not equal to 1, but is " + Values.show(base));
    }
    return new BsonDouble(Math.log(number) / Math.log(root));
  }

  private static boolean isAbove(Decimal128 number, BigDecimal bound) {
    return !number.isNaN()
        && (number.isInfinite()
            ? !number.isNegative()
            : Numbers.exact(number).compareTo(bound) > 0);
  }

  private static boolean isOne(Decimal128 number) {
    return number.isFinite() && Numbers.exact(number).compareTo(BigDecimal.ONE) == 0;
  }

  private static @Nullable BsonValue pow(@Nullable BsonValue base, @Nullable BsonValue exponent) {
    if ((base == null || Values.isNullish(base))
        || (exponent == null || Values.isNullish(exponent))) {
      return BsonNull.VALUE;
    }
    if (!Values.isNumber(base)) {
      throw new EngineException(
          28762, "$pow's base must be numeric, not " + BsonTypes.nameOf(base));
    }
    if (!Values.isNumber(exponent)) {
      throw new EngineException(
          28763, "$pow's exponent must be numeric, not " + BsonTypes.nameOf(exponent));
    }
    double x = Numbers.toDouble(base);
    double y = Numbers.toDouble(exponent);
    if (Numbers.compare(base, new BsonInt32(0)) == 0 && y < 0) {
      throw new EngineException(28764, "$pow cannot take a base of 0 and a negative exponent");
    }
    if (base instanceof BsonDecimal128 || exponent instanceof BsonDecimal128) {
      return new BsonDecimal128(
          powDecimals(Numbers.roundedDecimal(base), Numbers.roundedDecimal(exponent)));
    }
    if (base instanceof BsonDouble || exponent instanceof BsonDouble) {
      return new BsonDouble(Math.pow(x, y));
    }
    return powWhole(
        Numbers.toLong(base),
        Numbers.toLong(exponent),
        base instanceof BsonInt32 && exponent instanceof BsonInt32);
  }

  private static Decimal128 powDecimals(Decimal128 base, Decimal128 exponent) {
    if (!base.isFinite() || !exponent.isFinite()) {
      double x = Numbers.toDouble(new BsonDecimal128(base));
      double y = Numbers.toDouble(new BsonDecimal128(exponent));
      return Numbers.toDecimal(new BsonDouble(Math.pow(x, y)));
    }
    BigDecimal x = Numbers.exact(base);
    BigDecimal y = Numbers.exact(exponent);
    if (y.signum() == 0) {
      return new Decimal128(1);
    }
    if (x.signum() == 0) {
      return Decimal128.POSITIVE_ZERO;
    }
    boolean whole = Numbers.isLong(new BsonDecimal128(exponent));
    if (whole && y.abs().compareTo(BigDecimal.valueOf(10_000)) < 0) {
      return Numbers.decimal(x.pow(y.intValue(), new MathContext(45)));
    }
    if (x.signum() < 0 && !whole) {
      return Decimal128.NaN;
    }
    BigDecimal size = DecimalMath.pow(x.abs(), y);
    boolean odd = whole && Numbers.toLong(new BsonDecimal128(exponent)) % 2 != 0;
    return Numbers.decimal(x.signum() < 0 && odd ? size.negate() : size);
  }

  /** A whole number while it fits 64 bits, else a double. */
  private static BsonValue powWhole(long base, long exponent, boolean ints) {
    if (base == 0 || base == 1) {
      return Numbers.whole(exponent == 0 ? 1 : base, ints);
    }
    if (base == -1) {
      return Numbers.whole(exponent % 2 == 0 ? 1 : -1, ints);
    }
    if (exponent >= 0 && exponent < Long.SIZE) {
      BigInteger exact = BigInteger.valueOf(base).pow((int) exponent);
      if (exact.bitLength() < Long.SIZE) {
        return Numbers.whole(exact.longValue(), ints);
      }
    }
    return new BsonDouble(Math.pow((double) base, (double) exponent));
  }
}
