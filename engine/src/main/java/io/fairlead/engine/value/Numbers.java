// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/** The four number types together: comparison, arithmetic with MongoDB's widening, conversion. */
public final class Numbers {
  private static final double LONG_LIMIT = 0x1p63;

  private Numbers() {}

  /** Compares numbers of any types exactly; NaN is less than every other and equal to itself. */
  public static int compare(BsonValue a, BsonValue b) {
    if (a instanceof BsonInt32 x && b instanceof BsonInt32 y) {
      return Integer.compare(x.getValue(), y.getValue());
    }
    if (a instanceof BsonDecimal128 x) {
      return b instanceof BsonDouble y
          ? compareExactly(x.getValue(), y.getValue())
          : compareDecimals(x.getValue(), toDecimal(b));
    }
    if (b instanceof BsonDecimal128) {
      return -compare(b, a);
    }
    if (a instanceof BsonDouble x) {
      double left = x.getValue();
      return b instanceof BsonDouble y ? compare(left, y.getValue()) : -compare(longOf(b), left);
    }
    return b instanceof BsonDouble y
        ? compare(longOf(a), y.getValue())
        : Long.compare(longOf(a), longOf(b));
  }

  static int compare(double a, double b) {
    if (a < b) {
      return -1;
    }
    if (a > b) {
      return 1;
    }
    if (a == b) {
      return 0;
    }
    return Boolean.compare(!Double.isNaN(a), !Double.isNaN(b));
  }

  static int compare(long a, double b) {
    if (Double.isNaN(b) || b < -LONG_LIMIT) {
      return 1;
    }
    if (b >= LONG_LIMIT) {
      return -1;
    }
    long whole = (long) b;
    if (a != whole) {
      return a < whole ? -1 : 1;
    }
    double rest = b - whole;
    return rest > 0 ? -1 : rest < 0 ? 1 : 0;
  }

  static int compareDecimals(Decimal128 a, Decimal128 b) {
    if (a.isNaN() || b.isNaN()) {
      return Boolean.compare(!a.isNaN(), !b.isNaN());
    }
    if (a.isInfinite() || b.isInfinite()) {
      int x = a.isInfinite() ? (a.isNegative() ? -1 : 1) : 0;
      int y = b.isInfinite() ? (b.isNegative() ? -1 : 1) : 0;
      return Integer.compare(x, y);
    }
    return exact(a).compareTo(exact(b));
  }

  /** Compares a decimal with a double exactly: 0.1 is not {@code NumberDecimal("0.1")}. */
  static int compareExactly(Decimal128 a, double b) {
    if (a.isNaN() || Double.isNaN(b)) {
      return Boolean.compare(!a.isNaN(), !Double.isNaN(b));
    }
    if (a.isInfinite() || Double.isInfinite(b)) {
      double left =
          a.isInfinite()
              ? (a.isNegative() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY)
              : 0;
      return Double.compare(left, Double.isInfinite(b) ? b : 0);
    }
    return exact(a).compareTo(new BigDecimal(b));
  }

  /** Whole numbers of int32 or int64. */
  static long longOf(BsonValue value) {
    return value instanceof BsonInt32 small ? small.getValue() : value.asInt64().getValue();
  }

  /** A finite decimal as BigDecimal; negative zero becomes zero. */
  public static BigDecimal exact(Decimal128 value) {
    return isZero(value) ? BigDecimal.ZERO : value.bigDecimalValue();
  }

  public static boolean isZero(Decimal128 value) {
    if (value.isNaN() || value.isInfinite()) {
      return false;
    }
    return value.isNegative()
        ? value.compareTo(Decimal128.NEGATIVE_ZERO) == 0
        : value.bigDecimalValue().signum() == 0;
  }

  /** A BigDecimal rounded to decimal128's 34 digits; beyond its range an infinity or zero. */
  public static Decimal128 decimal(BigDecimal value) {
    BigDecimal rounded = value.round(MathContext.DECIMAL128);
    if (rounded.signum() == 0) {
      int scale = Math.min(6176, Math.max(-6111, rounded.scale()));
      return new Decimal128(new BigDecimal(java.math.BigInteger.ZERO, scale));
    }
    long exponent = (long) rounded.precision() - rounded.scale() - 1;
    if (exponent > 6144) {
      return rounded.signum() < 0 ? Decimal128.NEGATIVE_INFINITY : Decimal128.POSITIVE_INFINITY;
    }
    if (rounded.scale() > 6176) {
      rounded = rounded.setScale(6176, RoundingMode.HALF_EVEN);
    } else if (rounded.scale() < -6111) {
      rounded = rounded.setScale(-6111);
    }
    return new Decimal128(rounded);
  }

