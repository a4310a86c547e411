// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.write.UpdateRequest;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that have two fields of one name, changed by pipelines. */
final class RepeatedNamesTest {
  private final Store store = new Store();

  private List<String> after(String stage) {
    DocumentWriter twice = new DocumentWriter();
    twice.value("_id", new BsonInt32(1));
    twice.value("c", json("{d: 1}"));
    twice.value("e", json("{f: 0}"));
    twice.value("c", json("{d: 2}"));
    store.index("{c: 1}").index("{'c.d': 1}").index("{'$**': 1}").insert(twice.finish());
    store.update(UpdateRequest.one(json("{_id: 1}"), new BsonArray(List.of(json(stage)))));
    store.check();
    return store.find("{_id: 1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{$set: {x: 1}}",
        "{$set: {x: '$c.d'}}",
        "{$set: {'x.y': '$c', 'e.f': 1}}",
        "{$unset: 'x'}",
        "{$unset: 'e.x'}",
        "{$project: {e: 0}}",
        "{$project: {_id: 1, c: 1}}",
        "{$project: {'c.d': 1}}",
        "{$project: {c: 1, x: '$c.d'}}",
        "{$replaceWith: '$$ROOT'}",
        "{$replaceWith: {$setField: {field: 'x', input: '$$ROOT', value: 1}}}",
        "{$replaceWith: {$unsetField: {field: 'e', input: '$$ROOT'}}}"
      })
  void a_pipeline_keeps_both(String stage) {
    assertThat(after(stage).getFirst()).contains("\"d\": 1").contains("\"d\": 2");
  }

  @Test
  void of_fields_that_are_merged_the_last_one_stays_and_the_indexes_know() {
    assertThat(after("{$replaceWith: {$mergeObjects: ['$$ROOT', {x: 1}]}}"))
        .containsExactly("{\"_id\": 1, \"c\": {\"d\": 2}, \"e\": {\"f\": 0}, \"x\": 1}");
    assertThat(store.count("{'c.d': 1}")).isZero();
    assertThat(store.count("{'c.d': 2}")).isEqualTo(1);
  }

  @Test
  void a_pipeline_that_sets_or_drops_a_field_means_both() {
    assertThat(after("{$set: {c: 7}}"))
        .containsExactly("{\"_id\": 1, \"c\": 7, \"e\": {\"f\": 0}, \"c\": 7}");
    assertThat(store.count("{'c.d': {$exists: true}}")).isZero();
  }
}
