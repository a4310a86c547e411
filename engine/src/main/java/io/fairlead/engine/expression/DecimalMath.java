// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import static java.math.BigDecimal.ONE;
import static java.math.BigDecimal.TWO;
import static java.math.BigDecimal.ZERO;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Real functions of decimals, for decimal128: a double has 16 digits, decimal128 has 34.
 *
 * <p>Everything is computed with 60 digits and rounded by the caller. Arguments are first brought
 * near zero, where a Taylor series ends after a few dozen terms: {@code exp} by powers of ten and
 * by halving, the circular functions by multiples of 2π, inverse functions by one or two Newton
 * steps from the double's answer, each of which triples the digits that are right.
 */
final class DecimalMath {
  private static final MathContext DIGITS = new MathContext(60, RoundingMode.HALF_EVEN);
  private static final BigDecimal LONG_PI = pi(90);
  private static final BigDecimal PI = LONG_PI.setScale(70, RoundingMode.HALF_EVEN);
  private static final BigDecimal LN_10 = logarithm(BigDecimal.TEN, 2.302585092994046);

  /** Beyond this exp has no decimal128, or none but zero. */
  private static final BigDecimal EXP_MAX = BigDecimal.valueOf(20_000);

  private DecimalMath() {}

  static BigDecimal pi() {
    return PI;
  }

  static BigDecimal halfPi() {
    return PI.divide(TWO, DIGITS);
  }

  /** {@code e^x}; when that is beyond decimal128, a number beyond it or zero. */
  static BigDecimal exp(BigDecimal x) {
    if (x.abs().compareTo(EXP_MAX) > 0) {
      return x.signum() > 0 ? ONE.scaleByPowerOfTen(20_000) : ZERO;
    }
    int tens = x.divide(LN_10, DIGITS).setScale(0, RoundingMode.HALF_EVEN).intValueExact();
    return small(x.subtract(LN_10.multiply(BigDecimal.valueOf(tens)), DIGITS))
        .scaleByPowerOfTen(tens);
  }

  /** {@code e^x} of a small number. */
  private static BigDecimal small(BigDecimal x) {
    int halvings = 8;
    BigDecimal part = x.divide(BigDecimal.valueOf(1L << halvings), DIGITS);
    BigDecimal sum = ONE;
    BigDecimal term = ONE;
    for (int n = 1; n < 60 && term.signum() != 0; n++) {
      term = term.multiply(part, DIGITS).divide(BigDecimal.valueOf(n), DIGITS);
      sum = sum.add(term, DIGITS);
    }
    for (int i = 0; i < halvings; i++) {
      sum = sum.multiply(sum, DIGITS);
    }
    return sum;
  }

  /** The natural logarithm of a positive number. */
  static BigDecimal ln(BigDecimal x) {
    int tens = x.precision() - x.scale() - 1;
    BigDecimal mantissa = x.scaleByPowerOfTen(-tens);
    return logarithm(mantissa, Math.log(mantissa.doubleValue()))
        .add(tens == 0 ? ZERO : LN_10.multiply(BigDecimal.valueOf(tens)), DIGITS);
  }

  private static BigDecimal logarithm(BigDecimal x, double near) {
    if (x.compareTo(ONE) == 0) {
      return ZERO;
    }
    BigDecimal y = new BigDecimal(near);
    for (int i = 0; i < 3; i++) {
      BigDecimal e = small(y);
      y = y.add(x.subtract(e, DIGITS).multiply(TWO).divide(x.add(e, DIGITS), DIGITS), DIGITS);
    }
    return y;
  }

  static BigDecimal log10(BigDecimal x) {
    int tens = x.precision() - x.scale() - 1;
    BigDecimal mantissa = x.scaleByPowerOfTen(-tens);
    return logarithm(mantissa, Math.log(mantissa.doubleValue()))
        .divide(LN_10, DIGITS)
        .add(BigDecimal.valueOf(tens), DIGITS);
  }

