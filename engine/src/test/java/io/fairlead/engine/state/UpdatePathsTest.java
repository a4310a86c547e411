// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.UpdateRequest;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the paths of operators lead, and where they end. */
final class UpdatePathsTest {
  private final Store store = new Store();

  private int code(String filter, String update) {
    try {
      store.updateOne(filter, update);
      return 0;
    } catch (EngineException failure) {
      return failure.code();
    }
  }

  private BsonDocument only() {
    assertThat(store.count("{}")).isEqualTo(1);
    return json(store.find("{}").getFirst());
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{a: [0]} | {'a.0': 0} | {$set: {'a.$': 1}}",
        "{a: [{b: 0}]} | {'a.0.b': 0} | {$set: {'a.$.b': 1}}",
        "{a: [[0]]} | {'a.0.0': 0} | {$set: {'a.$.0': 1}}",
        "{a: [{b: [0]}]} | {'a.0.b.0': 0} | {$set: {'a.$.b.0': 1}}",
      })
  void an_element_named_by_its_index_gives_the_positional_operator_no_place(
      String document, String filter, String update) {
    store.insert(document);
    assertThat(code(filter, update)).isEqualTo(2);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{a: [{b: [0, 1]}]} | {'a.0.b': 1} | {$set: {'a.0.b.$': 2}} | {a: [{b: [0, 2]}]}",
        "{a: [{b: [0, 1]}]} | {'a.b.1': 1} | {$set: {'a.$.b.1': 2}} | {a: [{b: [0, 2]}]}",
        "{a: [0, 1], b: [0]} | {a: 1, 'b.0': 0} | {$set: {'a.$': 2}} | {a: [0, 2], b: [0]}",
        "{a: [0, 1], b: [{c: 0}]} | {a: 1, 'b.0.c': 0} | {$set: {'a.$': 2}} |"
            + " {a: [0, 2], b: [{c: 0}]}",
      })
  void the_element_that_was_looked_for_is_the_place(
      String document, String filter, String update, String result) {
    store.insert(document);
    assertThat(code(filter, update)).isZero();
    BsonDocument changed = only();
    changed.remove("_id");
    assertThat(changed).isEqualTo(json(result));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "{$pop: {'a.b.c': 1}}",
        "{$pop: {'l.x': 1}}",
        "{$pull: {'a.b.c': 1}}",
        "{$pullAll: {'a.b.c': [1]}}",
        "{$rename: {'a.b.c': 'z'}}",
        "{$inc: {'a.b.c': 1}}",
        "{$push: {'l.x': 1}}",
      })
  void a_value_that_can_have_no_such_field_blocks_the_path(String update) {
    store.insert("{_id: 1, a: {b: 1}, l: [1, 2]}");
    assertThat(code("{_id: 1}", update)).isEqualTo(28);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "{$unset: {'a.b.c': 1}}",
        "{$unset: {'l.x': 1}}",
        "{$pop: {'a.x.c': 1}}",
        "{$pull: {'x.y': 1}}",
        "{$rename: {'a.x.c': 'z'}}",
      })
  void taking_out_what_is_not_there_changes_nothing(String update) {
    store.insert("{_id: 1, a: {b: 1}, l: [1, 2]}");
    assertThat(code("{_id: 1}", update)).isZero();
    assertThat(only()).isEqualTo(json("{_id: 1, a: {b: 1}, l: [1, 2]}"));
  }

  @Test
  void an_upsert_by_operators_makes_its_id_of_the_paths_in_the_filter() {
    store.update(
        UpdateRequest.one(json("{'_id.x': 1, '_id.y': 2}"), json("{$set: {a: 1}}"))
            .withUpsert(true));
    assertThat(only()).isEqualTo(json("{_id: {x: 1, y: 2}, a: 1}"));
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(
            () ->
                store.update(
                    UpdateRequest.one(json("{'_id.x': 3}"), json("{a: 1}")).withUpsert(true)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(111));
  }
}
