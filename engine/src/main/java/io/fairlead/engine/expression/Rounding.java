// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

/** {@code $ceil $floor $round $trunc}. */
final class Rounding {
  private static final int DECIMAL_DIGITS = 34;

  private Rounding() {}

  static void register(Operators.Registrar operators) {
    operators.fixed("$ceil", 1, a -> toWhole("$ceil", a[0], RoundingMode.CEILING));
    operators.fixed("$floor", 1, a -> toWhole("$floor", a[0], RoundingMode.FLOOR));
    operators.between("$round", 1, 2, a -> round("$round", a, RoundingMode.HALF_EVEN));
    operators.between("$trunc", 1, 2, a -> round("$trunc", a, RoundingMode.DOWN));
  }

  private static @Nullable BsonValue toWhole(
      String name, @Nullable BsonValue value, RoundingMode mode) {
    return RealFunctions.numeric(name, value, number -> rounded(number, 0, mode));
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
    return rounded(value, places, mode);
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
        yield new BsonDecimal128(Numbers.decimal(toPlaces(Numbers.exact(decimal), places, mode)));
      }
    };
  }

  /** With just so many decimals; with as many as fit when those would be too many digits. */
  private static BigDecimal toPlaces(BigDecimal value, int places, RoundingMode mode) {
    int fitting = DECIMAL_DIGITS - value.precision() + value.scale();
    return value.scale() < places && fitting < places && value.signum() != 0
        ? value.setScale(fitting)
        : value.setScale(places, mode);
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
}
