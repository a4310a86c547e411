// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Preferred numbers: the boundaries that {@code $bucketAuto} may use with a granularity. A series
 * is repeated in every decade; the Renard and E series are those of ISO 3 and IEC 60063.
 */
final class Granularity {
  private static final Map<String, String> SERIES =
      Map.ofEntries(
          Map.entry("R5", "10 16 25 40 63"),
          Map.entry("R10", "100 125 160 200 250 315 400 500 630 800"),
          Map.entry(
              "R20",
              "100 112 125 140 160 180 200 224 250 280 315 355 400 450 500 560 630 710 800 900"),
          Map.entry(
              "R40",
              "100 106 112 118 125 132 140 150 160 170 180 190 200 212 224 236 250 265 280 300 315"
                  + " 355 375 400 425 450 475 500 530 560 600 630 670 710 750 800 850 900 950"),
          Map.entry(
              "R80",
              "103 109 115 122 128 136 145 155 165 175 185 195 206 218 230 243 258 272 290 307 325"
                  + " 345 365 387 412 437 462 487 515 545 575 615 650 690 730 775 825 875 925 975"),
          Map.entry("1-2-5", "10 20 50"),
          Map.entry("E6", "10 15 22 33 47 68"),
          Map.entry("E12", "10 12 15 18 22 27 33 39 47 56 68 82"),
          Map.entry(
              "E24", "10 11 12 13 15 16 18 20 22 24 27 30 33 36 39 43 47 51 56 62 68 75 82 91"),
          Map.entry("E48", every(4)),
          Map.entry("E96", every(2)),
          Map.entry("E192", every(1)));

  private static final String POWERS_OF_2 = "POWERSOF2";

  private final String name;
  private final List<BigDecimal> series = new ArrayList<>();

  private Granularity(String name) {
    this.name = name;
    if (!name.equals(POWERS_OF_2)) {
      for (String number : java.util.Objects.requireNonNull(SERIES.get(name)).split(" ", -1)) {
        series.add(new BigDecimal(number));
      }
    }
  }

  /**
   * The granularity of that name.
   *
   * @throws EngineException 40261 when it is no string, 40257 when there is none of that name
   */
  static Granularity of(BsonValue given) {
    if (!(given instanceof BsonString text)) {
      throw new EngineException(
          40261,
          "The $bucketAuto 'granularity' field must be a string, but found type: "
              + BsonTypes.nameOf(given));
    }
    if (!SERIES.containsKey(text.getValue()) && !text.getValue().equals(POWERS_OF_2)) {
      throw new EngineException(40257, "Unknown rounding granularity '" + text.getValue() + "'");
    }
    return new Granularity(text.getValue());
  }

  /** E192 is rounded from its roots, but for one number that custom has otherwise. */
  private static String every(int step) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 192; i += step) {
      long number = Math.round(Math.pow(10, 2 + i / 192.0));
      text.append(text.isEmpty() ? "" : " ").append(number == 919 ? 920 : number);
    }
    return text.toString();
  }

  /** Checks a value that will be rounded. */
  static void check(BsonValue value) {
    if (!value.isNumber()) {
      throw new EngineException(
          40258,
          "$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a value"
              + " with type: "
              + BsonTypes.nameOf(value));
    }
    if (Numbers.isNaN(value)) {
      throw new EngineException(
          40259,
          "$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a NaN");
    }
    if (Numbers.compare(value, new BsonInt32(0)) < 0) {
      throw new EngineException(
          40260,
          "$bucketAuto can specify a 'granularity' with non-negative numbers only, but found a"
              + " negative number");
    }
  }

  /** The least boundary greater than a number; zero is its own. */
  BsonValue up(BsonValue value) {
    return round(value, true);
  }

  /** The greatest boundary less than a number; zero is its own. */
  BsonValue down(BsonValue value) {
    return round(value, false);
  }

  private BsonValue round(BsonValue value, boolean up) {
    double size = Numbers.toDouble(value);
    boolean zero = Numbers.compare(value, new BsonInt32(0)) == 0;
    if (zero || Double.isInfinite(size)) {
      return value;
    }
    BigDecimal number =
        value instanceof BsonDecimal128 decimal
            ? Numbers.exact(decimal.getValue())
            : new BigDecimal(size);
    BigDecimal boundary = name.equals(POWERS_OF_2) ? power(number, up) : preferred(number, up);
    if (value instanceof BsonDecimal128) {
      return new BsonDecimal128(Numbers.decimal(boundary));
    }
    if (name.equals(POWERS_OF_2) && boundary.stripTrailingZeros().scale() <= 0) {
      BigInteger whole = boundary.toBigInteger();
      if (whole.bitLength() < Integer.SIZE) {
        return new BsonInt32(whole.intValue());
      }
      if (whole.bitLength() < Long.SIZE) {
        return new BsonInt64(whole.longValue());
      }
    }
    return new BsonDouble(boundary.doubleValue());
  }

  private BigDecimal preferred(BigDecimal number, boolean up) {
    int decade = number.precision() - number.scale() - series.getFirst().precision();
    BigDecimal found = null;
    for (int shift = -1; shift <= 1; shift++) {
      for (BigDecimal each : series) {
        BigDecimal candidate = each.scaleByPowerOfTen(decade + shift);
        int order = candidate.compareTo(number);
        if (up && order > 0) {
          return candidate;
        }
        if (!up && order < 0) {
          found = candidate;
        }
      }
    }
    return java.util.Objects.requireNonNull(found);
  }

  private static BigDecimal power(BigDecimal number, boolean up) {
    int exponent = (int) Math.floor(Math.log(number.doubleValue()) / Math.log(2)) - 2;
    BigDecimal power = twoTo(exponent);
    while (power.compareTo(number) <= 0) {
      power = twoTo(++exponent);
    }
    if (up) {
      return power;
    }
    do {
      power = twoTo(--exponent);
    } while (power.compareTo(number) >= 0);
    return power;
  }

  private static BigDecimal twoTo(int exponent) {
    BigDecimal power = new BigDecimal(BigInteger.TWO.pow(Math.abs(exponent)));
    return exponent >= 0 ? power : BigDecimal.ONE.divide(power);
  }
}
