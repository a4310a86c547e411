// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static io.fairlead.engine.value.Docs.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.write.UpdateRequest;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** By what documents with arrays are sorted, wherever they are sorted, and how that is shown. */
final class SortKeysTest {
  private static final String REGROUPED = "{$group: {_id: '$_id', a: {$first: '$a'}}}";

  /** Element by element the pairs (x, y) are (1, 9), (2, 2) and (1, 5). */
  private static Store pairs() {
    return new Store()
        .insert("{_id: 1, a: [{x: 1, y: 9}, {x: 2, y: 2}]}", "{_id: 2, a: [{x: 1, y: 5}]}");
  }

  private static FindRequest found(String sort, String projection) {
    return FindRequest.matching(new BsonDocument())
        .withSort(json(sort))
        .withProjection(json(projection));
  }

  @Test
  void parts_that_go_through_one_array_belong_to_the_same_element() {
    Store store = pairs();
    String sort = "{'a.x': 1, 'a.y': 1}";
    String first = "{\"_id\": 2}";
    String second = "{\"_id\": 1}";

    assertThat(store.find(found(sort, "{_id: 1}"))).containsExactly(first, second);
    assertThat(store.aggregate("{$sort: " + sort + "}", "{$project: {_id: 1}}"))
        .containsExactly(first, second);
    assertThat(store.aggregate(REGROUPED, "{$sort: " + sort + "}", "{$project: {_id: 1}}"))
        .containsExactly(first, second);
    assertThat(
            store.aggregate(
                "{$group: {_id: 0, top: {$top: {sortBy: " + sort + ", output: '$_id'}}}}"))
        .containsExactly("{\"_id\": 0, \"top\": 2}");
    assertThat(
            store.aggregate(
                "{$setWindowFields: {sortBy: " + sort + ", output: {n: {$push: '$_id'}}}}",
                "{$project: {n: 1, _id: 0}}",
                "{$limit: 1}"))
        .containsExactly("{\"n\": [2, 1]}");
  }

  @Test
  void no_order_is_made_of_two_arrays() {
    Store store = new Store().insert("{_id: 1, a: [1, 2], b: [3, 4]}");

    fails(2, () -> store.find(found("{a: 1, b: 1}", "{}")));
    fails(2, () -> store.aggregate("{$sort: {a: 1, b: 1}}"));
    fails(
        2,
        () ->
            store.aggregate(
                "{$group: {_id: '$_id', a: {$first: '$a'}, b: {$first: '$b'}}}",
                "{$sort: {a: 1, b: 1}}"));
  }

  @Test
  void an_update_and_sortArray_compare_arrays_as_a_whole() {
    Store store = new Store().insert("{_id: 1, l: []}");
    String sorted = "[{\"a\": 3}, {\"a\": [2]}, {\"a\": [5, 1]}]";

    store.update(
        UpdateRequest.one(
            json("{}"),
            json("{$push: {l: {$each: [{a: [5, 1]}, {a: 3}, {a: [2]}], $sort: {a: 1}}}}")));

    assertThat(store.find("{}")).containsExactly("{\"_id\": 1, \"l\": " + sorted + "}");
    assertThat(
            store.aggregate(
                "{$project: {_id: 0, l: {$sortArray: {input: '$l', sortBy: {a: -1}}}}}",
                "{$project: {l: {$reverseArray: '$l'}}}"))
        .containsExactly("{\"l\": " + sorted + "}");
  }

  @Test
  void find_shows_the_values_by_which_it_sorts() {
    Store store = pairs();

    assertThat(store.find(found("{'a.x': -1, _id: 1}", "{_id: 1, key: {$meta: 'sortKey'}}")))
        .containsExactly("{\"_id\": 1, \"key\": [2, 1]}", "{\"_id\": 2, \"key\": [1, 2]}");
    assertThat(
            store.find(found("{nothing: 1, _id: -1}", "{_id: 0, key: {$meta: 'sortKey'}, a: 1}")))
        .first()
        .asString()
        .endsWith("\"key\": [null, 2]}");
    fails(2, () -> store.find(found("{}", "{key: {$meta: 'sortKey'}}")));
  }

  @Test
  void a_pipeline_shows_the_values_of_its_last_sort() {
    Store store = pairs();

    assertThat(
            store.aggregate(
                "{$sort: {'a.x': -1}}", "{$project: {_id: 1, key: {$meta: 'sortKey'}}}"))
        .containsExactly("{\"_id\": 1, \"key\": [2]}", "{\"_id\": 2, \"key\": [1]}");
    assertThat(
            store.aggregate(
                REGROUPED,
                "{$sort: {_id: -1}}",
                "{$limit: 1}",
                "{$project: {k: {$meta: 'sortKey'}}}"))
        .containsExactly("{\"_id\": 2, \"k\": [2]}");
    fails(40218, () -> store.aggregate("{$project: {key: {$meta: 'sortKey'}}}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"$expr: {$eq: ['$x', 1]}", "$jsonSchema: {}"})
  void only_fields_are_looked_at_where_there_is_no_whole_document(String condition) {
    Store store = new Store().insert("{_id: 1, a: [{x: 1}]}");

    fails(
        224,
        () ->
            store.update(
                UpdateRequest.one(json("{}"), json("{$set: {'a.$[x]': 9}}"))
                    .withArrayFilters(java.util.List.of(json("{" + condition + "}")))));
    fails(224, () -> store.updateOne("{}", "{$pull: {a: {" + condition + "}}}"));
    fails(224, () -> store.index("{a: 1}", "{partialFilterExpression: {" + condition + "}}"));
    assertThat(store.find("{}")).containsExactly("{\"_id\": 1, \"a\": [{\"x\": 1}]}");
  }
}
