// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A find that is read once more from its beginning. */
final class ReadAgainTest {
  private final Store store = new Store();

  private DocumentCursor open(FindRequest request) {
    return store.engine.snapshot().find(NS, request, store.engine.operation());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{a: 1}", "{a: -1}", "{b: 1}"})
  void it_brings_the_same_documents_whatever_was_written_since(String sort) {
    store.index("{a: 1}");
    for (int i = 0; i < 20; i++) {
      store.insert("{_id: " + i + ", a: " + i % 7 + ", b: " + i % 3 + "}");
    }
    FindRequest request =
        FindRequest.matching(json("{a: {$gt: 1}}")).withSort(json(sort)).withSkip(1).withLimit(9);
    List<String> expected = store.find(request);
    DocumentCursor cursor = open(request);
    assertThat(cursor.next()).isNotNull();
    store.deleteMany("{}");
    for (int times = 0; times < 2; times++) {
      assertThat(Store.texts(Objects.requireNonNull(cursor.again()))).isEqualTo(expected);
    }
  }

  @Test
  void what_is_closed_or_of_chance_is_not_read_again() {
    store.insert("{_id: 1}");
    DocumentCursor closed = open(FindRequest.all());
    closed.close();
    assertThat(closed.again()).isNull();
    assertThat(open(FindRequest.matching(json("{$sampleRate: 1.0}"))).again()).isNull();
    assertThat(open(FindRequest.matching(json("{$expr: {$lt: [{$rand: {}}, 2]}}"))).again())
        .isNull();
  }
}
