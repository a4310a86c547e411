// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.WriteContext;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IndexesTest {
  private final Store store = new Store();

  @Test
  void an_index_that_exists_is_passed_over() {
    store.index("{a: 1}");
    var outcome =
        store.engine.write(
            WriteContext.plain(),
            writes ->
                writes.createIndexes(
                    NS, List.of(io.fairlead.engine.index.IndexSpec.on(json("{a: 1}")))));
    assertThat(outcome.before()).isEqualTo(2);
    assertThat(outcome.after()).isEqualTo(2);
    assertThat(outcome.createdCollection()).isFalse();
  }

  @Test
  void indexes_that_are_in_each_others_way_are_refused() {
    store.index("{a: 1}").index("{b: 1}", "{name: 'bee'}");
    refused(86, () -> store.index("{a: -1}", "{name: 'a_1'}"));
    refused(86, () -> store.index("{a: 1}", "{unique: true}"));
    refused(85, () -> store.index("{a: 1}", "{name: 'other'}"));
    refused(85, () -> store.index("{b: 1}"));
    store.index("{a: -1}").index("{a: 1}", "{name: 'sparse', sparse: true}");
    assertThat(store.engine.snapshot().indexes(NS)).hasSize(5);
  }

  @Test
  void specifications_that_cannot_be_are_refused() {
    refused(67, () -> store.index("{a: 0}"));
    refused(67, () -> store.index("{}", "{name: 'x'}"));
    refused(67, () -> store.index("{'a..b': 1}"));
    refused(67, () -> store.index("{'$a': 1}"));
    refused(67, () -> store.index("{a: 'hashed', b: '2dsphere'}"));
    refused(31303, () -> store.index("{a: 'hashed', b: 'hashed'}"));
    refused(16764, () -> store.index("{a: 'hashed'}", "{unique: true}"));
    refused(67, () -> store.index("{a: 'text', b: 1, c: 'text'}"));
    refused(67, () -> store.index("{a: 'text'}", "{weights: {a: 0}}"));
    refused(67, () -> store.index("{a: 'text'}", "{default_language: 'klingon'}"));
    refused(67, () -> store.index("{a: 'text'}", "{textIndexVersion: 9}"));
    refused(2, () -> store.index("{a: '2d'}", "{bits: 40}"));
    refused(2, () -> store.index("{a: '2d'}", "{min: 5, max: 5}"));
    refused(16801, () -> store.index("{b: 1, a: '2d'}"));
    refused(67, () -> store.index("{a: 'nothing'}"));
    refused(67, () -> store.index("{'$**': 0}"));
    refused(67, () -> store.index("{'$**': 'hashed'}"));
    refused(67, () -> store.index("{'$**': 1}", "{unique: true}"));
    refused(67, () -> store.index("{'$**': 1}", "{sparse: true}"));
    refused(7246201, () -> store.index("{'a.$**': 1, 'b.$**': 1}"));
    refused(67, () -> store.index("{a: 1, '$**': 1}"));
    refused(7246204, () -> store.index("{a: 1, 'a.$**': 1}"));
    refused(7246204, () -> store.index("{'a.b.c': 1, 'a.b.$**': 1}"));
    refused(9, () -> store.index("{'a.$**': 1}", "{wildcardProjection: {b: 1}}"));
    refused(2, () -> store.index("{a: 1}", "{wildcardProjection: {b: 1}}"));
    refused(9, () -> store.index("{'$**': 1}", "{wildcardProjection: {}}"));
    refused(67, () -> store.index("{a: 1}", "{name: ''}"));
    refused(67, () -> store.index("{a: 1}", "{v: 0}"));
    refused(67, () -> store.index("{a: 1}", "{expireAfterSeconds: -3}"));
    refused(67, () -> store.index("{a: 1, b: 1}", "{expireAfterSeconds: 3}"));
    refused(67, () -> store.index("{a: 1}", "{expireAfterSeconds: 'soon'}"));
    refused(67, () -> store.index("{a: 1}", "{expireAfterSeconds: NaN}"));
    refused(67, () -> store.index("{a: 1}", "{sparse: true, partialFilterExpression: {b: 1}}"));
    refused(67, () -> store.index("{a: 1}", "{partialFilterExpression: {b: {$ne: 1}}}"));
    refused(2, () -> store.index("{a: 1}", "{name: '*'}"));
    refused(2, () -> store.index("{_id: -1}"));
    refused(197, () -> store.index("{a: 1}", "{wings: 2}"));
    refused(197, () -> store.index("{_id: 1}", "{unique: true}"));
    refused(14, () -> store.index("{a: 1}", "{unique: 'yes'}"));
    refused(9, () -> store.indexDeclared(json("{key: {a: 1}}")));
    assertThat(store.engine.snapshot().collection(NS)).isEmpty();
  }

  @Test
  void a_unique_key_is_free_again_after_update_and_delete() {
    store.index("{u: 1}", "{unique: true}");
    store.insert("{_id: 1, u: 'a'}");
    refused(11000, () -> store.insert("{_id: 2, u: 'a'}"));
    store.updateOne("{_id: 1}", "{$set: {u: 'b'}}");
    store.insert("{_id: 2, u: 'a'}");
    refused(11000, () -> store.updateOne("{_id: 2}", "{$set: {u: 'b'}}"));
    store.deleteMany("{_id: 1}");
    assertThat(store.updateOne("{_id: 2}", "{$set: {u: 'b'}}").modified()).isEqualTo(1);
    store.insert("{_id: 3, u: 'a'}").check();
  }

  @Test
  void a_unique_index_takes_null_and_missing_for_the_same() {
    store.index("{u: 1}", "{unique: true}").insert("{_id: 1}");
    refused(11000, () -> store.insert("{_id: 2, u: null}"));
    Store sparse = new Store().index("{u: 1}", "{unique: true, sparse: true}");
    sparse.insert("{_id: 1}", "{_id: 2}", "{_id: 3, u: null}");
    refused(11000, () -> sparse.insert("{_id: 4, u: null}"));
    sparse.check();
  }

  @Test
  void unique_keys_of_arrays_are_those_of_their_elements() {
    store.index("{i: 1, 's.z': 1}", "{unique: true}");
    store.insert("{i: 'x', s: [{z: 1}, {z: 1}]}", "{i: 'x', s: [{z: 2}]}");
    refused(11000, () -> store.insert("{i: 'x', s: [{z: 3}, {z: 1}]}"));
    store.insert("{i: 'y', s: []}");
    refused(11000, () -> store.insert("{i: 'y', s: []}"));
    Store single = new Store().index("{'s.z': 1}", "{unique: true, sparse: true}");
    single.insert("{s: []}", "{s: []}").check();
    store.check();
  }

  @Test
  void parallel_arrays_are_refused() {
    store.index("{a: 1, b: 1}");
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> store.insert("{a: [1], b: [2]}"))
        .satisfies(
            e -> {
              assertThat(e.code()).isEqualTo(171);
              assertThat(e.getMessage()).isEqualTo("cannot index parallel arrays [b] [a]");
            });
    store.insert("{a: [1, 2], b: 3}", "{a: 1, b: [2, 3]}");
    refused(171, () -> store.updateOne("{a: 1}", "{$set: {a: []}}"));
    store.check();
  }

  @Test
  void an_index_cannot_be_built_over_what_it_forbids() {
    store.insert("{_id: 1, u: 1, a: [1], b: [1]}", "{_id: 2, u: 1}");
    refused(11000, () -> store.index("{u: 1}", "{unique: true}"));
    refused(171, () -> store.index("{a: 1, b: 1}"));
    assertThat(store.engine.snapshot().indexes(NS)).hasSize(1);
  }

  @Test
  void a_partial_index_holds_and_answers_only_what_its_filter_covers() {
    store.index("{a: 1}", "{unique: true, partialFilterExpression: {b: {$gt: 5}}}");
    store.insert("{_id: 1, a: 1, b: 1}", "{_id: 2, a: 1, b: 2}", "{_id: 3, a: 1, b: 6}");
    refused(11000, () -> store.insert("{_id: 4, a: 1, b: 7}"));
    assertThat(store.plan("{a: 1}")).isEqualTo("COLLSCAN");
    assertThat(store.plan("{a: 1, b: {$gt: 7}}")).isEqualTo("FETCH IXSCAN:a_1");
    assertThat(store.plan("{a: 1, b: 6}")).isEqualTo("FETCH IXSCAN:a_1");
    assertThat(store.plan("{a: 1, b: {$gte: 5}}")).isEqualTo("COLLSCAN");
    assertThat(store.find("{a: 1}")).hasSize(3);
    store.updateOne("{_id: 3}", "{$set: {b: 1}}");
    store.insert("{_id: 4, a: 1, b: 7}").check();
  }

  @Test
  @Timeout(60)
  void a_condition_may_list_very_many_values() {
    store.index("{a: 1}").index("{h: 'hashed'}").insert("{_id: 1, a: 7, h: 7}", "{_id: 2, a: -1}");
    BsonArray many = new BsonArray();
    for (int value = 0; value < 200_000; value++) {
      many.add(new BsonInt32(value));
    }
    for (String index : List.of("a_1", "h_hashed")) {
      FindRequest request =
          FindRequest.matching(
                  new BsonDocument(index.substring(0, 1), new BsonDocument("$in", many)))
              .withHint(new BsonString(index));
      assertThat(store.plan(request)).contains("IXSCAN:" + index);
      assertThat(store.find(request)).hasSize(1);
    }
  }

  @Test
  void indexes_are_dropped_by_name_or_key_and_the_id_index_never() {
    store.index("{a: 1}").index("{b: 1}").index("{c: 1}").index("{d: 1}");
    assertThat(drop(new BsonString("a_1"))).isEqualTo(5);
    assertThat(drop(json("{b: 1}"))).isEqualTo(4);
    refused(27, () -> drop(new BsonString("a_1")));
    refused(27, () -> drop(json("{c: -1}")));
    refused(72, () -> drop(new BsonString("_id_")));
    assertThat(drop(new BsonString("*"))).isEqualTo(3);
    assertThat(store.engine.snapshot().indexes(NS)).hasSize(1);
  }

  private int drop(org.bson.BsonValue nameOrKey) {
    return store.engine.write(WriteContext.plain(), writes -> writes.dropIndexes(NS, nameOrKey));
  }

  @Test
  void a_hidden_index_is_kept_but_not_used() {
    store.index("{a: 1}").insert("{_id: 1, a: 1}");
    BsonDocument reply =
        store.engine.write(
            WriteContext.plain(),
            writes -> writes.modifyCollection(NS, json("{index: {name: 'a_1', hidden: true}}")));
    assertThat(reply).isEqualTo(json("{hidden_old: false, hidden_new: true}"));
    assertThat(store.plan("{a: 1}")).isEqualTo("COLLSCAN");
    store.insert("{_id: 2, a: 2}").check();
  }

  @Test
  void plans_use_the_index_that_reads_the_least() {
    store.index("{a: 1}").index("{b: 1}").index("{a: 1, c: -1}");
    for (int i = 0; i < 200; i++) {
      store.insert("{_id: " + i + ", a: " + i % 2 + ", b: " + i % 50 + ", c: " + i + "}");
    }
    assertThat(store.plan("{a: 1, b: 3}")).isEqualTo("FETCH IXSCAN:b_1");
    assertThat(store.plan("{_id: 7}")).isEqualTo("EXPRESS_IXSCAN:_id_");
    assertThat(store.plan("{a: 1, c: {$gt: 190}}")).isEqualTo("FETCH IXSCAN:a_1_c_-1");
    assertThat(store.plan("{$or: [{b: 3}, {_id: 5}]}")).startsWith("FETCH OR");
    assertThat(store.plan("{$or: [{b: 3}, {x: 5}]}")).isEqualTo("COLLSCAN");
    FindRequest sorted =
        FindRequest.matching(json("{a: 1}")).withSort(json("{c: -1}")).withLimit(3);
    assertThat(store.plan(sorted)).isEqualTo("LIMIT FETCH IXSCAN:a_1_c_-1");
    assertThat(store.stats(sorted).getNumber("totalDocsExamined").intValue()).isEqualTo(3);
    assertThat(store.plan(sorted.withSort(json("{c: 1}"))))
        .isEqualTo("LIMIT FETCH IXSCAN:a_1_c_-1");
    assertThat(store.plan(sorted.withSort(json("{x: 1}")))).startsWith("LIMIT SORT FETCH IXSCAN");
    assertThat(store.plan(FindRequest.all().withSort(json("{b: -1}"))))
        .isEqualTo("FETCH IXSCAN:b_1");
    assertThat(store.plan(FindRequest.matching(json("{a: 1}")).withHint(json("{$natural: 1}"))))
        .isEqualTo("COLLSCAN");
    assertThat(store.plan(FindRequest.matching(json("{a: 1}")).withHint(new BsonString("b_1"))))
        .isEqualTo("FETCH IXSCAN:b_1");
    refused(
        2, () -> store.plan(FindRequest.matching(json("{a: 1}")).withHint(new BsonString("nope"))));
    assertThat(store.count("{b: {$gte: 10, $lt: 20}}")).isEqualTo(40);
  }

  @Test
  void sorting_by_an_array_uses_its_least_or_greatest_element() {
    String[] documents = {
      "{_id: 1, d: [{v: {$minKey: 1}}, {v: {$maxKey: 1}}]}", "{_id: 2, d: [{v: 3}]}",
          "{_id: 3, d: {v: []}}",
      "{_id: 4, d: []}", "{_id: 5, d: [{v: null}]}", "{_id: 6, d: {v: [4, 7]}}"
    };
    Store indexed = new Store().insert(documents).index("{'d.v': 1, _id: 1}");
    store.insert(documents);
    for (Store each : List.of(store, indexed)) {
      FindRequest request = FindRequest.all().withProjection(json("{_id: 1}"));
      assertThat(
              each.find(request.withSort(json("{'d.v': 1, _id: 1}"))).stream()
                  .map(t -> json(t).getInt32("_id").getValue()))
          .containsExactly(1, 3, 4, 5, 2, 6);
      assertThat(
              each.find(request.withSort(json("{'d.v': -1, _id: 1}"))).stream()
                  .map(t -> json(t).getInt32("_id").getValue()))
          .containsExactly(1, 6, 2, 4, 5, 3);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"^ab", "^a\\.b", "^ab*", "^(ab)", "ab", "^a|b", "^ab?c"})
  void a_pattern_finds_the_same_with_an_index(String pattern) {
    for (String text : List.of("a", "ab", "abc", "a.b", "b", "xab", "ac", "abbb", "")) {
      store.insert("{s: '" + text + "'}");
    }
    FindRequest request =
        FindRequest.matching(new BsonDocument("s", new org.bson.BsonRegularExpression(pattern)))
            .withSort(json("{s: 1}"));
    List<String> without = store.find(request);
    store.index("{s: 1}");
    assertThat(store.plan(request)).isEqualTo("FETCH IXSCAN:s_1");
    assertThat(store.find(request)).isEqualTo(without);
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{a: 1, '$**': 1} | {a: 0} | 0",
        "{a: 1, '$**': -1, b: 1} | {a: 0, b: 0} | 0",
        "{'$**': 1, other: 1} | {_id: 0, a: 1} | 0",
        "{'$**': 1, other: 1} | {_id: 1} | 0",
        "{'$**': 1, d: 1} | {a: {b: 1, c: 1}} | 0",
        "{_id: 1, '$**': 1} | {_id: 0} | 0",
        "{'$**': 1, _id: 1, e: 1} | {_id: 0, a: 1} | 0",
        "{_id: 1, 'a.b': 1, '$**': 1} | {_id: 0, a: 0} | 0",
        "{'b.d': 1, '$**': 1} | {_id: 0, 'a.b': 1} | 0",
        "{'$**': 1, c: 1} | {'a.b': 1, 'a.b.c': 1} | 7246200",
        "{a: 1, '$**': 1} | {a: 1, b: 1} | 7246208",
        "{_id: 1, '$**': 1} | {_id: 1, a: 1} | 7246208",
        "{'$**': 1, _id: 1, e: 1} | {_id: 1, e: 0} | 7246209",
        "{a: 1, b: 1, '$**': 1} | {b: 0} | 7246209",
        "{a: 1, '$**': 1} | {_id: 0, 'a.b': 0} | 7246209",
        "{a: 1, _id: 1, '$**': 1} | {a: 0} | 7246209",
        "{a: 1, '$**': 1} | {_id: 0} | 7246210",
        "{b: 1, '$**': 1} | {_id: 0, a: 0} | 7246210",
        "{'$**': 1, 'e.c': 1} | {_id: 1, 'e.b': 0} | 7246210",
        "{'$**': 1, c: 1} | {_id: 0, a: 0, b: 1} | 7246211",
        "{'$**': 1} | {a: 0, b: 1} | 31254",
        "{'$**': 1} | {a: 'x'} | 51271",
      })
  void no_field_is_in_a_compound_wildcard_index_twice(String key, String projection, int code) {
    Store store = new Store();
    String option = "{wildcardProjection: " + projection + "}";
    if (code == 0) {
      assertThat(store.index(key, option).engine.snapshot().indexes(NS)).hasSize(2);
    } else {
      refused(code, () -> store.index(key, option));
    }
  }

  private static void refused(int code, ThrowingCallable call) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }
}
