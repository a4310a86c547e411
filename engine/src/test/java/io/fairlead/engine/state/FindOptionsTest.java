// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FindOptionsTest {
  private final Store store = new Store();

  private static FindRequest between(@Nullable String min, @Nullable String max, BsonValue hint) {
    return FindRequest.all()
        .withBounds(min == null ? null : json(min), max == null ? null : json(max))
        .withHint(hint);
  }

  private List<Integer> ids(FindRequest request) {
    return store.find(request).stream()
        .map(text -> BsonDocument.parse(text).getInt32("_id").getValue())
        .toList();
  }

  @Test
  void min_is_within_the_bounds_and_max_is_not() {
    store.index("{a: 1, b: -1}");
    for (int i = 0; i < 12; i++) {
      store.insert("{_id: " + i + ", a: " + i / 3 + ", b: " + i % 3 + "}");
    }
    BsonValue hint = new BsonString("a_1_b_-1");
    assertThat(ids(between("{a: 1, b: 1}", "{a: 2, b: 1}", hint))).containsExactly(4, 3, 8);
    assertThat(ids(between("{a: 3, b: 1}", null, json("{a: 1, b: -1}")))).containsExactly(10, 9);
    assertThat(ids(between(null, "{a: 0, b: 0}", hint))).containsExactly(2, 1);
    FindRequest filtered =
        between("{a: 1, b: 2}", "{a: 3, b: 2}", hint)
            .withFilter(json("{b: 2}"))
            .withSort(json("{_id: -1}"));
    assertThat(ids(filtered)).containsExactly(8, 5);
    assertThat(store.plan(filtered)).isEqualTo("SORT FETCH IXSCAN:a_1_b_-1");
  }

  @Test
  void bounds_that_cannot_be_are_refused() {
    store.index("{a: 1}").index("{h: 'hashed'}").insert("{_id: 1, a: 1}");
    BsonValue hint = new BsonString("a_1");
    refused(51173, () -> store.find(FindRequest.all().withBounds(json("{a: 1}"), null)));
    refused(51174, () -> store.find(between("{b: 1}", null, hint)));
    refused(51174, () -> store.find(between("{h: 1}", null, new BsonString("h_hashed"))));
    refused(51176, () -> store.find(between("{a: 1}", "{b: 1}", hint)));
    refused(51175, () -> store.find(between("{a: 2}", "{a: 1}", hint)));
    refused(2, () -> store.find(between("{a: 2}", null, json("{$natural: 1}"))));
    refused(2, () -> store.find(between("{a: 2}", null, new BsonString("nope"))));
  }

  @Test
  void keys_instead_of_documents() {
    store.index("{a: 1, 'b.c': -1}").index("{w: 'hashed'}");
    store.insert("{_id: 1, a: {$numberLong: '5'}, b: [{c: 1}, {c: 2}], w: 1}", "{_id: 2, a: 6}");
    FindRequest keys = FindRequest.matching(json("{a: {$gt: 0}}")).withReturnKey(true);
    assertThat(store.find(keys))
        .containsExactly("{\"a\": 5, \"b.c\": 2}", "{\"a\": 6, \"b.c\": null}");
    assertThat(store.find(FindRequest.matching(json("{z: 1}")).withReturnKey(true))).isEmpty();
    assertThat(store.find(FindRequest.all().withReturnKey(true))).containsExactly("{}", "{}");
    assertThat(store.find(FindRequest.matching(json("{w: 1}")).withReturnKey(true)))
        .containsExactly("{\"w\": 5902408780260971510}");
    assertThat(
            store.find(
                FindRequest.matching(json("{a: 6}"))
                    .withProjection(
                        json("{k: {$meta: 'indexKey'}, n: {$meta: 'recordId'}, a: 1, _id: 0}"))))
        .containsExactly("{\"a\": 6, \"k\": {\"a\": 6, \"b.c\": null}, \"n\": 2}");
  }

  @Test
  void the_whole_key_is_shown_when_the_index_alone_could_answer() {
    store.index("{a: 1, b: 1}").insert("{_id: 1, a: 1, b: 2}");
    assertThat(
            store.find(
                FindRequest.matching(json("{a: 1}"))
                    .withProjection(json("{a: 1, _id: 0, k: {$meta: 'indexKey'}}"))))
        .containsExactly("{\"a\": 1, \"k\": {\"a\": 1, \"b\": 2}}");
  }

  @Test
  void the_number_of_the_record() {
    store.insert("{_id: 'x'}", "{_id: 'y', a: 1}");
    assertThat(store.find(FindRequest.all().withShowRecordId(true)))
        .containsExactly(
            "{\"_id\": \"x\", \"$recordId\": 1}", "{\"_id\": \"y\", \"a\": 1, \"$recordId\": 2}");
    assertThat(
            store.find(
                FindRequest.matching(json("{_id: 'y'}"))
                    .withProjection(json("{a: 1, _id: 0}"))
                    .withShowRecordId(true)))
        .containsExactly("{\"a\": 1, \"$recordId\": 2}");
  }

  @Test
  void the_key_of_the_index_is_shown_alone() {
    store.index("{a: 1}").insert("{_id: 'x', a: 5, b: 1}");
    assertThat(
            store.find(
                FindRequest.matching(json("{a: 5}"))
                    .withProjection(json("{b: 1}"))
                    .withReturnKey(true)
                    .withShowRecordId(true)))
        .containsExactly("{\"a\": 5}");
  }

  @Test
  void what_is_all_in_the_index_is_read_from_the_index() {
    store.index("{a: 1, b: -1, c: 1}");
    store.insert(
        "{_id: 1, a: 5, b: 'x\\u0000\\u0001y', c: {$oid: '0123456789abcdef01234567'}}",
        "{_id: 2, a: -2147483648, b: '', c: {$date: 12345}}",
        "{_id: 3, a: 0, b: true, c: null}",
        "{_id: 4, a: 1.5, b: -2.25, c: 'z'}",
        "{_id: 5, a: {$numberLong: '-4294967296'}, b: 7, c: false}");
    FindRequest all =
        FindRequest.matching(json("{a: {$gte: -5000000000}}"))
            .withProjection(json("{a: 1, b: 1, c: 1, _id: 0}"));
    assertThat(store.plan(all)).isEqualTo("PROJECTION_COVERED IXSCAN:a_1_b_-1_c_1");
    assertThat(store.find(all))
        .containsExactlyInAnyOrderElementsOf(store.find(all.withHint(json("{$natural: 1}"))));
    assertThat(store.find(all)).hasSize(5);
    BsonDocument stats = store.stats(all);
    assertThat(stats.getNumber("totalDocsExamined").intValue()).isZero();
    assertThat(stats.getNumber("totalKeysExamined").intValue()).isEqualTo(5);
    FindRequest filtered =
        FindRequest.matching(json("{a: {$gt: -3}, b: {$type: 'bool'}}"))
            .withProjection(json("{a: 1, _id: 0}"))
            .withSort(json("{b: 1}"));
    assertThat(store.plan(filtered)).startsWith("PROJECTION_COVERED SORT IXSCAN");
    assertThat(store.find(filtered)).containsExactly("{\"a\": 0}");
  }

  @Test
  void what_the_index_cannot_give_back_is_read_from_the_document() {
    store.index("{a: 1}").insert("{_id: 1, a: 1}");
    FindRequest request =
        FindRequest.matching(json("{a: {$gte: 0}}")).withProjection(json("{a: 1, _id: 0}"));
    assertThat(store.plan(request)).startsWith("PROJECTION_COVERED");
    assertThat(store.plan(request.withProjection(json("{a: 1}")))).startsWith("PROJECTION_SIMPLE");
    assertThat(store.plan(request.withProjection(json("{a: 1, b: 1, _id: 0}"))))
        .startsWith("PROJECTION_SIMPLE");
    for (String value : List.of("2.0", "{$numberLong: '3'}", "{$numberDecimal: '4'}")) {
      Store other = new Store().index("{a: 1}").insert("{_id: 1, a: 1}");
      other.insert("{_id: 2, a: " + value + "}");
      assertThat(other.plan(request)).as(value).startsWith("PROJECTION_SIMPLE FETCH");
      assertThat(other.find(request))
          .isEqualTo(other.find(request.withHint(json("{$natural: 1}"))));
    }
    store.insert("{_id: 3, a: [1, 2]}");
    assertThat(store.plan(request)).startsWith("PROJECTION_SIMPLE FETCH");
  }

  private static void refused(int code, ThrowingCallable call) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }
}
