// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class HostAddressTest {
  @Test
  void two_spellings_of_one_server_are_equal() {
    assertThat(HostAddress.parse("DB1.Example")).isEqualTo(HostAddress.parse("db1.example:27017"));
  }

  @Test
  void an_ipv6_literal_keeps_its_brackets_in_words_only() {
    HostAddress address = HostAddress.parse("[::1]:27018");
    assertThat(address).isEqualTo(new HostAddress("::1", 27018));
    assertThat(address).hasToString("[::1]:27018");
  }

  @Test
  void broken_addresses_say_what_is_wrong() {
    assertThatThrownBy(() -> HostAddress.parse("::1")).hasMessageContaining("brackets");
    assertThatThrownBy(() -> HostAddress.parse("a:x")).hasMessageContaining("no port number");
    assertThatThrownBy(() -> HostAddress.parse("a:70000")).hasMessageContaining("1..65535");
    assertThatThrownBy(() -> HostAddress.parse("[::1")).hasMessageContaining("closing bracket");
  }
}
