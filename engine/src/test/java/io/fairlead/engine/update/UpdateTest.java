// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.update;

import static io.fairlead.engine.value.Docs.context;
import static io.fairlead.engine.value.Docs.doc;
import static io.fairlead.engine.value.Docs.docs;
import static io.fairlead.engine.value.Docs.fails;
import static io.fairlead.engine.value.Docs.json;
import static io.fairlead.engine.value.Docs.raw;
import static io.fairlead.engine.value.Docs.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.query.Matcher;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class UpdateTest {
  private static RawBsonDocument apply(
      String update, String filter, String filters, String document) {
    Matcher matcher = Matcher.compile(doc(filter), context());
    return new RawBsonDocument(
        Update.compile(value(update), docs(filters), context())
            .apply(BsonBytes.of(raw(document)), () -> matcher));
  }

  @ParameterizedTest(name = "{0} on {1} gives {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{$set: {b: 1, a: 2}} | {_id: 1} | {_id: 1, a: 2, b: 1}",
        "{$set: {'a.b.c': 1}} | {_id: 1} | {_id: 1, a: {b: {c: 1}}}",
        "{$set: {'a.2': 1}} | {a: [0]} | {a: [0, null, 1]}",
        "{$set: {'a.0.b': 1}} | {a: [{b: 0, c: 2}]} | {a: [{b: 1, c: 2}]}",
        "{$set: {'a.0': 1}} | {} | {a: {'0': 1}}",
        "{$unset: {a: ''}} | {a: 1, b: 2} | {b: 2}",
        "{$unset: {'a.1': ''}} | {a: [1, 2, 3]} | {a: [1, null, 3]}",
        "{$unset: {'a.b': ''}} | {a: 5} | {a: 5}",
        "{$inc: {a: 2}} | {a: 1} | {a: 3}",
        "{$inc: {a: 2}} | {} | {a: 2}",
        "{$inc: {a: {$numberLong: '2'}}} | {a: 1} | {a: {$numberLong: '3'}}",
        "{$inc: {a: 1}} | {a: 2147483647} | {a: {$numberLong: '2147483648'}}",
        "{$inc: {a: 1.5}} | {a: 1} | {a: 2.5}",
        "{$mul: {a: 3}} | {a: 2} | {a: 6}",
        "{$mul: {a: 3.0}} | {} | {a: 0.0}",
        "{$min: {a: 1}} | {a: 2} | {a: 1}",
        "{$max: {a: 1}} | {a: 2} | {a: 2}",
        "{$max: {a: 1}} | {} | {a: 1}",
        "{$min: {a: 'x'}} | {a: 2} | {a: 2}",
        "{$rename: {a: 'c'}} | {a: 1, b: 2} | {b: 2, c: 1}",
        "{$rename: {a: 'b'}} | {a: 1, b: 2} | {b: 1}",
        "{$rename: {'a.b': 'c'}} | {a: {b: 1}} | {a: {}, c: 1}",
        "{$rename: {x: 'c'}} | {a: 1} | {a: 1}",
        "{$bit: {a: {and: 6}}} | {a: 3} | {a: 2}",
        "{$bit: {a: {or: 4, xor: 1}}} | {a: 3} | {a: 6}",
        "{$push: {a: 1}} | {} | {a: [1]}",
        "{$push: {a: [2]}} | {a: [1]} | {a: [1, [2]]}",
        "{$push: {a: {$each: [3, 1], $sort: 1}}} | {a: [2]} | {a: [1, 2, 3]}",
        "{$push: {a: {$each: [9], $position: 1}}} | {a: [1, 2]} | {a: [1, 9, 2]}",
        "{$push: {a: {$each: [9], $position: -1}}} | {a: [1, 2]} | {a: [1, 9, 2]}",
        "{$push: {a: {$each: [3], $slice: -2}}} | {a: [1, 2]} | {a: [2, 3]}",
        "{$push: {a: {$each: [], $slice: 1}}} | {a: [1, 2]} | {a: [1]}",
        "{$push: {a: {$each: [{x: 1}], $sort: {x: -1}}}} | {a: [{x: 0}, {x: 5}]} | {a: [{x: 5}, {x:"
            + " 1}, {x: 0}]}",
        "{$addToSet: {a: 1.0}} | {a: [1]} | {a: [1]}",
        "{$addToSet: {a: {$each: [1, 2, 2]}}} | {a: [1]} | {a: [1, 2]}",
        "{$addToSet: {a: [1]}} | {} | {a: [[1]]}",
        "{$pop: {a: 1}} | {a: [1, 2]} | {a: [1]}",
        "{$pop: {a: -1}} | {a: [1, 2]} | {a: [2]}",
        "{$pull: {a: 1}} | {a: [1, 2, 1]} | {a: [2]}",
        "{$pull: {a: {$gte: 2}}} | {a: [1, 2, 3]} | {a: [1]}",
        "{$pull: {a: {x: 1}}} | {a: [{x: 1, y: 2}, {x: 2}, 5]} | {a: [{x: 2}, 5]}",
        "{$pull: {a: {$in: [1, 2]}}} | {a: [1, 2, 3]} | {a: [3]}",
        "{$pull: {a: /^x/}} | {a: ['xa', 'b']} | {a: ['b']}",
        "{$pullAll: {a: [1, 3]}} | {a: [1, 2, 3, 3]} | {a: [2]}",
        "{$currentDate: {a: true}} | {} | {a: {$date: '2024-05-06T07:08:09.010Z'}}",
        "{$setOnInsert: {b: 1}} | {a: 1} | {a: 1}",
        "{$set: {'a.$[].x': 1}} | {a: [{x: 0}, {}]} | {a: [{x: 1}, {x: 1}]}",
        "{$inc: {'a.$[]': 1}} | {a: [1, 2]} | {a: [2, 3]}",
        "{a: 2} | {_id: 1, a: 1, b: 1} | {_id: 1, a: 2}",
        "{a: 2, _id: 1} | {_id: 1, a: 1} | {_id: 1, a: 2}",
        "[{$set: {b: {$add: ['$a', 1]}}}, {$unset: 'a'}] | {_id: 1, a: 1} | {_id: 1, b: 2}",
        "[{$replaceWith: {x: '$a'}}] | {_id: 1, a: 1} | {_id: 1, x: 1}",
      })
  void an_update_changes_a_document(String update, String before, String after) {
    assertThat(json(apply(update, "{}", "[]", before))).isEqualTo(json(raw(after)));
  }

  @ParameterizedTest(name = "{0} where {1} on {2} gives {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{$set: {'a.$.z': 9}} | {$or: [{'a.x': 4}]} | {a: [{x: 2}, {x: 4}]} | {a: [{x: 2}, {x: 4,"
            + " z: 9}]}",
        "{$set: {'a.$': 100}} | {a: {$gte: 85}} | {a: [70, 87, 90]} | {a: [70, 100, 90]}",
        "{$inc: {'a.$.n': 1}} | {a: {$elemMatch: {k: 2}}} | {a: [{k: 1, n: 0}, {k: 2, n: 0}]} | {a:"
            + " [{k: 1, n: 0}, {k: 2, n: 1}]}",
      })
  void the_positional_operator_means_the_matched_element(
      String update, String filter, String before, String after) {
    assertThat(json(apply(update, filter, "[]", before))).isEqualTo(json(raw(after)));
  }

  @Test
  void array_filters_choose_elements_at_every_level() {
    var result =
        apply(
            "{$set: {'s.$[i].c.$[j].v': 7}}",
            "{}",
            "[{'i.n': 'A'}, {'j.lo': {$gte: 5}, 'j.v': {$lt: 5}}]",
            "{s: [{n: 'A', c: [{lo: 0, v: 1}, {lo: 9, v: 2}]}, {n: 'B', c: [{lo: 9, v: 2}]}]}");
    assertThat(json(result))
        .isEqualTo(
            json(
                raw(
                    "{s: [{n: 'A', c: [{lo: 0, v: 1}, {lo: 9, v: 7}]}, {n: 'B', c: [{lo: 9, v:"
                        + " 2}]}]}")));
  }

  @ParameterizedTest(name = "{0} on {1} fails with {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{$foo: {a: 1}} | {} | 9",
        "{$set: {a: 1}, b: 1} | {} | 9",
        "{a: 1, $set: {b: 1}} | {} | 52",
        "{$set: 5} | {} | 9",
        "{$set: {'': 1}} | {} | 56",
        "{$set: {'a.': 1}} | {} | 56",
        "{$set: {'a.$x': 1}} | {} | 52",
        "{$set: {a: 1, 'a.b': 1}} | {} | 40",
        "{$mul: {y: 2}, $setOnInsert: {y: 1}} | {} | 40",
        "{$set: {a: 1}, $unset: {'a.b': 1}} | {} | 40",
        "{$rename: {a: 'b'}, $set: {b: 1}} | {} | 40",
        "{$set: {_id: 2}} | {_id: 1} | 66",
        "{$unset: {_id: 1}} | {_id: 1} | 66",
        "{_id: 2} | {_id: 1} | 66",
        "{$set: {'a.b': 1}} | {a: 5} | 28",
        "{$set: {'a.b': 1}} | {a: null} | 28",
        "{$set: {'a.b': 1}} | {a: []} | 28",
        "{$inc: {a: 'x'}} | {} | 14",
        "{$inc: {a: 1}} | {a: 'x'} | 14",
        "{$inc: {a: 1}} | {a: null} | 14",
        "{$inc: {a: {$numberLong: '1'}}} | {a: {$numberLong: '9223372036854775807'}} | 2",
        "{$push: {a: 1}} | {a: 5} | 2",
        "{$push: {a: {$each: 5}}} | {} | 2",
        "{$push: {a: {$each: [], $foo: 5}}} | {} | 2",
        "{$addToSet: {a: 1}} | {a: 5} | 2",
        "{$addToSet: {k: {$each: [1], $position: 0}}} | {} | 2",
        "{$addToSet: {a: {$each: 1}}} | {} | 14",
        "{$pop: {a: 2}} | {a: []} | 9",
        "{$pop: {a: 1}} | {a: 5} | 14",
        "{$pull: {a: 1}} | {a: 5} | 2",
        "{$pullAll: {a: 1}} | {a: []} | 2",
        "{$bit: {a: 1}} | {} | 2",
        "{$bit: {a: {not: 1}}} | {} | 2",
        "{$bit: {a: {and: 1}}} | {a: 1.5} | 2",
        "{$rename: {a: 'a'}} | {} | 2",
        "{$rename: {'a.0': 'b'}} | {a: [1]} | 2",
        "{$currentDate: {a: 'x'}} | {} | 2",
        "{$set: {'a.$': 1}} | {a: [1]} | 2",
        "{$set: {'$': 1}} | {} | 2",
        "{$set: {'a.$[]': 1}} | {a: 1} | 2",
        "{$set: {'a.$[].x': 1}} | {} | 2",
        "{$set: {'a.$[i]': 1}} | {a: [1]} | 2",
        "[{$match: {}}] | {} | 72",
        "[{$foo: {}}] | {} | 40324",
        "5 | {} | 9",
      })
  void a_bad_update_is_refused_with_mongodbs_code(String update, String document, int code) {
    fails(code, () -> apply(update, "{}", "[]", document));
  }

  @Test
  void array_filters_that_are_unused_or_malformed_are_refused() {
    fails(9, () -> apply("{$set: {a: 1}}", "{}", "[{'i.x': 1}]", "{}"));
    fails(9, () -> apply("{$set: {'a.$[i]': 1}}", "{}", "[{i: 1}, {i: 2}]", "{}"));
    fails(9, () -> apply("{$set: {'a.$[i]': 1}}", "{}", "[{i: 1, j: 2}]", "{}"));
    fails(2, () -> apply("{$set: {'a.$[I]': 1}}", "{}", "[{I: 1}]", "{}"));
    fails(9, () -> apply("{a: 1}", "{}", "[{i: 1}]", "{}"));
  }

  @ParameterizedTest(name = "{0} on {1} is a no-op")
  @CsvSource(
      delimiter = '|',
      value = {
        "{$set: {a: 1}} | {_id: 1, a: 1}",
        "{$inc: {a: 0}} | {_id: 1, a: 1}",
        "{$unset: {b: 1}} | {_id: 1, a: 1}",
        "{$addToSet: {a: 1}} | {_id: 1, a: [1]}",
        "{$pull: {a: 5}} | {_id: 1, a: [1]}",
        "{$setOnInsert: {z: 5}} | {_id: 1, a: [1]}",
        "{_id: 1, a: 1} | {_id: 1, a: 1}",
        "{$set: {}} | {_id: 1}",
      })
  void an_update_that_changes_nothing_is_not_modified(String update, String document) {
    byte[] before = BsonBytes.of(raw(document));
    Matcher all = Matcher.compile(doc("{}"), context());
    assertThat(Update.compile(value(update), docs("[]"), context()).apply(before, () -> all))
        .isSameAs(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{a: 1}", "{a: 1, _id: 1}"})
  void a_replacement_that_is_not_written_as_the_document_is_counts_as_a_change(String update) {
    byte[] before = BsonBytes.of(raw("{_id: 1, a: 1}"));
    Matcher all = Matcher.compile(doc("{}"), context());
    assertThat(Update.compile(value(update), docs("[]"), context()).apply(before, () -> all))
        .isNotSameAs(before)
        .isEqualTo(before);
  }

  @ParameterizedTest(name = "{0} where {1} inserts {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{$set: {b: 1}} | {_id: 5, a: 2} | {_id: 5, a: 2, b: 1}",
        "{$setOnInsert: {b: 1}, $inc: {n: 1}} | {_id: 5} | {_id: 5, b: 1, n: 1}",
        "{$set: {b: 1}} | {_id: 5, 'a.c': 2, z: {$gt: 5}} | {_id: 5, a: {c: 2}, b: 1}",
        "{x: 1} | {_id: 5, a: 2} | {_id: 5, x: 1}",
        "{x: 1, _id: 6} | {a: 2} | {_id: 6, x: 1}",
        "[{$set: {b: '$a'}}] | {_id: 5, a: 2} | {_id: 5, a: 2, b: 2}",
        "{$set: {b: 1}} | {$and: [{_id: 5}, {a: {$in: [3]}}]} | {_id: 5, a: 3, b: 1}",
      })
  void an_upsert_starts_from_the_filters_equalities(String update, String filter, String document) {
    var inserted =
        Update.compile(value(update), docs("[]"), context())
            .upsert(Matcher.compile(doc(filter), context()));
    assertThat(json(inserted)).isEqualTo(json(raw(document)));
  }

  @Test
  void an_upsert_makes_an_id_when_nobody_gives_one() {
    var inserted =
        Update.compile(value("{$set: {b: 1}}"), docs("[]"), context())
            .upsert(Matcher.compile(doc("{a: 1}"), context()));
    assertThat(inserted.getFirstKey()).isEqualTo("_id");
    assertThat(inserted.isObjectId("_id")).isTrue();
  }

  @Test
  void an_upsert_with_contradictions_is_refused() {
    fails(54, () -> upsert("{$set: {b: 1}}", "{a: 1, $and: [{a: 2}]}"));
    fails(66, () -> upsert("{_id: 2}", "{_id: 1}"));
    fails(66, () -> upsert("{$set: {_id: 2}}", "{_id: 1}"));
    fails(111, () -> upsert("{a: 2}", "{'_id.x': 1}"));
  }

  private static void upsert(String update, String filter) {
    Update.compile(value(update), docs("[]"), context())
        .upsert(Matcher.compile(doc(filter), context()));
  }
}
