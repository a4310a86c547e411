// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

/**
 * {@code $add $subtract $multiply $divide $mod $abs $ceil $floor $round $trunc $sqrt $pow $exp $ln
 * $log $log10} and the bitwise operators.
 */
final class Arithmetic {
  private Arithmetic() {}

  static void register(Operators.Registrar operators) {
    operators.variadic("$add", Arithmetic::add);
    operators.fixed("$subtract", 2, a -> subtract(a[0], a[1]));
    operators.variadic("$multiply", Arithmetic::multiply);
    operators.fixed("$divide", 2, a -> divide(a[0], a[1]));
    operators.fixed("$mod", 2, a -> mod(a[0], a[1]));
    operators.fixed("$abs", 1, a -> numeric("$abs", a[0], Arithmetic::abs));
    operators.fixed(
        "$ceil", 1, a -> numeric("$ceil", a[0], v -> rounded(v, 0, RoundingMode.CEILING)));
    operators.fixed(
        "$floor", 1, a -> numeric("$floor", a[0], v -> rounded(v, 0, RoundingMode.FLOOR)));
    operators.between("$round", 1, 2, a -> round("$round", a, RoundingMode.HALF_EVEN));
    operators.between("$trunc", 1, 2, a -> round("$trunc", a, RoundingMode.DOWN));
    operators.fixed("$sqrt", 1, a -> numeric("$sqrt", a[0], Arithmetic::sqrt));
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
    operators.variadic("$bitAnd", a -> bits("$bitAnd", a, -1, (x, y) -> x & y));
    operators.variadic("$bitOr", a -> bits("$bitOr", a, 0, (x, y) -> x | y));
    operators.variadic("$bitXor", a -> bits("$bitXor", a, 0, (x, y) -> x ^ y));
    operators.fixed("$bitNot", 1, Arithmetic::bitNot);
  }

  static @Nullable BsonValue add(@Nullable BsonValue[] arguments) {
    BsonValue sum = new BsonInt32(0);
    BsonDateTime date = null;
    for (BsonValue argument : arguments) {
      if (argument == null || Values.isNullish(argument)) {
        return BsonNull.VALUE;
      }
      if (argument instanceof BsonDateTime time) {
        if (date != null) {
          throw new EngineException(16612, "only one date allowed in an $add expression");
        }
        date = time;
      } else if (Values.isNumber(argument)) {
        // a sum of doubles keeps all its digits when the first decimal is added to it
        sum =
            sum instanceof BsonDouble && argument instanceof BsonDecimal128
                ? Numbers.add(new BsonDecimal128(Numbers.toDecimal(sum)), argument)
                : Numbers.add(sum, argument);
      } else {
        throw new EngineException(
            ErrorCodes.TYPE_MISMATCH,
            "$add only supports numeric or date types, not " + BsonTypes.nameOf(argument));
      }
    }
    return date == null ? sum : shifted(date, sum, 1);
  }

  private static BsonValue shifted(BsonDateTime date, BsonValue amount, int sign) {
    double exact = Numbers.toDouble(amount);
    long millis = Numbers.isLong(amount) ? Numbers.toLong(amount) : Math.round(exact);
    if (Double.isNaN(exact) || Double.isInfinite(exact)) {
      throw new EngineException(ErrorCodes.OVERFLOW, "date overflow");
    }
    try {
      return new BsonDateTime(
          sign > 0
              ? Math.addExact(date.getValue(), millis)
              : Math.subtractExact(date.getValue(), millis));
    } catch (ArithmeticException e) {
      throw new EngineException(
          ErrorCodes.OVERFLOW, "date overflow in " + (sign > 0 ? "$add" : "$subtract"));
    }
  }

  private static @Nullable BsonValue subtract(@Nullable BsonValue a, @Nullable BsonValue b) {
    if ((a == null || Values.isNullish(a)) || (b == null || Values.isNullish(b))) {
      return BsonNull.VALUE;
    }
    if (Values.isNumber(a) && Values.isNumber(b)) {
      return Numbers.subtract(a, b);
    }
    if (a instanceof BsonDateTime date) {
      if (b instanceof BsonDateTime other) {
        try {
          return new BsonInt64(Math.subtractExact(date.getValue(), other.getValue()));
        } catch (ArithmeticException e) {
          throw new EngineException(ErrorCodes.OVERFLOW, "date overflow in $subtract");
        }
      }
      if (Values.isNumber(b)) {
        return shifted(date, b, -1);
      }
    }
    throw new EngineException(
        ErrorCodes.TYPE_MISMATCH,
        "can't $subtract " + BsonTypes.nameOf(b) + " from " + BsonTypes.nameOf(a));
  }

