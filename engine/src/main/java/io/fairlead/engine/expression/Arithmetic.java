// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

/** {@code $add $subtract $multiply $divide $mod $abs}. */
final class Arithmetic {
  private Arithmetic() {}

  static void register(Operators.Registrar operators) {
    operators.variadic("$add", Arithmetic::add);
    operators.fixed("$subtract", 2, a -> subtract(a[0], a[1]));
    operators.variadic("$multiply", Arithmetic::multiply);
    operators.fixed("$divide", 2, a -> divide(a[0], a[1]));
    operators.fixed("$mod", 2, a -> mod(a[0], a[1]));
    operators.fixed("$abs", 1, a -> RealFunctions.numeric("$abs", a[0], Arithmetic::abs));
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
    return date == null ? sum : later(date, sum);
  }

  /** A date so many milliseconds later; fractions count, and halves go away from the epoch. */
  private static BsonValue later(BsonDateTime date, BsonValue amount) {
    if (amount.isInt32() || amount.isInt64()) {
      try {
        return new BsonDateTime(Math.addExact(date.getValue(), Numbers.toLong(amount)));
      } catch (ArithmeticException e) {
        throw overflow("$add");
      }
    }
    if (amount instanceof BsonDecimal128 decimal) {
      if (!decimal.getValue().isFinite()) {
        throw overflow("$add");
      }
      BigDecimal sum = Numbers.exact(decimal.getValue()).add(BigDecimal.valueOf(date.getValue()));
      BigDecimal whole = sum.setScale(0, RoundingMode.HALF_EVEN);
      if (whole.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
        throw overflow("$add");
      }
      return new BsonDateTime(whole.longValueExact());
    }
    double sum = date.getValue() + Numbers.toDouble(amount);
    if (!(sum >= Long.MIN_VALUE && sum < Long.MAX_VALUE)) {
      throw overflow("$add");
    }
    return new BsonDateTime(sum < 0 ? -Math.round(-sum) : Math.round(sum));
  }

  private static BsonValue earlier(BsonDateTime date, long millis) {
    try {
      return new BsonDateTime(Math.subtractExact(date.getValue(), millis));
    } catch (ArithmeticException e) {
      throw overflow("$subtract");
    }
  }

  private static EngineException overflow(String operator) {
    return new EngineException(ErrorCodes.OVERFLOW, "date overflow in " + operator);
  }

  static @Nullable BsonValue subtract(@Nullable BsonValue a, @Nullable BsonValue b) {
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
          throw overflow("$subtract");
        }
      }
      if (Values.isNumber(b)) {
        return earlier(date, Numbers.toLong(b));
      }
    }
    throw new EngineException(
        ErrorCodes.TYPE_MISMATCH,
        "can't $subtract " + BsonTypes.nameOf(b) + " from " + BsonTypes.nameOf(a));
  }

  static @Nullable BsonValue multiply(@Nullable BsonValue[] arguments) {
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

  static @Nullable BsonValue divide(@Nullable BsonValue a, @Nullable BsonValue b) {
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
      boolean decimal = a instanceof BsonDecimal128 || b instanceof BsonDecimal128;
      throw new EngineException(decimal ? 5733415 : 16610, "can't $mod by zero");
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
}
