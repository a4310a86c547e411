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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What wildcard indexes say of presence and order, and what they and hashed ones do by collations.
 */
final class SpecialIndexesTest {
  private static final String BLIND = "{locale: 'en', strength: 1}";
  private static final String COLLATED = "{collation: " + BLIND + "}";

  private final Store store = new Store();

  private static FindRequest find(String filter) {
    return FindRequest.matching(json(filter));
  }

  private static FindRequest blind(String filter) {
    return find(filter).withCollation(json(BLIND));
  }

  private List<Integer> ids(FindRequest request) {
    return store.find(request).stream()
        .map(text -> BsonDocument.parse(text).getInt32("_id").getValue())
        .toList();
  }

  @Test
  void a_wildcard_index_knows_which_documents_have_a_path() {
    store.index("{'$**': 1}");
    store.insert(
        "{_id: 1, a: 5}",
        "{_id: 2, a: null}",
        "{_id: 3, a: {b: 1, c: {d: 2}}}",
        "{_id: 4, a: {}}",
        "{_id: 5, a: []}",
        "{_id: 6, a: [{b: 1}, 2, [3]]}",
        "{_id: 7, a: [{}]}",
        "{_id: 8, a: {'x.y': 1}}",
        "{_id: 9, a: [{'x.y': 1}]}",
        "{_id: 10, 'a.b': 1}",
        "{_id: 11, ab: 1, 'a-': 1, 'a/': 1}",
        "{_id: 12, b: {a: 1}}");
    store.check();
    assertThat(store.plan("{a: {$exists: true}}")).isEqualTo("FETCH IXSCAN:$**_1");
    assertThat(ids(find("{a: {$exists: true}}")))
        .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(store.count("{a: {$exists: true}}")).isEqualTo(9);
    assertThat(ids(find("{a: {$exists: true}}").withSkip(4).withLimit(3))).hasSize(3);
    assertThat(ids(find("{'a.b': {$exists: true}}"))).containsExactlyInAnyOrder(3, 6);
    assertThat(store.plan("{'a.c': {$exists: true}}")).isEqualTo("FETCH IXSCAN:$**_1");
    assertThat(ids(find("{'a.c': {$exists: true}}"))).containsExactly(3);
    assertThat(ids(find("{a: {$elemMatch: {b: {$exists: true}}}}"))).containsExactly(6);
    for (String not :
        List.of("{a: {$exists: false}}", "{'a.0': {$exists: true}}", "{_id: {$exists: true}}")) {
      assertThat(store.plan(not)).as(not).doesNotContain("$**");
    }
  }

  @Test
  void what_a_projection_leaves_of_a_document_says_that_it_is_there() {
    store.index("{'$**': 1}", "{wildcardProjection: {'a.b': 0}}");
    store.insert("{_id: 1, a: {b: 1}}", "{_id: 2, a: {b: 1, c: 2}}", "{_id: 3}").check();
    assertThat(store.plan("{a: {$exists: true}}")).contains("$**");
    assertThat(ids(find("{a: {$exists: true}}"))).containsExactlyInAnyOrder(1, 2);
    assertThat(store.plan("{'a.b': {$exists: true}}")).isEqualTo("COLLSCAN");
  }

  @Test
  void a_wildcard_index_gives_the_order_of_a_path_that_is_asked_for() {
    store.index("{'$**': 1}");
    store.insert("{_id: 1, a: 3}", "{_id: 2, a: 1}", "{_id: 3, a: 2}", "{_id: 4, b: 1}");
    FindRequest asked = find("{a: {$gt: 0}}");
    assertThat(store.plan(asked.withSort(json("{a: 1}")))).isEqualTo("FETCH IXSCAN:$**_1");
    assertThat(ids(asked.withSort(json("{a: 1}")))).containsExactly(2, 3, 1);
    assertThat(store.plan(asked.withSort(json("{a: -1}")))).isEqualTo("FETCH IXSCAN:$**_1");
    assertThat(ids(asked.withSort(json("{a: -1}")).withLimit(2))).containsExactly(1, 3);
    assertThat(store.plan(asked.withSort(json("{b: 1}")))).startsWith("SORT");
    assertThat(store.plan(find("{a: {$exists: true}}").withSort(json("{a: 1}"))))
        .startsWith("SORT");
    assertThat(store.plan(FindRequest.all().withSort(json("{a: 1}")))).isEqualTo("SORT COLLSCAN");
    store.insert("{_id: 5, a: [0, 9]}");
    assertThat(store.plan(asked.withSort(json("{a: 1}")))).startsWith("SORT");
    assertThat(ids(asked.withSort(json("{a: 1}")))).containsExactly(5, 2, 3, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "3"})
  void a_wildcard_index_is_of_the_second_version(String version) {
    refused(67, () -> store.index("{'a.$**': 1}", "{v: " + version + "}"));
    store.index("{'a.$**': 1}", "{v: 2}");
  }