  static BigDecimal log(BigDecimal x, BigDecimal base) {
    return ln(x).divide(ln(base), DIGITS);
  }

  /** {@code x^y} for a positive {@code x}. */
  static BigDecimal pow(BigDecimal x, BigDecimal y) {
    return exp(y.multiply(ln(x), DIGITS));
  }

  static BigDecimal sin(BigDecimal x) {
    return series(reduced(x), false);
  }

  static BigDecimal cos(BigDecimal x) {
    return series(reduced(x), true);
  }

  static BigDecimal tan(BigDecimal x) {
    BigDecimal near = reduced(x);
    return series(near, false).divide(series(near, true), DIGITS);
  }

  /** Sine, or cosine when {@code even}, of a number between -π and π. */
  private static BigDecimal series(BigDecimal x, boolean even) {
    BigDecimal square = x.multiply(x, DIGITS).negate();
    BigDecimal term = even ? ONE : x;
    BigDecimal sum = term;
    for (int n = even ? 1 : 2; n < 120 && term.signum() != 0; n += 2) {
      term = term.multiply(square, DIGITS).divide(BigDecimal.valueOf((long) n * (n + 1)), DIGITS);
      sum = sum.add(term, DIGITS);
    }
    return sum;
  }

  /** The angle between -π and π that equals {@code x}: needs as many digits of π as x is large. */
  private static BigDecimal reduced(BigDecimal x) {
    if (x.abs().compareTo(BigDecimal.valueOf(3)) < 0) {
      return x;
    }
    int digits = 70 + Math.max(0, x.precision() - x.scale());
    BigDecimal turn = (digits <= 80 ? LONG_PI : pi(digits)).multiply(TWO);
    BigDecimal turns = x.divide(turn, 0, RoundingMode.HALF_EVEN);
    return x.subtract(turns.multiply(turn)).round(DIGITS);
  }

  static BigDecimal atan(BigDecimal x) {
    if (x.abs().compareTo(BigDecimal.TEN) > 0) {
      BigDecimal rest = atan(ONE.divide(x, DIGITS));
      return (x.signum() > 0 ? halfPi() : halfPi().negate()).subtract(rest, DIGITS);
    }
    if (x.abs().compareTo(new BigDecimal("1E-25")) < 0) {
      return x.subtract(x.pow(3, DIGITS).divide(BigDecimal.valueOf(3), DIGITS), DIGITS);
    }
    BigDecimal y = new BigDecimal(Math.atan(x.doubleValue()));
    BigDecimal tangent = tan(y);
    BigDecimal rest =
        x.subtract(tangent, DIGITS).divide(ONE.add(x.multiply(tangent, DIGITS), DIGITS), DIGITS);
    BigDecimal cube = rest.pow(3, DIGITS).divide(BigDecimal.valueOf(3), DIGITS);
    return y.add(rest.subtract(cube, DIGITS), DIGITS);
  }

  static BigDecimal asin(BigDecimal x) {
    if (x.abs().compareTo(ONE) == 0) {
      return x.signum() > 0 ? halfPi() : halfPi().negate();
    }
    return atan(x.divide(ONE.subtract(x.multiply(x)).sqrt(DIGITS), DIGITS));
  }

  static BigDecimal acos(BigDecimal x) {
    if (x.add(ONE).signum() == 0) {
      return PI;
    }
    return atan(ONE.subtract(x).divide(ONE.add(x), DIGITS).sqrt(DIGITS)).multiply(TWO);
  }

  static BigDecimal atan2(BigDecimal y, BigDecimal x) {
    if (x.signum() == 0) {
      return y.signum() == 0 ? ZERO : y.signum() > 0 ? halfPi() : halfPi().negate();
    }
    BigDecimal angle = atan(y.divide(x, DIGITS));
    return x.signum() > 0 ? angle : y.signum() < 0 ? angle.subtract(PI) : angle.add(PI);
  }