  private static @Nullable BsonValue multiply(@Nullable BsonValue[] arguments) {
    BsonValue product = new BsonInt32(1);
    for (BsonValue argument : arguments) {
      if (argument == null || Values.isNullish(argument)) {
        return BsonNull.VALUE;
      }
      if (!Values.isNumber(argument)) {
        throw new EngineException(
            ErrorCodes.TYPE_MISMATCH,
            "$multiply only supports numeric types, not " + BsonTypes.nameOf(argument));
      }
      product = Numbers.multiply(product, argument);
    }
    return product;
  }

  private static @Nullable BsonValue divide(@Nullable BsonValue a, @Nullable BsonValue b) {
    if ((a == null || Values.isNullish(a)) || (b == null || Values.isNullish(b))) {
      return BsonNull.VALUE;
    }
    if (!Values.isNumber(a) || !Values.isNumber(b)) {
      throw new EngineException(
          ErrorCodes.TYPE_MISMATCH,
          "$divide only supports numeric types, not "
              + BsonTypes.nameOf(a)
              + " and "
              + BsonTypes.nameOf(b));
    }
    if (Numbers.toDouble(b) == 0) {
      throw new EngineException(ErrorCodes.BAD_VALUE, "can't $divide by zero");
    }
    if (a instanceof BsonDecimal128 || b instanceof BsonDecimal128) {
      return new BsonDecimal128(
          divideDecimals(Numbers.roundedDecimal(a), Numbers.roundedDecimal(b)));
    }
    return new BsonDouble(Numbers.toDouble(a) / Numbers.toDouble(b));
  }

  static Decimal128 divideDecimals(Decimal128 a, Decimal128 b) {
    if (a.isNaN() || b.isNaN() || (a.isInfinite() && b.isInfinite())) {
      return Decimal128.NaN;
    }
    if (a.isInfinite()) {
      return a.isNegative() == b.isNegative()
          ? Decimal128.POSITIVE_INFINITY
          : Decimal128.NEGATIVE_INFINITY;
    }
    if (b.isInfinite()) {
      return Decimal128.POSITIVE_ZERO;
    }
    return Numbers.decimal(Numbers.exact(a).divide(Numbers.exact(b), MathContext.DECIMAL128));
  }

  private static @Nullable BsonValue mod(@Nullable BsonValue a, @Nullable BsonValue b) {
    if ((a == null || Values.isNullish(a)) || (b == null || Values.isNullish(b))) {
      return BsonNull.VALUE;
    }
    if (!Values.isNumber(a) || !Values.isNumber(b)) {
      throw new EngineException(
          16611,
          "$mod only supports numeric types, not "
              + BsonTypes.nameOf(a)
              + " and "
              + BsonTypes.nameOf(b));
    }
    if (Numbers.toDouble(b) == 0) {
      throw new EngineException(16610, "can't $mod by zero");
    }
    if (a instanceof BsonDecimal128 || b instanceof BsonDecimal128) {
      Decimal128 left = Numbers.roundedDecimal(a);
      Decimal128 right = Numbers.roundedDecimal(b);
      if (left.isNaN() || right.isNaN() || left.isInfinite()) {
        return new BsonDecimal128(Decimal128.NaN);
      }
      return new BsonDecimal128(
          right.isInfinite()
              ? left
              : Numbers.decimal(Numbers.exact(left).remainder(Numbers.exact(right))));
    }
    if (a instanceof BsonDouble || b instanceof BsonDouble) {
      return new BsonDouble(Numbers.toDouble(a) % Numbers.toDouble(b));
    }
    long remainder = Numbers.toLong(a) % Numbers.toLong(b);
    return Numbers.whole(remainder, a instanceof BsonInt32 && b instanceof BsonInt32);
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
    return function.apply(java.util.Objects.requireNonNull(value));
  }