  @Test
  void a_collation_needs_the_second_version() {
    refused(67, () -> store.index("{a: 1}", "{v: 1}", COLLATED));
  }

  @Test
  void a_hashed_index_with_a_collation_answers_queries_of_it() {
    store.index("{h: 'hashed'}", COLLATED);
    store.insert("{_id: 1, h: 'élan'}", "{_id: 2, h: 'ELAN'}", "{_id: 3, h: {x: 'Y'}}");
    store.insert("{_id: 4, h: 7}").check();
    assertThat(store.plan(blind("{h: 'Elan'}"))).isEqualTo("FETCH IXSCAN:h_hashed");
    assertThat(ids(blind("{h: 'Elan'}"))).containsExactlyInAnyOrder(1, 2);
    assertThat(ids(blind("{h: {$in: ['ELÁN', 7]}}"))).containsExactlyInAnyOrder(1, 2, 4);
    assertThat(ids(blind("{h: {x: 'y'}}"))).containsExactly(3);
    assertThat(store.plan(find("{h: 'ELAN'}"))).isEqualTo("COLLSCAN");
    assertThat(ids(find("{h: 'ELAN'}"))).containsExactly(2);
    assertThat(store.plan(find("{h: 7}"))).isEqualTo("FETCH IXSCAN:h_hashed");
    assertThat(ids(find("{h: 7}"))).containsExactly(4);
    store.updateOne("{_id: 1}", "{$set: {h: 'other'}}");
    store.deleteMany("{_id: 2}");
    store.check();
  }

  @Test
  void a_wildcard_index_with_a_collation_answers_queries_of_it() {
    store.index("{'$**': 1}", COLLATED);
    store.insert("{_id: 1, a: {B: 'b'}}", "{_id: 2, a: {B: 'Á'}}", "{_id: 3, a: {b: 'a'}}");
    store.insert("{_id: 4, a: {B: 7}}").check();
    FindRequest least = blind("{'a.B': {$gte: 'A'}}").withSort(json("{'a.B': 1}"));
    assertThat(store.plan(least)).isEqualTo("FETCH IXSCAN:$**_1");
    assertThat(ids(least)).containsExactly(2, 1);
    assertThat(ids(blind("{'a.B': 'a'}"))).containsExactly(2);
    assertThat(store.plan(find("{'a.B': 'Á'}"))).isEqualTo("COLLSCAN");
    assertThat(ids(find("{'a.B': 'Á'}"))).containsExactly(2);
    assertThat(store.plan(find("{'a.B': {$gt: 1}}"))).isEqualTo("FETCH IXSCAN:$**_1");
    assertThat(store.plan(find("{'a.b': {$exists: true}}"))).isEqualTo("FETCH IXSCAN:$**_1");
    assertThat(ids(find("{'a.b': {$exists: true}}"))).containsExactly(3);
  }

  @Test
  void such_indexes_have_their_collections_collation_like_all_others() {
    store.create(COLLATED).index("{h: 'hashed'}").index("{k: 1, 'a.$**': 1}");
    store.insert("{_id: 1, h: 'x', k: 'K', a: {b: 'Z'}}").check();
    assertThat(store.plan("{h: 'X'}")).isEqualTo("FETCH IXSCAN:h_hashed");
    assertThat(store.plan("{k: 'k', 'a.b': 'z'}")).isEqualTo("FETCH IXSCAN:k_1_a.$**_1");
    assertThat(ids(find("{h: 'X'}"))).containsExactly(1);
    assertThat(ids(find("{k: 'k', 'a.b': 'z'}"))).containsExactly(1);
    refused(67, () -> store.index("{g: '2dsphere'}"));
    refused(67, () -> store.index("{t: 'text'}"));
  }

  private static void refused(int code, ThrowingCallable call) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }
}