  static BigDecimal sinh(BigDecimal x) {
    if (x.abs().compareTo(ONE) < 0) {
      BigDecimal square = x.multiply(x, DIGITS);
      BigDecimal term = x;
      BigDecimal sum = x;
      for (int n = 2; n < 80 && term.signum() != 0; n += 2) {
        term = term.multiply(square, DIGITS).divide(BigDecimal.valueOf((long) n * (n + 1)), DIGITS);
        sum = sum.add(term, DIGITS);
      }
      return sum;
    }
    return exp(x).subtract(exp(x.negate()), DIGITS).divide(TWO, DIGITS);
  }

  static BigDecimal cosh(BigDecimal x) {
    return exp(x).add(exp(x.negate()), DIGITS).divide(TWO, DIGITS);
  }

  static BigDecimal tanh(BigDecimal x) {
    return x.abs().compareTo(BigDecimal.valueOf(100)) > 0
        ? BigDecimal.valueOf(x.signum())
        : sinh(x).divide(cosh(x), DIGITS);
  }

  static BigDecimal asinh(BigDecimal x) {
    BigDecimal size = x.abs();
    if (size.compareTo(new BigDecimal("1E-9")) < 0) {
      // x - x^3/6 + 3x^5/40
      BigDecimal cube = x.pow(3, DIGITS);
      return x.subtract(cube.divide(BigDecimal.valueOf(6), DIGITS), DIGITS)
          .add(cube.multiply(x.multiply(x), DIGITS).multiply(new BigDecimal("0.075")), DIGITS);
    }
    BigDecimal result = ln(size.add(size.multiply(size).add(ONE).sqrt(DIGITS), DIGITS));
    return x.signum() < 0 ? result.negate() : result;
  }

  static BigDecimal acosh(BigDecimal x) {
    return ln(x.add(x.multiply(x).subtract(ONE).sqrt(DIGITS), DIGITS));
  }

  /** Of a number strictly between -1 and 1. */
  static BigDecimal atanh(BigDecimal x) {
    if (x.abs().compareTo(new BigDecimal("1E-9")) < 0) {
      // x + x^3/3 + x^5/5
      BigDecimal cube = x.pow(3, DIGITS);
      return x.add(cube.divide(BigDecimal.valueOf(3), DIGITS), DIGITS)
          .add(cube.multiply(x.multiply(x), DIGITS).multiply(new BigDecimal("0.2")), DIGITS);
    }
    return ln(ONE.add(x).divide(ONE.subtract(x), DIGITS)).divide(TWO, DIGITS);
  }

  static BigDecimal toRadians(BigDecimal degrees) {
    return degrees.multiply(PI).divide(BigDecimal.valueOf(180), DIGITS);
  }

  static BigDecimal toDegrees(BigDecimal radians) {
    return radians.multiply(BigDecimal.valueOf(180)).divide(PI, DIGITS);
  }

  /** π to so many digits, by Machin: 16 atan(1/5) - 4 atan(1/239), in whole numbers. */
  private static BigDecimal pi(int digits) {
    BigInteger unit = BigInteger.TEN.pow(digits + 10);
    BigInteger scaled =
        inverseAtan(5, unit)
            .multiply(BigInteger.valueOf(16))
            .subtract(inverseAtan(239, unit).multiply(BigInteger.valueOf(4)));
    return new BigDecimal(scaled, digits + 10).setScale(digits, RoundingMode.HALF_EVEN);
  }

  private static BigInteger inverseAtan(long x, BigInteger unit) {
    BigInteger square = BigInteger.valueOf(x * x);
    BigInteger power = unit.divide(BigInteger.valueOf(x));
    BigInteger sum = power;
    for (long n = 3; power.signum() != 0; n += 2) {
      power = power.divide(square).negate();
      sum = sum.add(power.divide(BigInteger.valueOf(n)));
    }
    return sum;
  }
}
