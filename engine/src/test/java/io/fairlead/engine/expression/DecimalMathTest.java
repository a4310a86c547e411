// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DecimalMathTest {
  private static final MathContext DIGITS = MathContext.DECIMAL128;

  private static void same(String what, BigDecimal found, BigDecimal wanted) {
    BigDecimal error = found.subtract(wanted).abs();
    BigDecimal bound = wanted.abs().max(new BigDecimal("1E-30")).multiply(new BigDecimal("1E-33"));
    assertThat(error).as("%s: %s and %s", what, found, wanted).isLessThanOrEqualTo(bound);
  }

  /** Digits from published tables. */
  @ParameterizedTest
  @CsvSource({
    "exp, 1, 2.718281828459045235360287471352662",
    "exp, -14000, 7.537951771629720907593006284141136E-6081",
    "ln, 10, 2.302585092994045684017991454684364",
    "ln, 2, 0.6931471805599453094172321214581766",
    "log10, 2, 0.3010299956639811952137388947244930",
    "sin, 1, 0.8414709848078965066525023216302990",
    "cos, 1, 0.5403023058681397174009366074429766",
    "tan, 1, 1.557407724654902230506974807458360",
    "atan, 1, 0.7853981633974483096156608458198757",
    "asin, 0.5, 0.5235987755982988730771072305465838",
    "acos, 0.5, 1.047197551196597746154214461093168",
    "sinh, 1, 1.175201193643801456882381850595601",
    "cosh, 1, 1.543080634815243778477905620757062",
    "tanh, 1, 0.7615941559557648881194582826047936",
    "asinh, 1, 0.8813735870195430252326093249797923",
    "acosh, 2, 1.316957896924816708625046347307968",
    "atanh, 0.5, 0.5493061443340548456976226184612629",
  })
  void a_function_is_right_to_34_digits(String function, BigDecimal x, BigDecimal expected) {
    UnaryOperator<BigDecimal> operator =
        switch (function) {
          case "exp" -> DecimalMath::exp;
          case "ln" -> DecimalMath::ln;
          case "log10" -> DecimalMath::log10;
          case "sin" -> DecimalMath::sin;
          case "cos" -> DecimalMath::cos;
          case "tan" -> DecimalMath::tan;
          case "atan" -> DecimalMath::atan;
          case "asin" -> DecimalMath::asin;
          case "acos" -> DecimalMath::acos;
          case "sinh" -> DecimalMath::sinh;
          case "cosh" -> DecimalMath::cosh;
          case "tanh" -> DecimalMath::tanh;
          case "asinh" -> DecimalMath::asinh;
          case "acosh" -> DecimalMath::acosh;
          default -> DecimalMath::atanh;
        };
    assertThat(operator.apply(x).round(DIGITS)).isEqualByComparingTo(expected);
  }

  @Test
  void functions_undo_each_other_and_keep_their_identities() {
    for (long seed = 1; seed <= 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      BigDecimal x =
          new BigDecimal(random.nextDouble(-1, 1))
              .scaleByPowerOfTen(random.nextInt(-12, 4))
              .round(DIGITS);
      String what = "seed " + seed + ", x = " + x;
      BigDecimal sine = DecimalMath.sin(x);
      BigDecimal cosine = DecimalMath.cos(x);
      same(what, sine.multiply(sine).add(cosine.multiply(cosine)), BigDecimal.ONE);
      same(what, DecimalMath.tan(DecimalMath.atan(x)), x);
      same(what, DecimalMath.sinh(DecimalMath.asinh(x)), x);
      BigDecimal size = x.abs().add(new BigDecimal("1E-20"));
      same(what, DecimalMath.exp(DecimalMath.ln(size)), size);
      same(what, DecimalMath.pow(size, BigDecimal.TWO), size.multiply(size));
      BigDecimal part = x.divide(BigDecimal.valueOf(10_001), DIGITS);
      same(what, DecimalMath.sin(DecimalMath.asin(part)), part);
      same(what, DecimalMath.cos(DecimalMath.acos(part)), part);
      same(what, DecimalMath.tanh(DecimalMath.atanh(part)), part);
      BigDecimal turned = x.add(DecimalMath.pi().multiply(BigDecimal.valueOf(2_000)));
      same(what, DecimalMath.cos(turned), cosine);
    }
  }
}