  /** Any number as decimal: a double exactly, as far as 34 digits hold it. */
  public static Decimal128 toDecimal(BsonValue value) {
    return switch (value.getBsonType()) {
      case INT32 -> new Decimal128(value.asInt32().getValue());
      case INT64 -> new Decimal128(value.asInt64().getValue());
      case DECIMAL128 -> value.asDecimal128().getValue();
      default -> doubleToDecimal(value.asDouble().getValue(), null);
    };
  }

  /** As arithmetic converts a double: rounded to 15 significant digits. */
  public static Decimal128 roundedDecimal(BsonValue value) {
    return value instanceof BsonDouble number
        ? doubleToDecimal(number.getValue(), new MathContext(15, RoundingMode.HALF_EVEN))
        : toDecimal(value);
  }

  private static Decimal128 doubleToDecimal(
      double value, @org.jspecify.annotations.Nullable MathContext rounding) {
    if (Double.isNaN(value)) {
      return Decimal128.NaN;
    }
    if (Double.isInfinite(value)) {
      return value < 0 ? Decimal128.NEGATIVE_INFINITY : Decimal128.POSITIVE_INFINITY;
    }
    if (value == 0) {
      return 1 / value < 0 ? Decimal128.NEGATIVE_ZERO : Decimal128.POSITIVE_ZERO;
    }
    BigDecimal exact = new BigDecimal(value);
    if (rounding == null) {
      return decimal(exact);
    }
    BigDecimal rounded = exact.round(rounding);
    // MongoDB keeps 15 digits, padded: 1.5 becomes 1.50000000000000
    int scale = rounded.scale() + (15 - rounded.precision());
    return decimal(scale <= 6176 ? rounded.setScale(scale, RoundingMode.UNNECESSARY) : rounded);
  }

  public static double toDouble(BsonValue value) {
    return switch (value.getBsonType()) {
      case INT32 -> value.asInt32().getValue();
      case INT64 -> value.asInt64().getValue();
      case DOUBLE -> value.asDouble().getValue();
      default -> {
        Decimal128 decimal = value.asDecimal128().getValue();
        yield decimal.isNaN()
            ? Double.NaN
            : decimal.isInfinite()
                ? (decimal.isNegative() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY)
                : isZero(decimal) && decimal.isNegative() ? -0.0 : exact(decimal).doubleValue();
      }
    };
  }

