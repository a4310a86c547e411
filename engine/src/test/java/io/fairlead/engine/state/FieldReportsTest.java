// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static io.fairlead.engine.value.Docs.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.Transaction;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.FindAndModifyRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users of other servers reported, as kinds of tests rather than as single inputs. */
final class FieldReportsTest {
  private final Store store = new Store();

  private static List<Integer> ids(List<String> documents) {
    return documents.stream().map(each -> json(each).getInt32("_id").getValue()).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void predicates_are_anded_whatever_their_order(boolean indexed) {
    if (indexed) {
      store.index("{s: 1}").index("{n: 1, s: -1}");
    }
    store.insert("{_id: 1, s: 'x', n: 9}", "{_id: 2, s: 'x', n: 1}", "{_id: 3, s: 'y', n: 1}");
    List<Map.Entry<String, String>> parts =
        new ArrayList<>(
            List.of(
                Map.entry("$or", "[{s: 'x'}, {s: 'z'}]"),
                Map.entry("n", "1"),
                Map.entry("$nor", "[{_id: 3}]"),
                Map.entry("$and", "[{_id: {$gt: 0}}, {n: {$lt: 5}}]"),
                Map.entry("s", "{$ne: 'q'}"),
                Map.entry("$expr", "{$lt: ['$n', 8]}")));
    Random random = new Random(5);
    for (int i = 0; i < 60; i++) {
      Collections.shuffle(parts, random);
      StringBuilder filter = new StringBuilder("{");
      parts.forEach(
          part -> filter.append(part.getKey()).append(": ").append(part.getValue() + ","));
      assertThat(ids(store.find(filter + "}"))).as("%s", filter).containsExactly(2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void arrays_are_found_whole_and_by_element(boolean indexed) {
    if (indexed) {
      store.index("{v: 1}").index("{'v.k': 1}");
    }
    store.insert(
        "{_id: 1, v: [[]]}",
        "{_id: 2, v: []}",
        "{_id: 3, v: [['p', 'q']]}",
        "{_id: 4, v: ['p', 'q']}",
        "{_id: 5, v: [{k: 1}, {k: 2}]}",
        "{_id: 6, v: [1, 2]}",
        "{_id: 7, v: [{$numberLong: '1'}, 2.0]}",
        "{_id: 8, v: [2, 1]}");
    assertThat(ids(store.find("{v: []}"))).containsExactlyInAnyOrder(1, 2);
    assertThat(ids(store.find("{'v.0': []}"))).containsExactly(1);
    assertThat(ids(store.find("{v: ['p', 'q']}"))).containsExactlyInAnyOrder(3, 4);
    assertThat(store.find("{v: ['q', 'p']}")).isEmpty();
    assertThat(ids(store.find("{'v.k': {$all: [1, 2]}}"))).containsExactly(5);
    assertThat(store.find("{v: {$in: [{k: 3}]}}")).isEmpty();
    assertThat(ids(store.find("{v: {$in: [{k: 2}]}}"))).containsExactly(5);
    assertThat(ids(store.find("{v: [1, 2]}"))).containsExactlyInAnyOrder(6, 7);
    assertThat(ids(store.find("{v: {$in: [[], [2, 1]]}}"))).containsExactlyInAnyOrder(1, 2, 8);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void null_in_dotted_paths_means_missing_too(boolean indexed) {
    if (indexed) {
      store.index("{'k.m.z': 1}");
    }
    store.insert(
        "{_id: 1, k: [{m: null}]}",
        "{_id: 2, k: [{m: {z: null}}]}",
        "{_id: 3, k: [{m: {z: 1}}]}",
        "{_id: 4, k: [{m: 's'}]}",
        "{_id: 5, k: [{m: {z: 7}}]}");
    assertThat(ids(store.find("{'k.m.z': {$in: [null, 1]}}")))
        .containsExactlyInAnyOrder(1, 2, 3, 4);
    assertThat(ids(store.find("{'k.m.z': {$nin: [null, 1]}}"))).containsExactly(5);
    assertThat(ids(store.find("{'k.m.z': null}"))).containsExactlyInAnyOrder(1, 2, 4);
    assertThat(ids(store.find("{'k.m.z': {$ne: null}}"))).containsExactlyInAnyOrder(3, 5);
  }

  /** An index on one element's place says nothing about what is missing elsewhere. */
  @Test
  void null_at_a_place_in_an_array_is_the_same_with_an_index_on_that_place() {
    store.insert(
        "{_id: 1, b: [1, {c: 1}]}", "{_id: 2, b: [1, 2]}", "{_id: 3}", "{_id: 4, b: [null]}");
    List<Integer> without = ids(store.find("{'b.0': null}"));
    store.index("{'b.0': 1}");
    assertThat(ids(store.find("{'b.0': null}"))).isEqualTo(without).contains(1, 3, 4);
    assertThat(store.plan("{'b.0': 1}")).contains("b.0_1");
    fails(16746, () -> store.insert("{_id: 5, b: [5, {'0': 6}]}"));
    store.check();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sorting_through_arrays_takes_the_least_or_the_greatest(boolean indexed) {
    if (indexed) {
      store.index("{'d.v': 1, _id: 1}");
    }
    store.insert(
        "{_id: 1, d: [{v: {$minKey: 1}}, {v: {$maxKey: 1}}]}",
        "{_id: 2, d: [{v: 3}]}",
        "{_id: 3, d: {v: []}}",
        "{_id: 4, d: []}",
        "{_id: 5, d: [{v: null}]}",
        "{_id: 6, d: {v: [4, 7]}}");
    FindRequest all = FindRequest.all();
    assertThat(ids(store.find(all.withSort(json("{'d.v': 1, _id: 1}")))))
        .containsExactly(1, 3, 4, 5, 2, 6);
    assertThat(ids(store.find(all.withSort(json("{'d.v': -1, _id: -1}")))))
        .containsExactly(1, 6, 2, 5, 4, 3);
    assertThat(ids(store.aggregate("{$sort: {'d.v': 1, _id: 1}}")))
        .containsExactly(1, 3, 4, 5, 2, 6);
  }

  @Test
  void a_positional_projection_shows_the_first_element_that_satisfied_its_condition() {
    store.insert(
        "{_id: 1, grades: [70, 87, 90], docs: [{x: 1}, {x: 5, y: 1}, {x: 5, y: 2}], n: 1}");
    FindRequest grades =
        FindRequest.matching(json("{n: 1, grades: {$gte: 85}}"))
            .withProjection(json("{'grades.$': 1}"));
    assertThat(store.find(grades)).containsExactly("{\"_id\": 1, \"grades\": [87]}");
    FindRequest docs =
        FindRequest.matching(json("{docs: {$elemMatch: {x: 5, y: {$gt: 1}}}}"))
            .withProjection(json("{'docs.$': 1, _id: 0}"));
    assertThat(store.find(docs)).containsExactly("{\"docs\": [{\"x\": 5, \"y\": 2}]}");
  }

  @Test
  void the_first_of_two_equal_upserts_inserts_and_shows_nothing() {
    FindAndModifyRequest upsert =
        FindAndModifyRequest.update(json("{_id: 1}"), json("{$setOnInsert: {a: 1}, $inc: {n: 1}}"))
            .withUpsert(true);
    var first = store.findAndModify(upsert);
    assertThat(first.value()).isEmpty();
    assertThat(first.upsertedId()).isEqualTo(new BsonInt32(1));
    store.updateOne("{_id: 1}", "{$set: {a: 9}}");
    var second = store.findAndModify(upsert.withReturnNew(true));
    assertThat(second.upsertedId()).isNull();
    assertThat(second.value()).contains(json("{_id: 1, n: 2, a: 9}"));
    var replaced =
        store.findAndModify(
            FindAndModifyRequest.update(json("{_id: 2}"), json("{b: 1}")).withUpsert(true));
    assertThat(replaced.value()).isEmpty();
  }

  @Test
  void a_unique_key_is_free_again_in_and_after_transactions() {
    store.index("{u: 1}", "{unique: true}").insert("{_id: 1, u: 'a'}");
    store.updateOne("{_id: 1}", "{$set: {u: 'b'}}");
    store.insert("{_id: 2, u: 'a'}");
    store.deleteMany("{_id: 2}");
    Transaction aborted = store.engine.begin(WriteContext.plain());
    aborted.writes().insert(NS, json("{_id: 3, u: 'a'}"));
    aborted.writes().update(NS, UpdateRequest.one(json("{_id: 1}"), json("{$set: {u: 'c'}}")));
    aborted.writes().insert(NS, json("{_id: 4, u: 'b'}"));
    aborted.abort();
    store.insert("{_id: 5, u: 'a'}");
    fails(11000, () -> store.insert("{_id: 6, u: 'b'}"));
    Transaction committed = store.engine.begin(WriteContext.plain());
    committed.writes().delete(NS, DeleteRequest.one(json("{_id: 5}")));
    committed.writes().insert(NS, json("{_id: 7, u: 'a'}"));
    committed.commit();
    assertThat(ids(store.find("{u: 'a'}"))).containsExactly(7);
    store.check();
  }

  @Test
  void an_index_made_before_a_transaction_follows_its_writes() {
    store.index("{a: 1}").insert("{_id: 1, a: 1}", "{_id: 2, a: 2}");
    Transaction transaction = store.engine.begin(WriteContext.plain());
    store.insert("{_id: 9, a: 9}");
    transaction
        .writes()
        .update(NS, UpdateRequest.many(json("{a: {$gte: 2}}"), json("{$inc: {a: 10}}")));
    transaction.commit();
    assertThat(ids(store.find("{a: 12}"))).containsExactly(2);
    assertThat(ids(store.find("{a: 9}"))).containsExactly(9);
    store.check();
  }

  @Test
  void unique_keys_in_arrays_are_those_of_the_elements() {
    store.index("{i: 1, 's.z': 1}", "{unique: true}");
    store.insert("{_id: 1, i: 'x', s: [{z: 1}, {z: 1}]}", "{_id: 2, i: 'x', s: [{z: 2}]}");
    fails(11000, () -> store.insert("{_id: 3, i: 'x', s: [{z: 5}, {z: 1}]}"));
    store.insert("{_id: 4, i: 'y', s: []}");
    fails(11000, () -> store.insert("{_id: 5, i: 'y', s: []}"));
    fails(171, () -> store.insert("{_id: 6, i: [1, 2], s: [{z: 1}]}"));
    store.check();
  }

  @Test
  void many_cycles_of_array_writes_leave_nothing_in_an_index() {
    store.index("{l: 1}");
    for (int i = 0; i < 2_000; i++) {
      store.insert("{_id: 1, l: []}");
      store.updateOne("{_id: 1}", "{$push: {l: {$each: [1, [2], {x: 3}]}}}");
      store.updateOne("{_id: 1}", "{$pop: {l: 1}}");
      store.deleteMany("{_id: 1}");
    }
    assertThat(store.count("{l: {$exists: true}}")).isZero();
    assertThat(
            ((StoreSnapshot) store.engine.snapshot())
                .root().collectionsOf(null).stream()
                    .flatMap(state -> state.indexes().stream())
                    .mapToInt(index -> index.entries().size())
                    .sum())
        .isZero();
    store.check();
  }

  @Test
  void a_leading_match_and_sort_use_indexes_and_explain_says_so() {
    store.index("{k: 1, v: 1}");
    for (int i = 0; i < 1_000; i++) {
      store.insert("{_id: " + i + ", k: " + i % 100 + ", v: " + i + "}");
    }
    BsonDocument plan =
        store
            .engine
            .snapshot()
            .explain(
                NS,
                io.fairlead.engine.cursor.AggregateRequest.of(
                    List.of(
                        json("{$match: {k: 7}}"),
                        json("{$sort: {v: -1}}"),
                        json("{$group: {_id: null, n: {$sum: 1}}}"))),
                io.fairlead.engine.cursor.ExplainVerbosity.EXECUTION_STATS,
                store.engine.operation());
    assertThat(plan.toJson())
        .contains("IXSCAN")
        .doesNotContain("COLLSCAN")
        .doesNotContain("\"SORT\"");
    assertThat(plan.toJson()).contains("\"totalDocsExamined\": 10");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void skip_and_limit_count_right_for_every_number(boolean indexed) {
    if (indexed) {
      store.index("{a: 1}");
    }
    IntStream.range(0, 12).forEach(i -> store.insert("{_id: " + i + ", a: " + i + "}"));
    for (int skip = 0; skip < 14; skip++) {
      for (int limit = 1; limit < 14; limit++) {
        List<Integer> wanted =
            IntStream.range(Math.min(12, skip), Math.min(12, skip + limit)).boxed().toList();
        assertThat(
                ids(
                    store.aggregate(
                        "{$sort: {a: 1}}", "{$skip: " + skip + "}", "{$limit: " + limit + "}")))
            .as("skip %d, limit %d", skip, limit)
            .isEqualTo(wanted);
        assertThat(
                ids(
                    store.find(
                        FindRequest.matching(json("{a: {$gte: 0}}"))
                            .withSort(json("{a: 1}"))
                            .withSkip(skip)
                            .withLimit(limit))))
            .as("skip %d, limit %d", skip, limit)
            .isEqualTo(wanted);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void every_form_of_lookup_is_a_left_outer_join(boolean indexed) {
    if (indexed) {
      store.index("{'items.k': 1}");
    }
    store.insert(
        "{_id: 1, items: [{k: 1}, {k: 2}]}",
        "{_id: 2, items: [{k: 3}]}",
        "{_id: 3}",
        "{_id: 4, items: [{k: null}]}");
    String join = "{$lookup: {from: 'c', localField: 'v', foreignField: 'items.k', as: 'r'}}";
    String ids = "{$project: {v: 1, r: '$r._id'}}";
    assertThat(
            store.aggregate(
                "{$limit: 1}",
                "{$project: {_id: 0, v: [{v: 1}, {v: 9}, {}, {v: [2, 3]}, {v: null}]}}",
                "{$unwind: '$v'}",
                "{$replaceWith: '$v'}",
                join,
                ids))
        .containsExactly(
            "{\"v\": 1, \"r\": [1]}",
            "{\"v\": 9, \"r\": []}",
            "{\"r\": [3, 4]}",
            "{\"v\": [2, 3], \"r\": [1, 2]}",
            "{\"v\": null, \"r\": [3, 4]}");
    String both =
        "{$lookup: {from: 'c', localField: 'v', foreignField: 'items.k', let: {v: '$v'}, pipeline:"
            + " [{$match: {$expr: {$gt: ['$_id', 1]}}}, {$project: {w: '$$v'}}], as: 'r'}}";
    assertThat(store.aggregate("{$limit: 1}", "{$project: {_id: 0, v: [2, 3]}}", both))
        .containsExactly("{\"v\": [2, 3], \"r\": [{\"_id\": 2, \"w\": [2, 3]}]}");
  }

  @Test
  void equal_documents_fall_in_one_group() {
    for (int i = 0; i < 100; i++) {
      store.insert(
          i % 8 < 4
              ? "{_id: " + i + ", k1: " + i % 2 + ", k2: " + i / 2 % 2 + "}"
              : "{_id: " + i + ", k2: " + i % 2 + ", k1: " + i / 2 % 2 + "}");
    }
    assertThat(store.aggregate("{$unset: '_id'}", "{$group: {_id: '$$ROOT'}}")).hasSize(8);
    assertThat(
            store.aggregate(
                "{$project: {_id: 0, k1: 1, k2: 1}}",
                "{$match: {k1: 1}}",
                "{$group: {_id: {a: '$k1', b: '$k2'}}}"))
        .hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{p: '$h.p'} | 2",
        "{p: '$h.p', q: '$h.q'} | 3",
        "'$h.p' | 2",
      })
  void missing_and_null_parents_group_as_in_mongodb(String key, int groups) {
    store.insert(
        "{_id: 1}",
        "{_id: 2, h: null}",
        "{_id: 3, h: {}}",
        "{_id: 4, h: {p: null}}",
        "{_id: 5, h: {p: 'x'}}");
    List<String> found = store.aggregate("{$group: {_id: " + key + "}}");
    List<BsonValue> keys = found.stream().map(each -> json(each).get("_id")).toList();
    assertThat(keys).hasSize(groups);
  }
}
