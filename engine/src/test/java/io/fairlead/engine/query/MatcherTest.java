// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import static io.fairlead.engine.value.Docs.context;
import static io.fairlead.engine.value.Docs.doc;
import static io.fairlead.engine.value.Docs.fails;
import static io.fairlead.engine.value.Docs.raw;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MatcherTest {
  private static boolean matches(String filter, String document) {
    return Matcher.compile(doc(filter), context()).matches(raw(document));
  }

  @ParameterizedTest(name = "{0} on {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | {a: 1} | true",
        "{a: 1} | {a: 1} | true",
        "{a: 1} | {a: {$numberLong: '1'}} | true",
        "{a: 1} | {a: 1.0} | true",
        "{a: 1} | {a: {$numberDecimal: '1.00'}} | true",
        "{a: 1} | {a: 2} | false",
        "{a: 1} | {a: [3, 1]} | true",
        "{a: 1, b: 3} | {a: 1, b: 2} | false",
        "{a: {$gt: 1}} | {a: 'x'} | false",
        "{a: {$gt: 1}} | {a: [0, 2]} | true",
        "{a: {$gt: 1, $lt: 3}} | {a: [0, 4]} | true",
        "{a: {$elemMatch: {$gt: 1, $lt: 3}}} | {a: [0, 4]} | false",
        "{a: {$elemMatch: {$gt: 1, $lt: 3}}} | {a: [0, 2]} | true",
        "{a: {$ne: 1}} | {a: [1, 2]} | false",
        "{a: {$ne: 1}} | {b: 1} | true",
        "{a: {$not: {$gt: 1}}} | {b: 1} | true",
        "{a: {$in: [1, 2]}} | {a: 2} | true",
        "{a: {$in: [/^x/, 2]}} | {a: 'xy'} | true",
        "{a: {$in: []}} | {a: 2} | false",
        "{a: {$nin: [1]}} | {a: 2} | true",
        "{a: null} | {b: 1} | true",
        "{a: null} | {a: null} | true",
        "{a: null} | {a: {$undefined: true}} | false",
        "{a: {$ne: null}} | {a: 0} | true",
        "{'a.b': null} | {a: 4} | true",
        "{'a.b': null} | {a: []} | false",
        "{'a.b': null} | {a: [1, 2]} | false",
        "{'a.b': null} | {a: [{b: 1}, {c: 1}]} | true",
        "{'a.b': 1} | {a: [{b: 1}]} | true",
        "{'a.b': {$exists: false}} | {a: [1]} | true",
        "{a: {$exists: true}} | {a: null} | true",
        "{a: {$exists: false}} | {a: null} | false",
        "{'a.0': 5} | {a: [5, 6]} | true",
        "{'a.0.b': 5} | {a: [{b: 5}]} | true",
        "{'a.0': 1} | {a: [[1, 2]]} | false",
        "{'a.0': [1, 2]} | {a: [[1, 2]]} | true",
        "{'a.1': 4} | {a: [5, {'1': 4}]} | true",
        "{v: []} | {v: [[]]} | true",
        "{v: {$eq: []}} | {v: [[]]} | true",
        "{'v.0': []} | {v: [[]]} | true",
        "{v: ['p', 'q']} | {v: [['p', 'q']]} | true",
        "{v: ['q', 'p']} | {v: [['p', 'q']]} | false",
        "{'v.k': {$all: [1, 2]}} | {v: [{k: 1}, {k: 2}]} | true",
        "{v: {$in: [{k: 3}]}} | {v: [{k: 1}, {k: 2}]} | false",
        "{l: []} | {l: [1]} | false",
        "{l: [1, 2]} | {l: [{$numberLong: '1'}, 2.0]} | true",
        "{a: {b: 1, c: 2}} | {a: {c: 2, b: 1}} | false",
        "{a: {b: 1, c: 2}} | {a: {b: 1.0, c: 2}} | true",
        "{$or: [{s: 'x'}], n: 1} | {s: 'x', n: 9} | false",
        "{n: 1, $or: [{s: 'x'}]} | {s: 'x', n: 9} | false",
        "{$nor: [{a: 1}, {b: 1}]} | {a: 2} | true",
        "{$and: [{a: 1}, {b: 1}]} | {a: 1, b: 1} | true",
        "{a: {$type: 'number'}} | {a: 1.5} | true",
        "{a: {$type: 'array'}} | {a: [1]} | true",
        "{a: {$type: ['int', 'string']}} | {a: [1]} | true",
        "{a: {$type: 2}} | {a: 'x'} | true",
        "{a: {$type: 10}} | {b: 1} | false",
        "{a: {$size: 2}} | {a: [1, 2]} | true",
        "{a: {$size: 2}} | {a: [[1, 2]]} | false",
        "{a: {$mod: [4, 0]}} | {a: 8.9} | true",
        "{a: {$mod: [4, 1]}} | {a: 'x'} | false",
        "{a: {$mod: [4, -1]}} | {a: -5} | true",
        "{a: /b/} | {a: 'abc'} | true",
        "{a: {$regex: '^B', $options: 'i'}} | {a: 'bcd'} | true",
        "{a: {$regex: '[[:digit:]]+$'}} | {a: 'x12'} | true",
        "{a: {$not: /b/}} | {a: 5} | true",
        "{a: {$all: [[1, 2]]}} | {a: [[1, 2]]} | true",
        "{a: {$all: [{$elemMatch: {x: 1}}, {$elemMatch: {x: 2}}]}} | {a: [{x: 1}, {x: 2}]} | true",
        "{a: {$all: []}} | {a: []} | false",
        "{a: {$elemMatch: {x: 1, y: 2}}} | {a: [{x: 1, y: 1}, {x: 2, y: 2}]} | false",
        "{a: {$elemMatch: {$or: [{x: 1}, {y: 2}]}}} | {a: [{y: 2}]} | true",
        "{a: {$bitsAllSet: 6}} | {a: 7} | true",
        "{a: {$bitsAllSet: [1, 5]}} | {a: 7} | false",
        "{a: {$bitsAnyClear: 8}} | {a: 7} | true",
        "{a: {$bitsAllSet: [63]}} | {a: -1} | true",
        "{$expr: {$gt: ['$a', '$b']}} | {a: 2, b: 1} | true",
        "{$expr: {$eq: ['$a', 1]}, a: 1} | {a: 1} | true",
        "{a: {$gte: null}} | {b: 1} | true",
        "{a: {$gt: null}} | {a: null} | false",
        "{a: {$gt: {$minKey: 1}}} | {a: 3} | true",
        "{a: {$lt: {$maxKey: 1}}} | {a: 'x'} | true",
        "{a: {$lt: 5}} | {a: {$numberDouble: 'NaN'}} | false",
        "{a: {$numberDouble: 'NaN'}} | {a: {$numberDouble: 'NaN'}} | true",
        "{a: 0} | {a: -0.0} | true",
        "{$comment: 'x', a: 1} | {a: 1} | true",
        "{a: {$ref: 'c', $id: 1}} | {a: {$ref: 'c', $id: 1}} | true",
        "{a: {$elemMatch: {$ref: 'c', $id: 1}}} | {a: [{$ref: 'c', $id: 1}]} | true",
        "{a: {$elemMatch: {$ref: 'c', $id: 2}}} | {a: [{$ref: 'c', $id: 1}]} | false",
        "{a: {$elemMatch: {$id: 1}}} | {a: [{$ref: 'c', $id: 1}]} | true",
        "{$and: [{$ref: 'c'}, {$id: 1}]} | {$ref: 'c', $id: 1, b: 2} | true",
        "{$id: {$gt: 0}} | {$ref: 'c', $id: 1} | false",
        "{'k.m.z': {$in: [null, 1]}} | {k: [{m: 's'}]} | true",
        "{'k.m.z': {$in: [null, 1]}} | {k: [{m: {z: null}}]} | true",
        "{'k.m.z': {$nin: [null, 1]}} | {k: [{m: null}]} | false",
      })
  void a_filter_matches_what_mongodb_matches(String filter, String document, boolean expected) {
    assertThat(matches(filter, document)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{a: {$id: 1}} | 2",
        "{a: {$ref: 'c'}} | 2",
        "{a: {$foo: 1}} | 2",
        "{$foo: 1} | 2",
        "{a: {$gt: 1, b: 2}} | 2",
        "{$and: []} | 2",
        "{$or: 5} | 2",
        "{$or: [5]} | 2",
        "{a: {$in: 5}} | 2",
        "{a: {$in: [{$gt: 1}]}} | 2",
        "{a: {$not: {}}} | 2",
        "{a: {$not: 5}} | 2",
        "{a: {$ne: /x/}} | 2",
        "{a: {$gt: /x/}} | 2",
        "{a: {$options: 'i'}} | 2",
        "{a: {$regex: '('}} | 51091",
        "{a: {$regex: 'a', $options: 'g'}} | 51108",
        "{a: {$mod: [0, 1]}} | 2",
        "{a: {$mod: 5}} | 2",
        "{a: {$mod: [1]}} | 2",
        "{a: {$size: 'x'}} | 9",
        "{a: {$size: -1}} | 9",
        "{a: {$type: 'foo'}} | 2",
        "{a: {$type: 0}} | 2",
        "{a: {$type: []}} | 9",
        "{a: {$all: 5}} | 2",
        "{a: {$elemMatch: 5}} | 2",
        "{$where: 'true'} | 2",
        "{$text: 'x'} | 2",
        "{$text: {}} | 9",
        "{$text: {$search: 5}} | 14",
        "{$text: {$search: 'x', $language: 'klingon'}} | 2",
        "{$nor: [{$text: {$search: 'x'}}]} | 2",
        "{a: {$near: 1}} | 2",
        "{a: {$elemMatch: {$expr: true}}} | 2",
        "{$expr: {$foo: 1}} | 168",
        "{$expr: '$$foo'} | 17276",
        "{a: {$bitsAllSet: -1}} | 9",
        "{a: {$bitsAllSet: [-1]}} | 2",
        "{a: {$bitsAnyClear: ['x']}} | 2",
      })
  void a_bad_filter_is_refused_with_mongodbs_code(String filter, int code) {
    fails(code, () -> matches(filter, "{}"));
  }

  @ParameterizedTest(name = "{0} on {1}: element {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{grades: {$gte: 85}} | {grades: [70, 87, 90]} | 1",
        "{$or: [{'a.x': 4}]} | {a: [{x: 2}, {x: 4}]} | 1",
        "{a: {$elemMatch: {x: 4}}} | {a: [{x: 2}, {x: 4}]} | 1",
        "{'a.x': {$ne: 2}, 'b': 1} | {a: [{x: 4}], b: 1} | -1",
        "{a: 1} | {a: 1} | -1",
        "{'a.b.c': 3} | {a: [{b: [{c: 1}]}, {b: [{c: 2}, {c: 3}]}]} | 1",
      })
  void the_positional_element_is_the_first_that_satisfied_the_condition(
      String filter, String document, int index) {
    assertThat(Matcher.compile(doc(filter), context()).arrayIndex(raw(document))).isEqualTo(index);
  }

  @Test
  void equalities_are_found_through_and_eq_and_single_in() {
    Matcher matcher =
        Matcher.compile(
            doc("{a: 1, $and: [{b: {$eq: 2}}, {c: {$in: [3]}}], d: {$gt: 4}, $or: [{e: 5}]}"),
            context());
    assertThat(matcher.equalities()).containsOnlyKeys("a", "b", "c", "e");
  }

  @Test
  void the_predicate_tree_shows_ranges_to_the_planner() {
    Predicate tree =
        Matcher.compile(doc("{a: {$gte: 1, $lt: 9}, b: {$ne: 3}}"), context()).predicate();
    assertThat(tree).isInstanceOf(Predicate.And.class);
    assertThat(((Predicate.And) tree).children()).hasSize(3);
  }

  @Test
  void a_regex_that_runs_away_asks_the_interrupt() {
    var stopped = new io.fairlead.engine.error.EngineException(50, "operation exceeded time limit");
    var context =
        context()
            .withInterrupt(
                () -> {
                  throw stopped;
                });
    Matcher matcher = Matcher.compile(doc("{a: {$regex: '(.*)(.*)(.*)(.*)(.*)[^a]'}}"), context);
    fails(50, () -> matcher.matches(raw("{a: '" + "a".repeat(100) + "'}")));
  }
}