  /** Towards zero; beyond the range the nearest end; NaN is 0. */
  public static long toLong(BsonValue value) {
    return switch (value.getBsonType()) {
      case INT32 -> value.asInt32().getValue();
      case INT64 -> value.asInt64().getValue();
      case DOUBLE -> (long) value.asDouble().getValue();
      default -> {
        Decimal128 decimal = value.asDecimal128().getValue();
        if (decimal.isNaN()) {
          yield 0;
        }
        if (decimal.isInfinite()) {
          yield decimal.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        BigDecimal exact = exact(decimal);
        if (exact.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) >= 0) {
          yield Long.MAX_VALUE;
        }
        yield exact.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) <= 0
            ? Long.MIN_VALUE
            : exact.longValue();
      }
    };
  }

  /** Whether the number is whole and fits 64 bits, so that {@link #toLong} loses nothing. */
  public static boolean isLong(BsonValue value) {
    return switch (value.getBsonType()) {
      case INT32, INT64 -> true;
      case DOUBLE -> {
        double number = value.asDouble().getValue();
        yield number == Math.rint(number) && number >= -LONG_LIMIT && number < LONG_LIMIT;
      }
      case DECIMAL128 -> {
        Decimal128 decimal = value.asDecimal128().getValue();
        if (decimal.isNaN() || decimal.isInfinite()) {
          yield false;
        }
        BigDecimal exact = exact(decimal);
        yield compareDecimals(decimal, new Decimal128(toLong(value))) == 0
            && exact.precision() - exact.scale() <= 19;
      }
      default -> false;
    };
  }

  public static boolean isInt(BsonValue value) {
    return isLong(value) && (int) toLong(value) == toLong(value);
  }

  public static boolean isNaN(BsonValue value) {
    return value instanceof BsonDouble number
        ? Double.isNaN(number.getValue())
        : value instanceof BsonDecimal128 decimal && decimal.getValue().isNaN();
  }

  /**
   * A whole number in the smallest of int32 and int64 that is not smaller than {@code atLeast}'s
   * type.
   */
  public static BsonValue whole(long value, boolean mayBeInt) {
    return mayBeInt && (int) value == value ? new BsonInt32((int) value) : new BsonInt64(value);
  }

  /** The sum in the wider type; int64 beyond its range becomes a double. */
  public static BsonValue add(BsonValue a, BsonValue b) {
    if (a instanceof BsonDecimal128 || b instanceof BsonDecimal128) {
      return new BsonDecimal128(addDecimals(roundedDecimal(a), roundedDecimal(b)));
    }
    if (a instanceof BsonDouble || b instanceof BsonDouble) {
      return new BsonDouble(toDouble(a) + toDouble(b));
    }
    long x = longOf(a);
    long y = longOf(b);
    long sum = x + y;
    if (((x ^ sum) & (y ^ sum)) < 0) {
      return new BsonDouble((double) x + (double) y);
    }
    return whole(sum, a instanceof BsonInt32 && b instanceof BsonInt32);
  }

  public static BsonValue subtract(BsonValue a, BsonValue b) {
    if (a instanceof BsonDecimal128 || b instanceof BsonDecimal128) {
      Decimal128 right = roundedDecimal(b);
      return new BsonDecimal128(
          addDecimals(roundedDecimal(a), right.isNaN() ? right : negate(right)));
    }
    if (a instanceof BsonDouble || b instanceof BsonDouble) {
      return new BsonDouble(toDouble(a) - toDouble(b));
    }
    long x = longOf(a);
    long y = longOf(b);
    long difference = x - y;
    if (((x ^ y) & (x ^ difference)) < 0) {
      return new BsonDouble((double) x - (double) y);
    }
    return whole(difference, a instanceof BsonInt32 && b instanceof BsonInt32);
  }

  public static BsonValue multiply(BsonValue a, BsonValue b) {
    if (a instanceof BsonDecimal128 || b instanceof BsonDecimal128) {
      return new BsonDecimal128(multiplyDecimals(roundedDecimal(a), roundedDecimal(b)));
    }
    if (a instanceof BsonDouble || b instanceof BsonDouble) {
      return new BsonDouble(toDouble(a) * toDouble(b));
    }
    long x = longOf(a);
    long y = longOf(b);
    long high = Math.multiplyHigh(x, y);
    long low = x * y;
    if ((high != 0 || low < 0) && (high != -1 || low >= 0)) {
      return new BsonDouble((double) x * (double) y);
    }
    return whole(low, a instanceof BsonInt32 && b instanceof BsonInt32);
  }

  public static Decimal128 negate(Decimal128 value) {
    if (value.isNaN()) {
      return value;
    }
    if (value.isInfinite()) {
      return value.isNegative() ? Decimal128.POSITIVE_INFINITY : Decimal128.NEGATIVE_INFINITY;
    }
    return decimal(exact(value).negate());
  }

  public static Decimal128 addDecimals(Decimal128 a, Decimal128 b) {
    if (a.isNaN() || b.isNaN()) {
      return Decimal128.NaN;
    }
    if (a.isInfinite()) {
      return b.isInfinite() && a.isNegative() != b.isNegative() ? Decimal128.NaN : a;
    }
    if (b.isInfinite()) {
      return b;
    }
    return decimal(exact(a).add(exact(b), MathContext.DECIMAL128));
  }

  public static Decimal128 multiplyDecimals(Decimal128 a, Decimal128 b) {
    if (a.isNaN() || b.isNaN()) {
      return Decimal128.NaN;
    }
    if (a.isInfinite() || b.isInfinite()) {
      if (isZero(a) || isZero(b)) {
        return Decimal128.NaN;
      }
      return a.isNegative() == b.isNegative()
          ? Decimal128.POSITIVE_INFINITY
          : Decimal128.NEGATIVE_INFINITY;
    }
    return decimal(exact(a).multiply(exact(b), MathContext.DECIMAL128));
  }

  /** A hash that equal numbers of different types share. */
  static int hash(BsonValue value) {
    return switch (value.getBsonType()) {
      case INT32 -> Long.hashCode(value.asInt32().getValue());
      case INT64 -> Long.hashCode(value.asInt64().getValue());
      case DOUBLE -> hash(value.asDouble().getValue());
      default -> hash(value.asDecimal128().getValue());
    };
  }

  static int hash(double value) {
    if (value == Math.rint(value) && value >= -LONG_LIMIT && value < LONG_LIMIT) {
      return Long.hashCode((long) value);
    }
    return Double.hashCode(value);
  }

  static int hash(Decimal128 value) {
    if (value.isNaN()) {
      return Double.hashCode(Double.NaN);
    }
    if (value.isInfinite()) {
      return Double.hashCode(
          value.isNegative() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
    }
    BigDecimal exact = exact(value);
    if (exact.precision() - (long) exact.scale() > 400) {
      return exact.stripTrailingZeros().hashCode();
    }
    BigDecimal plain = exact.stripTrailingZeros();
    if (plain.scale() <= 0 && plain.toBigInteger().bitLength() < Long.SIZE) {
      return Long.hashCode(plain.longValueExact());
    }
    // a decimal that equals no double may share a double's hash: that is only a collision
    return hash(exact.doubleValue());
  }
}
