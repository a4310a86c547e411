// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pipelines that only count give what they give when every document is read. */
final class CountedTest {
  private static final String GROUP = "{$group: {_id: 1, n: {$sum: 1}}}";

  private final Store store = new Store();

  @BeforeEach
  void fill() {
    store.index("{n: 1}").index("{tags: 1}");
    for (int i = 0; i < 40; i++) {
      store.insert("{_id: " + i + ", n: " + i % 20 + ", tags: [" + i % 3 + ", " + i % 5 + "]}");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{$match: {}}",
        "{$match: {n: {$gte: 3, $lt: 9}}}",
        "{$match: {$and: [{n: {$gte: 3}}, {n: {$lt: 9}}]}}",
        "{$match: {tags: {$gte: 2}}}",
        "{$match: {n: {$in: [1, 2, 77]}, _id: {$gt: 10}}}",
        "{$match: {n: 1000}}",
        "{$sort: {n: 1}}",
        "{$skip: 13}",
        "{$limit: 7}",
      })
  void the_number_is_that_of_the_documents(String stage) {
    int documents = store.aggregate(stage).size();
    String counted = documents == 0 ? "" : "{\"_id\": 1, \"n\": " + documents + "}";
    assertThat(String.join("", store.aggregate(stage, GROUP))).isEqualTo(counted);
    assertThat(String.join("", store.aggregate(stage, "{$count: 'n'}")))
        .isEqualTo(documents == 0 ? "" : "{\"n\": " + documents + "}");
  }

  @Test
  void skip_and_limit_take_their_part_before_the_count() {
    assertThat(store.aggregate("{$match: {n: {$lt: 10}}}", "{$skip: 5}", "{$limit: 100}", GROUP))
        .containsExactly("{\"_id\": 1, \"n\": 15}");
  }

  @Test
  void stages_behind_the_count_go_on_with_it() {
    assertThat(
            store.aggregate(
                "{$match: {n: 3}}", "{$count: 'n'}", "{$set: {twice: {$add: ['$n', '$n']}}}"))
        .containsExactly("{\"n\": 2, \"twice\": 4}");
  }

  @Test
  void other_groups_are_not_counts() {
    assertThat(store.aggregate("{$match: {n: 3}}", "{$group: {_id: '$n', n: {$sum: 1}}}"))
        .containsExactly("{\"_id\": 3, \"n\": 2}");
    assertThat(store.aggregate("{$match: {n: 3}}", "{$group: {_id: null, n: {$sum: 2}}}"))
        .containsExactly("{\"_id\": null, \"n\": 4}");
    assertThat(store.aggregate("{$match: {n: 3}}", "{$group: {_id: null, n: {$sum: '$n'}}}"))
        .containsExactly("{\"_id\": null, \"n\": 6}");
  }
}
