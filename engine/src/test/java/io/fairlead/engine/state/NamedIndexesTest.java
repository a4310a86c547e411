// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.write.WriteContext;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What names and key patterns of indexes may be, and what they mean. */
final class NamedIndexesTest {
  private final Store store = new Store();

  private int drop(BsonValue nameOrKey) {
    return Store.code(
        () ->
            store.engine.write(
                WriteContext.plain(), writes -> writes.dropIndexes(Store.NS, nameOrKey)));
  }

  private int hint(BsonValue hint) {
    return Store.code(() -> store.find(FindRequest.matching(json("{a: 1}")).withHint(hint)));
  }

  @Test
  void a_key_pattern_of_several_indexes_names_none_of_them() {
    store
        .index("{a: 1}", "{name: 'plain'}")
        .index("{a: 1}", "{name: 'english', collation: {locale: 'en', strength: 2}}")
        .index("{b: 1}")
        .insert("{_id: 1, a: 1}");
    assertThat(hint(json("{a: 1}"))).isEqualTo(27);
    assertThat(hint(new BsonString("plain"))).isZero();
    assertThat(hint(json("{b: 1}"))).isZero();
    assertThat(drop(json("{a: 1}"))).isEqualTo(181);
    assertThat(drop(new BsonString("english"))).isZero();
    assertThat(hint(json("{a: 1}"))).isZero();
    assertThat(drop(json("{a: 1}"))).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"{$db: 1}", "{$id: 1}", "{_fts: 1}", "{'a.$**': 'text'}"})
  void field_names_that_mean_something_else_are_no_keys(String key) {
    assertThat(Store.code(() -> store.index(key))).isEqualTo(67);
  }

  @Test
  void fields_of_references_are_keys_and_a_name_has_no_nul() {
    store.index("{'a.$id': 1}").index("{'a.$**': 1}");
    BsonDocument named =
        json("{v: 2, key: {n: 1}}").append("name", new BsonString("n" + (char) 0 + "x"));
    assertThat(Store.code(() -> store.indexDeclared(named))).isEqualTo(67);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "{a: {b: []}, words: 'omnibus'}",
        "{a: {b: [1]}, words: 'omnibus'}",
        "{a: [], words: 'omnibus'}",
        "{a: [{b: 1}], words: 'omnibus'}",
        "{words: 'omnibus', y: {z: [1, 2]}}",
        "{words: 'omnibus', y: [{z: 1}]}",
        "{y: [{z: 1}]}",
      })
  void an_index_on_texts_has_no_arrays_beside_them(String document) {
    store.index("{'a.b': 1, words: 'text', 'y.z': 1}");
    assertThat(Store.code(() -> store.insert(document))).isEqualTo(201);
    store.insert("{_id: 1, a: {b: 1}, words: ['one', 'two'], y: {z: 2}}").check();
  }
}
