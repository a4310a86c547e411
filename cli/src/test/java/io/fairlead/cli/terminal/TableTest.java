// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TableTest {
  private final List<String> lines = new ArrayList<>();

  @Test
  void a_row_is_printed_when_it_comes_with_numbers_to_the_right() {
    Table table = new Table("reads", Table.columns("server", 8, "count", 6), lines::add);
    table.row("db1", 42L);
    assertThat(lines).containsExactly("reads", "  server   count", "  db1          42");
  }

  @Test
  void the_same_rows_are_data_with_typed_numbers() {
    Table table = new Table("reads", Table.columns("server", 8, "ping", 6), lines::add);
    table.row("db1", 0.5);
    assertThat(table.toDocument().toJson())
        .isEqualTo("{\"title\": \"reads\", \"rows\": [{\"server\": \"db1\", \"ping\": 0.5}]}");
  }

  @Test
  void a_row_of_the_wrong_length_is_a_mistake() {
    Table table = new Table("reads", Table.columns("server", 8, "ping", 6), lines::add);
    assertThatThrownBy(() -> table.row("db1")).isInstanceOf(IllegalArgumentException.class);
  }
}
