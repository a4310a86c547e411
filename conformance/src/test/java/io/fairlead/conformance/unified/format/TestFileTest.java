// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestFileTest {
  @Test
  void a_file_becomes_typed_values() {
    TestFile file =
        TestFile.parse(
            """
            {description: "f", schemaVersion: "1.4", createEntities: [{client: {id: "c"}}],
             initialData: [{databaseName: "d", collectionName: "c", documents: [{_id: 1}]}],
             tests: [{description: "t", operations: [
               {name: "ping", object: "c", expectResult: {ok: 1}, saveResultAsEntity: "r"}]}]}
            """);

    assertThat(file.tests()).hasSize(1);
    OperationSpec operation = file.tests().getFirst().operations().getFirst();
    assertThat(operation.saveResultAsEntity()).isEqualTo("r");
    assertThat(file.initialData().getFirst().documents()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not JSON",
        "{schemaVersion: '1.0', tests: [{description: 't', operations: []}]}",
        "{description: 'f', schemaVersion: '2.0', tests: [{description: 't', operations: []}]}",
        "{description: 'f', schemaVersion: '1.99', tests: [{description: 't', operations: []}]}",
        "{description: 'f', schemaVersion: '1.0', tests: []}",
        "{description: 'f', schemaVersion: '1.0', more: 1, tests: [{description: 't', operations:"
            + " []}]}",
        "{description: 'f', schemaVersion: '1.0', createEntities: [{client: {id: 'a'}, thread: {id:"
            + " 'b'}}], tests: [{description: 't', operations: []}]}",
        "{description: 'f', schemaVersion: '1.0', tests: [{description: 't', operations:"
            + " [{name: 'a', object: 'b', expectError: {isError: true}, expectResult: 1}]}]}",
        "{description: 'f', schemaVersion: '1.0', tests: [{description: 't', operations:"
            + " [{name: 'a', object: 'b', expectError: {isError: false}}]}]}",
        "{description: 'f', schemaVersion: '1.0', tests: [{description: 't', operations: [],"
            + " expectEvents: [{client: 'c', eventType: 'cmap', events: [{commandStartedEvent:"
            + " {}}]}]}]}"
      })
  void what_the_format_does_not_allow_is_refused(String text) {
    assertThatExceptionOfType(InvalidFileException.class).isThrownBy(() -> TestFile.parse(text));
  }
}
