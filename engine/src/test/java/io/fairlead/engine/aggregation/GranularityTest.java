// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import static io.fairlead.engine.value.Docs.fails;
import static io.fairlead.engine.value.Docs.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.value.Numbers;
import java.util.List;
import java.util.SplittableRandom;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GranularityTest {
  private static Granularity of(String name) {
    return Granularity.of(new BsonString(name));
  }

  @ParameterizedTest(name = "{1} in {0} lies between {2} and {3}")
  @CsvSource({
    "R5, 1, 0.63, 1.6",
    "R5, 0.8, 0.63, 1.0",
    "R10, 8, 6.3, 10.0",
    "R20, 99, 90.0, 100.0",
    "R40, 336, 315.0, 355.0",
    "R80, 1, 0.975, 1.03",
    "1-2-5, 5, 2.0, 10.0",
    "1-2-5, 3, 2.0, 5.0",
    "E6, 0.8, 0.68, 1.0",
    "E12, 13, 12.0, 15.0",
    "E24, 1, 0.91, 1.1",
    "E48, 1, 0.953, 1.05",
    "E96, 1, 0.976, 1.02",
    "E192, 9.19, 9.09, 9.2",
    "POWERSOF2, 8, 4, 16",
    "POWERSOF2, 3, 2, 4",
    "POWERSOF2, 0.3, 0.25, 0.5",
  })
  void a_number_lies_strictly_between_its_neighbours(
      String granularity, String number, String down, String up) {
    Granularity rounder = of(granularity);
    assertThat(Numbers.toDouble(rounder.down(value(number)))).isEqualTo(Double.parseDouble(down));
    assertThat(Numbers.toDouble(rounder.up(value(number)))).isEqualTo(Double.parseDouble(up));
  }

  @Test
  void zero_is_its_own_boundary() {
    for (String name : List.of("R5", "E192", "POWERSOF2")) {
      assertThat(of(name).up(new BsonInt32(0))).isEqualTo(new BsonInt32(0));
      assertThat(of(name).down(new BsonInt32(0))).isEqualTo(new BsonInt32(0));
    }
  }

  @Test
  void rounding_up_and_down_surrounds_every_number() {
    SplittableRandom random = new SplittableRandom(7);
    for (String name :
        List.of(
            "R5",
            "R10",
            "R20",
            "R40",
            "R80",
            "1-2-5",
            "E6",
            "E12",
            "E24",
            "E48",
            "E96",
            "E192",
            "POWERSOF2")) {
      for (int i = 0; i < 200; i++) {
        double number = Math.pow(10, random.nextDouble(-9, 9));
        double down = Numbers.toDouble(of(name).down(new BsonDouble(number)));
        double up = Numbers.toDouble(of(name).up(new BsonDouble(number)));
        assertThat(number).as(name).isStrictlyBetween(down, up);
        assertThat(up / down).as("%s around %s", name, number).isLessThanOrEqualTo(2.51);
      }
    }
  }

  @Test
  void other_names_and_values_are_refused() {
    fails(40257, () -> of("R7"));
    fails(40261, () -> Granularity.of(new BsonInt32(5)));
    fails(40258, () -> Granularity.check(new BsonString("x")));
    fails(40259, () -> Granularity.check(new BsonDouble(Double.NaN)));
    fails(40260, () -> Granularity.check(new BsonInt32(-1)));
  }
}
