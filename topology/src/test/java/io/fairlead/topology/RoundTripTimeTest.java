// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RoundTripTimeTest {
  @Test
  void the_minimum_is_of_the_last_ten_samples_and_zero_before_there_are_two() {
    RoundTripTime time = RoundTripTime.of(Duration.ofMillis(1));
    assertThat(time.minimum()).isZero();
    for (int i = 0; i < 9; i++) {
      time = time.with(Duration.ofMillis(20 + i));
    }
    assertThat(time.minimum()).isEqualTo(Duration.ofMillis(1));
    assertThat(time.with(Duration.ofMillis(50)).minimum()).isEqualTo(Duration.ofMillis(20));
  }

  @Test
  void a_negative_sample_is_refused() {
    RoundTripTime time = RoundTripTime.of(Duration.ofMillis(1));
    assertThatThrownBy(() -> time.with(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
