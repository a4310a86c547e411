// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class NamesTest {
  private static String through(String name) {
    byte[] bytes = ("#" + name + "#").getBytes(StandardCharsets.UTF_8);
    return Names.of(bytes, 1, bytes.length - 1);
  }

  @Test
  void every_name_is_what_its_bytes_say_whatever_was_met_before() {
    SplittableRandom random = new SplittableRandom(3);
    String[] parts = {"a", "b", "é", "語", "Ab", "BB", "Aa", "\uD83D\uDE00", "longer_than_most_"};
    for (int i = 0; i < 20_000; i++) {
      StringBuilder name = new StringBuilder();
      for (int part = random.nextInt(5); part > 0; part--) {
        name.append(parts[random.nextInt(parts.length)]);
      }
      assertThat(through(name.toString())).isEqualTo(name.toString());
    }
  }

  @Test
  void a_name_that_comes_again_is_the_same_string() {
    assertThat(through("again")).isSameAs(through("again"));
  }
}
