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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What updates do at the borders of paths, positions, filters and types. */
final class UpdateEdgesTest {
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
        "{$pull: {a: {$or: [{x: 1}, {x: 2}]}}} | {a: [{x: 1}, {x: 3}, 5]} | {a: [{x: 3}, 5]}",
        "{$pull: {a: {$not: {$gt: 1}}}} | {a: [1, 2]} | {a: [2]}",
        "{$pull: {a: {}}} | {a: [{x: 1}, {}, 5]} | {a: [5]}",
        "{$pull: {a: [1, 2]}} | {a: [[1, 2], 1]} | {a: [1]}",
        "{$pull: {a: {x: 1, y: 2}}} | {a: [{y: 2, x: 1, z: 3}, {x: 1}]} | {a: [{x: 1}]}",
        "{$pullAll: {a: [{x: 1}]}} | {a: [{x: 1}, {x: 1, y: 1}]} | {a: [{x: 1, y: 1}]}",
        "{$push: {a: {$each: [1, 2], $position: -99}}} | {a: [5]} | {a: [1, 2, 5]}",
        "{$push: {a: {$each: [1, 2], $slice: 0}}} | {a: [5]} | {a: []}",
        "{$push: {a: {$slice: 1}}} | {a: [5]} | {a: [5, {$slice: 1}]}",
        "{$addToSet: {a: {x: 1, y: 1}}} | {a: [{y: 1, x: 1}]} | {a: [{y: 1, x: 1}, {x: 1, y: 1}]}",
        "{$addToSet: {a: {$each: [1, 1.0, 2]}}} | {a: [2]} | {a: [2, 1]}",
        "{$rename: {a: 'b.c'}} | {a: 1, b: {d: 1}} | {b: {d: 1, c: 1}}",
        "{$set: {z: 1, y: 2, '10': 3, '9': 4}} | {_id: 1} | {_id: 1, '9': 4, '10': 3, y: 2, z: 1}",
        "{$set: {a: {b: {$c: 1}}}} | {} | {a: {b: {$c: 1}}}",
        "{$set: {a: {'x.y': 1}}} | {} | {a: {'x.y': 1}}",
        "{$set: {'a.$[].b': 1, 'a.0.c': 2}} | {a: [{b: 0}, {}]} | {a: [{b: 1, c: 2}, {b: 1}]}",
        "{$unset: {'a.5': 1}} | {a: [1]} | {a: [1]}",
        "{$min: {a: {$minKey: 1}}} | {a: 1} | {a: {$minKey: 1}}",
        "{$bit: {a: {and: 5}}} | {} | {a: 0}",
        "[{$unset: '_id'}] | {_id: 1, a: 1} | {_id: 1, a: 1}",
        "[] | {_id: 1, a: 1} | {_id: 1, a: 1}",
        "{x: {$y: 1}, 'p.q': 2} | {_id: 1} | {_id: 1, x: {$y: 1}, 'p.q': 2}",
      })
  void an_update_changes_a_document(String update, String before, String after) {
    assertThat(json(apply(update, "{}", "[]", before))).isEqualTo(json(raw(after)));
  }

  @ParameterizedTest(name = "{0} with {1} on {2} gives {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{$set: {'a.$[i]': 1}} | [{i: {$gt: 4}}] | {a: [1, 5, 9]} | {a: [1, 1, 1]}",
        "{$set: {'a.$[i]': 0}} | [{$or: [{i: 1}, {i: 9}]}] | {a: [1, 5, 9]} | {a: [0, 5, 0]}",
        "{$set: {'a.$[i].b.$[j]': 0}} | [{'i.x': 1}, {j: 2}] | {a: [{x: 1, b: [1, 2]}, {x: 2, b:"
            + " [2]}]} | {a: [{x: 1, b: [1, 0]}, {x: 2, b: [2]}]}",
        "{$push: {'a.$[i].b': 1}} | [{'i.x': 1}] | {a: [{x: 1}, {x: 2}]} | {a: [{x: 1, b: [1]}, {x:"
            + " 2}]}",
      })
  void array_filters_choose_elements(String update, String filters, String before, String after) {
    assertThat(json(apply(update, "{}", filters, before))).isEqualTo(json(raw(after)));
  }

  @ParameterizedTest(name = "{0} with {1} on {2} fails with {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{$set: {'a.$[i]': 1}} | [{$and: [{i: 1}, {j: 9}]}] | {a: [1]} | 9",
        "{$set: {'a.$[i]': 1}} | [{}] | {a: [1]} | 9",
        "{$set: {'a.$[i]': 1}} | [{$expr: {$eq: ['$i', 1]}}] | {a: [1]} | 224",
        "{$set: {'a.$[i]': 1, 'a.$[j]': 2}} | [{i: 1}, {j: 1}] | {a: [1, 2]} | 40",
        "{$set: {'a.$[i].b': 1}} | [{'i.c': 1}] | {a: 5} | 2",
        "{$set: {'a.$[].b': 1, 'a.0.b': 2}} | [] | {a: [{}, {}]} | 40",
        "{$set: {'a.$.$': 1}} | [] | {a: [1]} | 2",
        "{$set: {'a.b.c': 1}} | [] | {a: {b: 5}} | 28",
        "{$pop: {'a.b': 1}} | [] | {a: 5} | 28",
        "{$set: {'a.b': 1}} | [] | {a: [{b: 1}]} | 28",
        "{$set: {'a.01': 1}} | [] | {a: [1]} | 28",
        "{$set: {'a.1500005': 1}} | [] | {a: []} | 34",
        "{$set: {'a..b': 1}} | [] | {} | 56",
        "{$set: {$c: 1}} | [] | {} | 52",
        "{$set: {'a.$c': 1}} | [] | {} | 52",
        "{$rename: {a: 'b.c'}} | [] | {a: 1, b: 5} | 28",
        "{$rename: {a: 'a.c'}} | [] | {a: {b: 1}} | 2",
        "{$rename: {_id: 'x'}} | [] | {_id: 1} | 66",
        "{$set: {'_id.x': 2}} | [] | {_id: {x: 1}} | 66",
        "{$push: {a: {$each: [1], $sort: {'x.': 1}}}} | [] | {a: [5]} | 2",
        "{$push: {a: {$each: [1], $sort: {}}}} | [] | {a: [5]} | 2",
        "{$push: {a: {$each: [1], $slice: 1.5}}} | [] | {a: [5]} | 2",
        "{$push: {a: {$each: [1], $position: 'x'}}} | [] | {a: [5]} | 2",
        "{$pull: {a: {$foo: 1}}} | [] | {a: [1]} | 2",
        "{$mul: {a: {$numberLong: '9223372036854775807'}}} | [] | {a: {$numberLong: '2'}} | 2",
        "{$currentDate: {a: 1}} | [] | {} | 2",
        "[{$set: {_id: 2}}] | [] | {_id: 1} | 66",
        "[{$replaceWith: 5}] | [] | {_id: 1} | 40228",
        "[{$group: {_id: 1}}] | [] | {_id: 1} | 72",
        "{x: 1, $set: {y: 1}} | [] | {_id: 1} | 52",
      })
  void what_cannot_be_done_fails_with_mongodbs_code(
      String update, String filters, String document, int code) {
    fails(code, () -> apply(update, "{}", filters, document));
  }
}
