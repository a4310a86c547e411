// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Stages that read other collections, on the engine itself. */
final class JoinsTest {
  private final Store store =
      new Store().insert("{_id: 1, a: 1, to: 2}", "{_id: 2, a: 2, to: 3}", "{_id: 3, to: 9}");

  @Test
  void a_correlated_pipeline_sees_its_variables() {
    assertThat(
            store.aggregate(
                "{$lookup: {from: 'c', let: {w: '$to'}, pipeline: [{$match: {$expr: {$eq: ['$_id',"
                    + " '$$w']}}}, {$project: {a: 1}}], as: 'r'}}",
                "{$project: {r: 1}}"))
        .containsExactly(
            "{\"_id\": 1, \"r\": [{\"_id\": 2, \"a\": 2}]}",
            "{\"_id\": 2, \"r\": [{\"_id\": 3}]}",
            "{\"_id\": 3, \"r\": []}");
  }

  @Test
  void a_missing_variable_is_missing_in_the_pipeline() {
    assertThat(
            store.aggregate(
                "{$match: {_id: 3}}",
                "{$lookup: {from: 'c', let: {w: '$a'}, pipeline: [{$match: {$expr: {$eq: ['$nope',"
                    + " '$$w']}}}, {$count: 'n'}], as: 'r'}}",
                "{$project: {r: 1, _id: 0}}"))
        .containsExactly("{\"r\": [{\"n\": 3}]}");
  }

  @Test
  void an_equality_join_with_a_pipeline_runs_the_pipeline_on_the_partners() {
    assertThat(
            store.aggregate(
                "{$match: {_id: 1}}",
                "{$lookup: {from: 'c', localField: 'to', foreignField: '_id', pipeline: [{$project:"
                    + " {_id: 0, a: 1}}], as: 'r'}}",
                "{$project: {r: 1, _id: 0}}"))
        .containsExactly("{\"r\": [{\"a\": 2}]}");
  }

  @Test
  void a_graph_is_followed_and_a_union_appended() {
    assertThat(
            store.aggregate(
                "{$match: {_id: 1}}",
                "{$graphLookup: {from: 'c', startWith: '$to', connectFromField: 'to',"
                    + " connectToField: '_id', as: 'g'}}",
                "{$project: {n: {$size: '$g'}, _id: 0}}",
                "{$unionWith: {coll: 'c', pipeline: [{$match: {_id: 2}}, {$project: {_id: 1}}]}}"))
        .containsExactly("{\"n\": 2}", "{\"_id\": 2}");
  }

  @Test
  void a_join_by_an_index_gives_what_a_join_without_gives() {
    Store some = new Store();
    IntStream.range(0, 50)
        .forEach(
            i ->
                some.insert(
                    "{_id: "
                        + i
                        + ", k: "
                        + (i % 7 == 0 ? "null" : "[" + i % 5 + ", " + i % 3 + "]")
                        + "}"));
    some.insert("{_id: 50}");
    String[] stages = {
      "{$lookup: {from: 'c', localField: 'k', foreignField: 'k', as: 'r'}}",
      "{$project: {r: {$sortArray: {input: '$r._id', sortBy: 1}}}}"
    };
    var without = some.aggregate(stages);
    some.index("{k: 1}");
    assertThat(some.aggregate(stages)).isEqualTo(without);
  }

  @Test
  void many_documents_join_without_an_index_in_reasonable_time() {
    Store large = new Store();
    IntStream.range(0, 2000).forEach(i -> large.insert("{_id: " + i + ", k: " + i % 100 + "}"));
    assertThat(
            large.aggregate(
                "{$lookup: {from: 'c', localField: 'k', foreignField: 'k', as: 'r'}}",
                "{$group: {_id: null, n: {$sum: {$size: '$r'}}}}"))
        .containsExactly("{\"_id\": null, \"n\": 40000}");
  }
}
