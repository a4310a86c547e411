// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TextSearchTest {
  private final Store store = new Store();

  private List<Integer> ids(String filter) {
    return store.find(filter).stream()
        .map(text -> BsonDocument.parse(text).getInt32("_id").getValue())
        .toList();
  }

  private List<Integer> search(String operand) {
    return ids("{$text: {$search: " + operand + "}}");
  }

  private Map<Integer, Double> scores(String words) {
    Map<Integer, Double> scores = new TreeMap<>();
    FindRequest request =
        FindRequest.matching(json("{$text: {$search: '" + words + "'}}"))
            .withProjection(json("{score: {$meta: 'textScore'}}"));
    store
        .find(request)
        .forEach(
            text -> {
              BsonDocument document = BsonDocument.parse(text);
              scores.put(
                  document.getInt32("_id").getValue(), document.getDouble("score").getValue());
            });
    return scores;
  }

  /** The shops of MongoDB's manual, with the scores printed there. */
  @Test
  void scores_are_those_of_the_manual() {
    store.index("{name: 'text', description: 'text'}");
    store.insert(
        "{_id: 1, name: 'Java Hut', description: 'Coffee and cakes'}",
        "{_id: 2, name: 'Burger Buns', description: 'Gourmet hamburgers'}",
        "{_id: 3, name: 'Coffee Shop', description: 'Just coffee'}",
        "{_id: 4, name: 'Clothes Clothes Clothes', description: 'Discount clothing'}",
        "{_id: 5, name: 'Java Shopping', description: 'Indonesian goods'}");
    assertThat(scores("java coffee shop"))
        .isEqualTo(new TreeMap<>(Map.of(1, 1.5, 3, 2.25, 5, 1.5)));
    assertThat(search("'\\\"coffee shop\\\"'")).containsExactly(3);
    assertThat(search("'java shop -coffee'")).containsExactly(5);
    FindRequest sorted =
        FindRequest.matching(json("{$text: {$search: 'java coffee shop'}}"))
            .withSort(json("{score: {$meta: 'textScore'}, _id: -1}"));
    assertThat(store.find(sorted))
        .extracting(text -> BsonDocument.parse(text).getInt32("_id").getValue())
        .containsExactly(3, 5, 1);
    assertThat(store.find(sorted.withLimit(1))).hasSize(1).first().asString().contains("_id\": 3");
    store.check();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "coffee | 1.0", // its stem is shorter than the text
        "Tea | 1.1", // the whole text is the word
        "tea tea | 1.5", // half for the second time
        "tea tea tea | 1.75",
        "tea cake | 0.75",
        "the tea of the house | 0.75", // stop words do not count
        "tea cake bread jam | 0.625"
      })
  void a_word_counts_by_repetition_and_density(String text, double score) {
    store.index("{t: 'text'}");
    store.insert("{_id: 1, t: '" + text + "'}");
    assertThat(scores(text.contains("coffee") ? "coffee" : "tea").get(1)).isEqualTo(score);
  }

  @Test
  void weights_are_whole_numbers_below_a_hundred_thousand() {
    store.index("{a: 'text'}", "{weights: {a: 2.9}}");
    store.insert("{_id: 1, a: 'tea leaves'}");

    assertThat(
            store.find(
                FindRequest.matching(json("{$text: {$search: 'leaves'}}"))
                    .withProjection(json("{_id: 0, s: {$meta: 'textScore'}, a: 1}"))))
        .containsExactly("{\"a\": \"tea leaves\", \"s\": 1.5}");
    for (String weights :
        new String[] {
          "{b: 0}",
          "{b: 0.9}",
          "{b: -1}",
          "{b: 100000}",
          "{b: 'x'}",
          "{'b.': 1}",
          "{$b: 1}",
          "'b'",
          "5"
        }) {
      refused(67, () -> new Store().index("{b: 'text'}", "{weights: " + weights + "}"));
    }
  }

  @Test
  void weights_multiply_and_texts_add_up() {
    store.index("{a: 'text', 'b.c': 'text'}", "{weights: {a: 10, 'b.c': 5}}");
    store.insert("{_id: 1, a: 'tea', b: [{c: 'tea cup'}, {c: 'tea pot'}]}", "{_id: 2, b: 'tea'}");
    assertThat(scores("tea").get(1)).isEqualTo(11 + 5 * 0.75 + 5 * 0.75);
    assertThat(search("'tea'")).containsExactly(1);
  }

  @Test
  void words_are_stemmed_folded_and_freed_of_stop_words() {
    store.index("{t: 'text'}");
    store.insert(
        "{_id: 1, t: 'Running dogs'}", "{_id: 2, t: 'Café con leche'}", "{_id: 3, t: 'the'}");
    assertThat(search("'run'")).containsExactly(1);
    assertThat(search("'DOG'")).containsExactly(1);
    assertThat(search("'cafe'")).containsExactly(2);
    assertThat(search("'the'")).isEmpty();
    assertThat(search("''")).isEmpty();
    assertThat(search("'-dogs'")).isEmpty();
    assertThat(search("'CAFÉ', $diacriticSensitive: true")).containsExactly(2);
    assertThat(search("'cafe', $diacriticSensitive: true")).isEmpty();
    assertThat(search("'Running', $caseSensitive: true")).containsExactly(1);
    assertThat(search("'running', $caseSensitive: true")).isEmpty();
    assertThat(search("'\\\"running dogs\\\" nothing'")).containsExactly(1);
    assertThat(search("'running -\\\"con leche\\\" café'")).containsExactly(1);
  }

  @Test
  void a_document_says_its_language_and_so_does_a_query() {
    store.index("{t: 'text'}", "{default_language: 'spanish'}");
    store.insert(
        "{_id: 1, t: 'los perros corren'}",
        "{_id: 2, t: 'the dogs are running', language: 'english'}",
        "{_id: 3, t: 'laufende Hunde', language: 'none'}");
    assertThat(search("'perro'")).containsExactly(1);
    assertThat(search("'dog', $language: 'en'")).containsExactly(2);
    assertThat(search("'hunde', $language: 'none'")).containsExactly(3);
    assertThat(search("'hund', $language: 'german'")).isEmpty();
    refused(17262, () -> store.insert("{t: 'x', language: 'klingon'}"));
    refused(17261, () -> store.insert("{t: 'x', language: 7}"));
    refused(2, () -> search("'x', $language: 'klingon'"));
  }

  @Test
  void a_wildcard_text_index_has_every_text() {
    store.index("{'$**': 'text'}", "{weights: {title: 3}}");
    store.insert("{_id: 1, title: 'tea', a: {b: ['tea time', {c: 'pot'}]}}", "{_id: 2, n: 7}");
    assertThat(scores("tea").get(1)).isEqualTo(3 * 1.1 + 0.75);
    assertThat(search("'pots'")).containsExactly(1);
  }

  @Test
  void fields_before_the_texts_need_a_value() {
    store.index("{k: 1, t: 'text'}");
    store.insert("{_id: 1, k: 1, t: 'tea'}", "{_id: 2, k: 2, t: 'tea'}");
    assertThat(ids("{k: 2, $text: {$search: 'tea'}}")).containsExactly(2);
    refused(291, () -> search("'tea'"));
    refused(291, () -> ids("{k: {$gt: 1}, $text: {$search: 'tea'}}"));
    FindRequest request = FindRequest.matching(json("{k: 2, $text: {$search: 'tea'}}"));
    assertThat(store.plan(request)).isEqualTo("TEXT_MATCH:k_1_t_text");
    assertThat(store.stats(request).getNumber("totalDocsExamined").intValue()).isEqualTo(1);
  }

  @Test
  void text_is_refused_where_it_cannot_be() {
    store.insert("{_id: 1, t: 'tea'}");
    refused(27, () -> search("'tea'"));
    store.index("{t: 'text'}").index("{a: 1}");
    refused(67, () -> store.index("{u: 'text'}"));
    refused(2, () -> ids("{$nor: [{$text: {$search: 'tea'}}]}"));
    refused(2, () -> ids("{$text: {$search: 'a'}, $and: [{$text: {$search: 'b'}}]}"));
    refused(
        2,
        () ->
            store.find(
                FindRequest.matching(json("{$text: {$search: 'tea'}}"))
                    .withHint(new BsonString("a_1"))));
    refused(
        40218,
        () -> store.find(FindRequest.all().withProjection(json("{s: {$meta: 'textScore'}}"))));
    refused(40218, () -> store.find(FindRequest.all().withSort(json("{s: {$meta: 'textScore'}}"))));
    refused(291, () -> ids("{$or: [{$text: {$search: 'tea'}}, {b: 1}]}"));
    store.insert("{_id: 2, a: 7}");
    assertThat(ids("{$or: [{$text: {$search: 'tea'}}, {a: 7}]}")).containsExactlyInAnyOrder(1, 2);
    refused(17313, () -> store.aggregate("{$limit: 3}", "{$match: {$text: {$search: 'tea'}}}"));
  }

  @Test
  void a_branch_beside_the_text_is_tested_whole() {
    store.index("{t: 'text'}").index("{s: 1}");
    store.insert("{_id: 1, t: 'tea', s: 'B', q: 1}", "{_id: 2, t: 'pot', s: 'A', q: 1}");
    store.insert("{_id: 3, t: 'pot', s: 'A', q: 9}", "{_id: 4, t: 'tea', s: 'A', q: 1}");
    assertThat(ids("{$or: [{$text: {$search: 'tea'}}, {s: 'A', q: {$gt: 5}}]}"))
        .containsExactlyInAnyOrder(1, 3, 4);
    assertThat(ids("{$or: [{s: 'A', q: {$gt: 5}}, {$text: {$search: 'tea'}}]}"))
        .containsExactlyInAnyOrder(1, 3, 4);
  }

  @Test
  void of_two_alternatives_the_one_with_the_text_is_searched() {
    store.index("{t: 'text'}").index("{a: 1}");
    store.insert(
        "{_id: 1, t: 'tea', a: 1}", "{_id: 2, t: 'pot', a: 2}", "{_id: 3, t: 'tea', a: 3}");
    assertThat(ids("{$or: [{a: 1}, {a: 2}], $and: [{$or: [{$text: {$search: 'tea'}}, {a: 9}]}]}"))
        .containsExactly(1);
  }

  @Test
  void a_partial_text_index_answers_only_what_its_filter_covers() {
    store.index("{t: 'text'}", "{partialFilterExpression: {live: true}}");
    store.insert("{_id: 1, t: 'tea', live: true}", "{_id: 2, t: 'tea'}");
    refused(291, () -> search("'tea'"));
    assertThat(ids("{$text: {$search: 'tea'}, live: true}")).containsExactly(1);
  }

  @Test
  void an_index_with_a_collation_beside_it_is_in_nobodys_way() {
    store.index("{cat: 1, t: 'text'}").index("{n: 1}", "{collation: {locale: 'en', strength: 2}}");
    store.insert("{_id: 1, cat: 'x', t: 'tea'}", "{_id: 2, cat: 'y', t: 'tea'}");
    assertThat(ids("{cat: 'x', $text: {$search: 'tea'}}")).containsExactly(1);
  }

  @Test
  void a_pipeline_sees_the_score() {
    store.index("{t: 'text'}");
    store.insert("{_id: 1, t: 'tea cup', v: 1}", "{_id: 2, t: 'tea', v: 2}", "{_id: 3, t: 'pot'}");
    assertThat(
            store.aggregate(
                "{$match: {$text: {$search: 'tea'}}}",
                "{$sort: {s: {$meta: 'textScore'}}}",
                "{$project: {s: {$meta: 'textScore'}}}"))
        .containsExactly("{\"_id\": 2, \"s\": 1.1}", "{\"_id\": 1, \"s\": 0.75}");
    assertThat(
            store.aggregate(
                "{$match: {$text: {$search: 'tea'}}}",
                "{$addFields: {w: 1}}",
                "{$group: {_id: null, all: {$sum: {$meta: 'textScore'}}}}",
                "{$project: {_id: 0, all: {$round: ['$all', 3]}}}"))
        .containsExactly("{\"all\": 1.85}");
    refused(40218, () -> store.aggregate("{$project: {s: {$meta: 'textScore'}}}"));
  }

  @Test
  void what_only_an_index_can_answer_is_refused_where_none_is_read() {
    store.index("{t: 'text'}").insert("{_id: 1, t: 'tea', a: [{t: 'tea'}]}");
    refused(17313, () -> store.aggregate("{$facet: {f: [{$match: {$text: {$search: 'tea'}}}]}}"));
    refused(2, () -> store.updateOne("{}", "{$pull: {a: {$text: {$search: 'tea'}}}}"));
    refused(2, () -> new Store().create("{validator: {$text: {$search: 'tea'}}}"));
    refused(2, () -> new Store().create("{validator: {l: {$near: [0, 0]}}}"));
    assertThat(
            store.aggregate(
                "{$unionWith: {coll: 'c', pipeline: [{$match: {$text: {$search: 'tea'}}}]}}",
                "{$count: 'n'}"))
        .containsExactly("{\"n\": 2}");
    assertThat(
            store.aggregate(
                "{$lookup: {from: 'c', as: 'x', pipeline: [{$match: {$text: {$search: 'pot'}}}]}}",
                "{$project: {_id: 0, n: {$size: '$x'}}}"))
        .containsExactly("{\"n\": 0}");
  }

  @Test
  void the_index_is_listed_as_mongodb_lists_it() {
    store.index("{a: 1, t: 'text', 'u.v': 'text', z: -1}", "{weights: {t: 2}}");
    BsonDocument listed = store.engine.snapshot().indexes(Store.NS).get(1);
    assertThat(listed)
        .isEqualTo(
            json(
                "{v: 2, key: {a: 1, _fts: 'text', _ftsx: 1, z: -1},"
                    + " name: 'a_1_t_text_u.v_text_z_-1', weights: {t: 2, 'u.v': 1},"
                    + " default_language: 'english', language_override: 'language',"
                    + " textIndexVersion: 3}"));
    Store copy = new Store().indexDeclared(listed);
    assertThat(copy.engine.snapshot().indexes(Store.NS).get(1)).isEqualTo(listed);
  }

  private static void refused(int code, ThrowingCallable call) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }
}
