// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.look;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.topology.readpreference.LatencyWindow;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class OptionFormsTest {

  @Test
  void a_time_has_a_unit() {
    assertThat(new Times().convert("5ms")).isEqualTo(Duration.ofMillis(5));
    assertThat(new Times().convert("30s")).isEqualTo(Duration.ofSeconds(30));
    assertThat(new Times().convert("2m")).isEqualTo(Duration.ofMinutes(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "-5ms", "5 h", "ms", "99999999999ms"})
  void what_is_no_time_is_refused_with_examples(String text) {
    assertThatThrownBy(() -> new Times().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("such as 5ms");
  }

  @Test
  void a_window_is_a_time_or_a_percentage_with_a_floor() {
    assertThat(new Windows().convert("15ms"))
        .isEqualTo(new LatencyWindow.Absolute(Duration.ofMillis(15)));
    assertThat(new Windows().convert("20%")).isEqualTo(new LatencyWindow.Proportional(20));
    assertThat(new Windows().convert("20%,2ms"))
        .isEqualTo(new LatencyWindow.Proportional(20, Duration.ofMillis(2)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "20", "%", "20%,", "-1%"})
  void what_is_no_window_is_refused(String text) {
    assertThatThrownBy(() -> new Windows().convert(text))
        .isInstanceOf(TypeConversionException.class);
  }

  @Test
  void a_tag_set_keeps_values_as_strings_and_may_be_empty() {
    assertThat(new TagSets().convert("dc:ams,rack:1")).isEqualTo(Map.of("dc", "ams", "rack", "1"));
    assertThat(new TagSets().convert("")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dc", ":ams", "dc:ams,"})
  void what_is_no_tag_set_is_refused(String text) {
    assertThatThrownBy(() -> new TagSets().convert(text))
        .isInstanceOf(TypeConversionException.class);
  }
}
