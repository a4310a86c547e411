// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HashedAndWildcardTest {
  private final Store store = new Store();

  private List<Integer> ids(String filter) {
    return store.find(filter).stream()
        .map(text -> BsonDocument.parse(text).getInt32("_id").getValue())
        .toList();
  }

  @Test
  void a_hashed_index_answers_equality_only() {
    store.index("{h: 'hashed'}");
    store.insert(
        "{_id: 1, h: 5}", "{_id: 2, h: {$numberLong: '5'}}", "{_id: 3, h: 5.5}", "{_id: 4}");
    store.insert("{_id: 5, h: null}", "{_id: 6, h: 'x'}").check();
    assertThat(store.plan("{h: 5}")).isEqualTo("FETCH IXSCAN:h_hashed");
    assertThat(ids("{h: 5}")).containsExactlyInAnyOrder(1, 2);
    assertThat(ids("{h: 5.5}")).containsExactly(3);
    assertThat(ids("{h: null}")).containsExactlyInAnyOrder(4, 5);
    assertThat(ids("{h: {$in: ['x', 5.5]}}")).containsExactlyInAnyOrder(3, 6);
    assertThat(store.plan("{h: {$in: ['x', 5.5]}}")).isEqualTo("FETCH IXSCAN:h_hashed");
    assertThat(store.plan("{h: {$gt: 5}}")).isEqualTo("COLLSCAN");
    assertThat(store.plan(FindRequest.all().withSort(json("{h: 1}")))).isEqualTo("SORT COLLSCAN");
    assertThat(store.plan(FindRequest.all().withHint(new BsonString("h_hashed"))))
        .isEqualTo("FETCH IXSCAN:h_hashed");
    assertThat(store.find(FindRequest.all().withHint(new BsonString("h_hashed")))).hasSize(6);
  }

  @Test
  void equal_numbers_of_all_types_have_one_hash() {
    store.index("{h: 'hashed'}");
    store.insert(
        "{_id: 1, h: {$numberLong: '9007199254740993'}}",
        "{_id: 2, h: {$numberDecimal: '9007199254740993'}}");
    assertThat(ids("{h: {$numberLong: '9007199254740993'}}")).containsExactlyInAnyOrder(1, 2);
    assertThat(ids("{h: {$numberDecimal: '9007199254740993'}}")).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void a_wildcard_index_is_not_asked_for_what_it_has_no_keys_of() {
    store.index("{'$**': 1}").insert("{_id: 1, a: [{b: 1}]}", "{_id: 2, a: [[]]}");
    assertThat(ids("{a: {$elemMatch: {$eq: {b: 1}}}}")).containsExactly(1);
    assertThat(ids("{a: {$elemMatch: {$in: [[], 7]}}}")).containsExactly(2);
  }

  @Test
  void a_hashed_index_refuses_arrays() {
    store.index("{'a.h': 'hashed'}");
    refused(16766, () -> store.insert("{a: {h: [1]}}"));
    refused(16766, () -> store.insert("{a: [{h: 1}]}"));
    Store full = new Store().insert("{a: [1]}");
    refused(16766, () -> full.index("{a: 'hashed'}"));
  }

  @Test
  void a_compound_hashed_index_has_order_before_the_hash() {
    store.index("{a: 1, h: 'hashed', b: -1}");
    for (int i = 0; i < 30; i++) {
      store.insert("{_id: " + i + ", a: " + i % 3 + ", h: " + i % 5 + ", b: " + i + "}");
    }
    assertThat(store.plan("{a: 1, h: 2}")).isEqualTo("FETCH IXSCAN:a_1_h_hashed_b_-1");
    assertThat(ids("{a: 1, h: 2}")).containsExactly(22, 7);
    assertThat(ids("{a: 1, h: 2, b: {$gt: 10}}")).containsExactly(22);
    assertThat(store.plan(FindRequest.all().withSort(json("{a: 1}"))))
        .isEqualTo("FETCH IXSCAN:a_1_h_hashed_b_-1");
    assertThat(store.plan(FindRequest.matching(json("{a: 1}")).withSort(json("{h: 1}"))))
        .startsWith("SORT");
    store.check();
  }

  /** The hash of 1 is the one that MongoDB gives. */
  @Test
  void hashes_are_those_of_mongodb() {
    store.insert("{_id: 1}");
    assertThat(
            store.aggregate(
                "{$project: {_id: 0, a: {$toHashedIndexKey: 1},"
                    + " n: {$toHashedIndexKey: '$missing'}, z: {$toHashedIndexKey: null}}}"))
        .hasSize(1)
        .first()
        .asString()
        .satisfies(
            text -> {
              BsonDocument document = BsonDocument.parse(text);
              assertThat(document.getInt64("a").getValue()).isEqualTo(5902408780260971510L);
              assertThat(document.get("n")).isEqualTo(document.get("z"));
            });
  }

  @Test
  void a_wildcard_index_answers_about_every_path() {
    store.index("{'$**': 1}");
    store.insert(
        "{_id: 1, a: 5, b: {c: 'x'}}",
        "{_id: 2, a: [5, {d: 7}], e: {}}",
        "{_id: 3, a: [[5]], f: []}",
        "{_id: 4, b: {c: ['y', 'z']}}",
        "{_id: 5}");
    store.check();
    assertThat(store.plan("{a: 5}")).isEqualTo("FETCH IXSCAN:$**_1");
    assertThat(ids("{a: 5}")).containsExactlyInAnyOrder(1, 2);
    assertThat(ids("{'a.d': {$gte: 7}}")).containsExactly(2);
    assertThat(ids("{'b.c': {$in: ['x', 'z']}}")).containsExactlyInAnyOrder(1, 4);
    assertThat(ids("{'b.c': /^y/}")).containsExactly(4);
    for (String not :
        List.of(
            "{a: null}",
            "{a: {$gt: {}}}",
            "{b: {c: 'x'}}",
            "{f: []}",
            "{a: [5]}",
            "{'a.0': 5}",
            "{_id: {$gt: 3}, z: {$exists: false}}",
            "{a: {$ne: 5}}")) {
      assertThat(store.plan(not)).as(not).doesNotContain("$**");
    }
    assertThat(store.plan(FindRequest.all().withSort(json("{a: 1}")))).isEqualTo("SORT COLLSCAN");
    refused(291, () -> store.find(FindRequest.all().withHint(new BsonString("$**_1"))));
  }

  @Test
  void a_wildcard_index_answers_one_condition_and_the_document_the_others() {
    store.index("{'$**': 1}");
    for (int i = 0; i < 20; i++) {
      store.insert("{_id: " + i + ", a: " + i % 2 + ", b: " + i + ", c: {d: " + i % 3 + "}}");
    }
    assertThat(ids("{a: 1, b: {$gt: 15}}")).containsExactlyInAnyOrder(17, 19);
    assertThat(store.count("{a: 1, b: {$gt: 15}}")).isEqualTo(2);
    assertThat(store.count("{a: 1, 'c.d': 2, b: {$lt: 6}}")).isEqualTo(1);
    assertThat(store.count("{a: 1}")).isEqualTo(10);
  }

  @Test
  void a_wildcard_index_covers_what_it_was_told() {
    store.index("{'a.$**': 1}");
    store.index("{'$**': 1}", "{name: 'in', wildcardProjection: {b: 1, 'c.d': 1}}");
    store.index("{'$**': 1}", "{name: 'out', wildcardProjection: {b: 0, a: 0, c: 0}}");
    store.index("{k: 1, 'w.$**': 1, z: 1}");
    store.insert(
        "{_id: 1, a: {x: 1}, b: {y: 2}, c: {d: 3, e: 4}, g: 5, k: 6, w: {p: 7, q: 8}, z: 9}",
        "{_id: 2, k: 6, z: 9}");
    store.check();
    assertThat(store.plan("{'a.x': 1}")).contains("a.$**_1");
    assertThat(store.plan("{'b.y': 2}")).contains("IXSCAN:in");
    assertThat(store.plan("{'c.d': 3}")).contains("IXSCAN:in");
    assertThat(store.plan("{'c.e': 4}")).isEqualTo("COLLSCAN");
    assertThat(store.plan("{g: 5}")).contains("IXSCAN:out");
    FindRequest compound =
        FindRequest.matching(json("{k: 6, 'w.q': 8, z: 9}"))
            .withHint(new BsonString("k_1_w.$**_1_z_1"));
    assertThat(store.find(compound)).hasSize(1);
    assertThat(store.stats(compound).getNumber("totalKeysExamined").intValue()).isEqualTo(1);
    store.updateOne("{_id: 1}", "{$unset: {w: 1}, $set: {'b.n': [1, 2]}}");
    store.deleteMany("{_id: 2}");
    store.check();
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void wildcard_and_hashed_indexes_answer_what_a_scan_answers(long seed) {
    Random random = new Random(seed);
    Store indexed = new Store().index("{'$**': 1}").index("{p: 1, 'q.$**': 1}");
    for (int i = 0; i < 200; i++) {
      String document =
          "{_id: %d, p: %s, q: %s, r: %s}"
              .formatted(i, random.nextInt(3), value(random, 3), value(random, 2));
      store.insert(document);
      indexed.insert(document);
    }
    indexed.check();
    for (int i = 0; i < 300; i++) {
      List<String> parts = new ArrayList<>();
      for (int n = random.nextInt(3); n >= 0; n--) {
        parts.add("{" + condition(random) + "}");
      }
      String filter = "{$and: [" + String.join(", ", parts) + "]}";
      assertThat(indexed.find(filter))
          .as("seed %s, %s", seed, filter)
          .containsExactlyInAnyOrderElementsOf(store.find(filter));
    }
  }

  private static String condition(Random random) {
    String path = List.of("p", "q", "q.a", "q.b", "q.a.b", "r", "r.a").get(random.nextInt(7));
    String test =
        switch (random.nextInt(6)) {
          case 0 -> value(random, 1);
          case 1 -> "{$gt: " + value(random, 0) + "}";
          case 2 -> "{$lte: " + value(random, 0) + "}";
          case 3 -> "{$in: [" + value(random, 0) + ", " + value(random, 1) + "]}";
          case 4 -> "{$gte: 1, $lt: 3}";
          default -> "{$elemMatch: {a: " + value(random, 0) + "}}";
        };
    return "'" + path + "': " + test;
  }

  private static String value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 9 : 5)) {
      case 0 -> "null";
      case 1 -> "'" + "xyz".charAt(random.nextInt(3)) + "'";
      case 2 -> "true";
      case 3, 4 -> String.valueOf(random.nextInt(4));
      case 5, 6 -> "{a: " + value(random, depth - 1) + ", b: " + value(random, depth - 1) + "}";
      case 7 -> "[]";
      default -> "[" + value(random, depth - 1) + ", " + value(random, depth - 1) + "]";
    };
  }

  private static void refused(int code, ThrowingCallable call) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }
}
