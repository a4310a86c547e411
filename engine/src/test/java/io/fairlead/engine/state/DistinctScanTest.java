// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.cursor.ExplainVerbosity;
import io.fairlead.engine.cursor.FindRequest;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

final class DistinctScanTest {
  private static List<BsonValue> distinct(Store store, String path, FindRequest request) {
    return store.engine.snapshot().distinct(NS, path, request, store.engine.operation());
  }

  private static List<BsonValue> distinct(Store store, String path) {
    return distinct(store, path, FindRequest.all());
  }

  private static BsonDocument explained(Store store, String path, FindRequest request) {
    return store
        .engine
        .snapshot()
        .explainDistinct(
            NS, path, request, ExplainVerbosity.EXECUTION_STATS, store.engine.operation());
  }

  private static List<BsonValue> numbers(int... numbers) {
    return java.util.Arrays.stream(numbers).mapToObj(n -> (BsonValue) new BsonInt32(n)).toList();
  }

  private static Store thousand() {
    Store store = new Store().index("{a: 1, b: 1}").index("{d: -1}");
    for (int i = 0; i < 1000; i++) {
      store.insert("{_id: %d, a: %d, b: %d, d: %d}".formatted(i, 9 - i % 10, i, i % 3));
    }
    return store;
  }

  @Test
  void an_index_that_begins_with_the_path_is_read_once_for_each_value() {
    Store store = thousand();
    assertThat(distinct(store, "a")).isEqualTo(numbers(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    assertThat(distinct(store, "d")).isEqualTo(numbers(2, 1, 0));
    BsonDocument explained = explained(store, "a", FindRequest.all());
    BsonDocument scan =
        explained.getDocument("queryPlanner").getDocument("winningPlan").getDocument("inputStage");
    assertThat(scan.getString("stage").getValue()).isEqualTo("DISTINCT_SCAN");
    assertThat(scan.getString("indexName").getValue()).isEqualTo("a_1_b_1");
    assertThat(explained.getDocument("executionStats").getInt32("totalKeysExamined").getValue())
        .isEqualTo(10);
  }

  @Test
  void bounds_on_the_path_are_kept() {
    Store store = thousand();
    FindRequest some = FindRequest.matching(json("{a: {$in: [7, 3], $gt: 1}}"));
    assertThat(distinct(store, "a", some)).isEqualTo(numbers(3, 7));
    assertThat(
            explained(store, "a", some)
                .getDocument("executionStats")
                .getInt32("totalKeysExamined")
                .getValue())
        .isEqualTo(2);
  }

  @Test
  void what_the_index_does_not_decide_is_read_document_by_document() {
    Store store = thousand();
    assertThat(distinct(store, "a", FindRequest.matching(json("{b: 17}")))).isEqualTo(numbers(2));
    assertThat(distinct(store, "a", FindRequest.all().withHint(json("{$natural: 1}"))))
        .isEqualTo(numbers(9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    Store collated = new Store().index("{s: 1}", "{collation: {locale: 'en', strength: 1}}");
    collated.insert("{s: 'a'}", "{s: 'A'}");
    assertThat(distinct(collated, "s")).hasSize(2);
    assertThat(
            distinct(
                collated,
                "s",
                FindRequest.all().withCollation(json("{locale: 'en', strength: 1}"))))
        .isEqualTo(List.of(new BsonString("a")));
  }

  @Test
  void a_missing_value_is_none_and_an_array_is_its_elements() {
    Store store = new Store().index("{a: 1}");
    store.insert("{_id: 1}", "{_id: 2, a: [3, 1]}", "{_id: 3, a: []}", "{_id: 4, a: [[7]]}");
    assertThat(distinct(store, "a"))
        .isEqualTo(distinct(store, "a", FindRequest.all().withHint(new BsonString("a_1"))))
        .containsExactlyInAnyOrder(
            new BsonInt32(1),
            new BsonInt32(3),
            java.util.Objects.requireNonNull(json("{v: [7]}").get("v")));
    store.insert("{_id: 5, a: null}");
    assertThat(distinct(store, "a")).hasSize(4).contains(BsonNull.VALUE);
  }
}