  private static BsonValue abs(BsonValue value) {
    return switch (value.getBsonType()) {
      case INT32 ->
          value.asInt32().getValue() == Integer.MIN_VALUE
              ? new BsonInt64(-(long) Integer.MIN_VALUE)
              : new BsonInt32(Math.abs(value.asInt32().getValue()));
      case INT64 -> {
        if (value.asInt64().getValue() == Long.MIN_VALUE) {
          throw new EngineException(28680, "can't take $abs of long long min");
        }
        yield new BsonInt64(Math.abs(value.asInt64().getValue()));
      }
      case DOUBLE -> new BsonDouble(Math.abs(value.asDouble().getValue()));
      default -> {
        Decimal128 decimal = value.asDecimal128().getValue();
        yield new BsonDecimal128(decimal.isNegative() ? Numbers.negate(decimal) : decimal);
      }
    };
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
    if (number <= 0) {
      throw new EngineException(
          28758, "$log's argument must be a positive number, but is " + Values.show(value));
    }
    if (root <= 0 || root == 1) {
      throw new EngineException(
          28759,
          "$log's base must be a positive number not equal to 1, but is " + Values.show(base));
    }
    if (value instanceof BsonDecimal128 || base instanceof BsonDecimal128) {
      Decimal128 x = Numbers.roundedDecimal(value);
      Decimal128 b = Numbers.roundedDecimal(base);
      return new BsonDecimal128(
          x.isFinite() && b.isFinite()
              ? Numbers.decimal(DecimalMath.log(Numbers.exact(x), Numbers.exact(b)))
              : Numbers.toDecimal(new BsonDouble(Math.log(number) / Math.log(root))));
    }
    return new BsonDouble(root == 10 ? Math.log10(number) : Math.log(number) / Math.log(root));
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

  private static @Nullable BsonValue round(
      String name, @Nullable BsonValue[] arguments, RoundingMode mode) {
    BsonValue value = arguments[0];
    int places = 0;
    if (arguments.length > 1) {
      BsonValue precision = arguments[1];
      if ((value == null || Values.isNullish(value))
          || (precision == null || Values.isNullish(precision))) {
        return BsonNull.VALUE;
      }
      if (!Values.isNumber(value)) {
        throw new EngineException(
            51081, name + " only supports numeric types, not " + BsonTypes.nameOf(value));
      }
      if (precision == null || !precision.isNumber() || !Numbers.isInt(precision)) {
        throw new EngineException(
            51082, "precision argument to  " + name + " must be a integral value");
      }
      places = (int) Numbers.toLong(precision);
      if (places < -20 || places > 100) {
        throw new EngineException(
            51083,
            "cannot apply "
                + name
                + " with precision value "
                + places
                + " value must be in [-20, 100]");
      }
    }
    if (value == null || Values.isNullish(value)) {
      return BsonNull.VALUE;
    }
    if (!Values.isNumber(value)) {
      throw new EngineException(
          51081, name + " only supports numeric types, not " + BsonTypes.nameOf(value));
    }
    return rounded(java.util.Objects.requireNonNull(value), places, mode);
  }

  private static BsonValue rounded(BsonValue value, int places, RoundingMode mode) {
    return switch (value.getBsonType()) {
      case INT32, INT64 -> roundedWhole(value, places, mode);
      case DOUBLE -> roundedDouble(value, places, mode);
      default -> {
        Decimal128 decimal = value.asDecimal128().getValue();
        if (decimal.isNaN() || decimal.isInfinite()) {
          yield value;
        }
        BigDecimal exact = Numbers.exact(decimal);
        yield exact.scale() <= places
            ? value
            : new BsonDecimal128(Numbers.decimal(exact.setScale(places, mode)));
      }
    };
  }

  private static BsonValue roundedWhole(BsonValue value, int places, RoundingMode mode) {
    if (places >= 0) {
      return value;
    }
    BigDecimal whole = BigDecimal.valueOf(Numbers.toLong(value)).setScale(places, mode);
    if (whole.toBigInteger().bitLength() >= Long.SIZE) {
      throw new EngineException(
          51080,
          "invalid conversion from Decimal128 result in $round resulting from arguments: ["
              + Values.show(value)
              + ","
              + places
              + "]");
    }
    return Numbers.whole(whole.longValue(), value instanceof BsonInt32);
  }

  private static BsonValue roundedDouble(BsonValue value, int places, RoundingMode mode) {
    double number = value.asDouble().getValue();
    if (Double.isNaN(number) || Double.isInfinite(number) || number == 0) {
      return value;
    }
    double result = new BigDecimal(number).setScale(places, mode).doubleValue();
    return new BsonDouble(result == 0 && number < 0 ? -0.0 : result);
  }

  private static @Nullable BsonValue bits(
      String name,
      @Nullable BsonValue[] arguments,
      long start,
      java.util.function.LongBinaryOperator operator) {
    long result = start;
    boolean ints = true;
    boolean nullish = false;
    for (BsonValue argument : arguments) {
      if (argument == null || Values.isNullish(argument)) {
        nullish = true;
      } else if (argument instanceof BsonInt32 || argument instanceof BsonInt64) {
        ints &= argument instanceof BsonInt32;
        result = operator.applyAsLong(result, Numbers.toLong(argument));
      } else {
        throw new EngineException(
            ErrorCodes.TYPE_MISMATCH,
            name + " only supports int and long operands, not " + BsonTypes.nameOf(argument) + ".");
      }
    }
    return nullish ? BsonNull.VALUE : ints ? new BsonInt32((int) result) : new BsonInt64(result);
  }

  private static @Nullable BsonValue bitNot(@Nullable BsonValue[] arguments) {
    BsonValue value = arguments[0];
    if (value == null || Values.isNullish(value)) {
      return BsonNull.VALUE;
    }
    if (value instanceof BsonInt32 small) {
      return new BsonInt32(~small.getValue());
    }
    if (value instanceof BsonInt64 big) {
      return new BsonInt64(~big.getValue());
    }
    throw new EngineException(
        28765, "$bitNot only supports int and long, not: " + BsonTypes.nameOf(value) + ".");
  }
}
