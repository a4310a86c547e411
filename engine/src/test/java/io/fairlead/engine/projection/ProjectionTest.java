// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.projection;

import static io.fairlead.engine.value.Docs.context;
import static io.fairlead.engine.value.Docs.doc;
import static io.fairlead.engine.value.Docs.fails;
import static io.fairlead.engine.value.Docs.json;
import static io.fairlead.engine.value.Docs.raw;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.query.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProjectionTest {
  private static Projection projection(String spec, String filter) {
    return Projection.compile(doc(spec), Matcher.compile(doc(filter), context()), context());
  }

  @ParameterizedTest(name = "{0} where {1} on {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | {} | {_id: 1, a: 2} | {_id: 1, a: 2}",
        "{a: 1} | {} | {_id: 1, a: 2, b: 3} | {_id: 1, a: 2}",
        "{a: true, _id: 0} | {} | {_id: 1, a: 2, b: 3} | {a: 2}",
        "{a: 0} | {} | {_id: 1, a: 2, b: 3} | {_id: 1, b: 3}",
        "{_id: 0} | {} | {_id: 1, a: 2} | {a: 2}",
        "{_id: 1} | {} | {_id: 1, a: 2} | {_id: 1}",
        "{_id: 1, a: 0} | {} | {_id: 1, a: 2, b: 3} | {_id: 1, b: 3}",
        "{'a.b': 1} | {} | {_id: 1, a: [{b: 1, c: 2}, 3], d: 4} | {_id: 1, a: [{b: 1}]}",
        "{a: {b: 1}} | {} | {_id: 1, a: {b: 1, c: 2}} | {_id: 1, a: {b: 1}}",
        "{'a.b': 0} | {} | {_id: 1, a: [{b: 1, c: 2}, 3]} | {_id: 1, a: [{c: 2}, 3]}",
        "{'a.b': {$literal: 9}} | {} | {_id: 1, a: [1, {}, {b: 1, c: 2}, [], [1, {c: 1}]]} | {_id:"
            + " 1, a: [{b: 9}, {b: 9}, {b: 9}, [], [{b: 9}, {b: 9}]]}",
        "{'a.b': 1, 'a.x': '$_id'} | {} | {_id: 1, a: [5, {b: 2}, [6]]} | {_id: 1, a: [{x: 1}, {b:"
            + " 2, x: 1}, [{x: 1}]]}",
        "{'a.b.c': '$_id'} | {} | {_id: 1, a: [1, {b: 2}, {b: [1]}]} | {_id: 1, a: [{b: {c: 1}},"
            + " {b: {c: 1}}, {b: [{c: 1}]}]}",
        "{b: 1, a: 1} | {} | {_id: 1, a: 2, b: 3} | {_id: 1, a: 2, b: 3}",
        "{x: {$add: ['$a', 1]}} | {} | {_id: 1, a: 2} | {_id: 1, x: 3}",
        "{x: '$a', b: 1} | {} | {_id: 1, a: 2, b: 3} | {_id: 1, b: 3, x: 2}",
        "{x: 'text'} | {} | {_id: 1} | {_id: 1, x: 'text'}",
        "{a: {$slice: 2}} | {} | {_id: 1, a: [1, 2, 3], b: 4} | {_id: 1, a: [1, 2], b: 4}",
        "{a: {$slice: -1}} | {} | {_id: 1, a: [1, 2, 3]} | {_id: 1, a: [3]}",
        "{a: {$slice: [1, 1]}} | {} | {_id: 1, a: [1, 2, 3]} | {_id: 1, a: [2]}",
        "{a: {$slice: 1}, b: 1} | {} | {_id: 1, a: [1, 2], b: 4, c: 5} | {_id: 1, a: [1], b: 4}",
        "{a: {$slice: 1}, b: 0} | {} | {_id: 1, a: [1, 2], b: 4, c: 5} | {_id: 1, a: [1], c: 5}",
        "{a: {$elemMatch: {x: {$gt: 1}}}} | {} | {_id: 1, a: [{x: 1}, {x: 2}, {x: 3}], b: 1} |"
            + " {_id: 1, a: [{x: 2}]}",
        "{a: {$elemMatch: {$gt: 1}}} | {} | {_id: 1, a: [1, 2, 3]} | {_id: 1, a: [2]}",
        "{a: {$elemMatch: {x: 9}}} | {} | {_id: 1, a: [{x: 1}]} | {_id: 1}",
        "{'grades.$': 1} | {grades: {$gte: 85}} | {_id: 1, grades: [70, 87, 90]} | {_id: 1, grades:"
            + " [87]}",
        "{'a.$': 1} | {a: {$elemMatch: {x: 2}}} | {_id: 1, a: [{x: 1}, {x: 2}]} | {_id: 1, a: [{x:"
            + " 2}]}",
        "{'a.$': 1, b: 1} | {'a.x': 2} | {_id: 1, a: [{x: 1}, {x: 2}], b: 5} | {_id: 1, a: [{x:"
            + " 2}], b: 5}",
      })
  void a_projection_keeps_what_mongodb_keeps(
      String spec, String filter, String document, String result) {
    assertThat(json(projection(spec, filter).apply(raw(document)))).isEqualTo(json(raw(result)));
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{a: 1, b: 0} | 31254",
        "{a: 0, b: 1} | 31253",
        "{a: 1, 'a.b': 1} | 31249",
        "{'a.b': 1, a: 1} | 31250",
        "{a: 0, x: {$add: [1, 1]}} | 31252",
        "{a: {}} | 51270",
        "{'a.$': 1, 'b.$': 1} | 31276",
        "{'a.$': 0} | 31395",
        "{'a.$.b': 1} | 31394",
        "{'a.b': {$elemMatch: {x: 1}}} | 31275",
        "{a: {$elemMatch: 1}} | 31274",
        "{a: {$foo: 1}} | 168",
        "{a: {$meta: 'nope'}} | 17308",
        "{'a..b': 1} | 15998",
        "{'': 1} | 40352",
      })
  void a_bad_projection_is_refused_with_mongodbs_code(String spec, int code) {
    fails(code, () -> projection(spec, "{a: 1, b: {$exists: false}}").apply(raw("{a: [1]}")));
  }

  @Test
  void the_positional_operator_needs_a_matched_element() {
    fails(31277, () -> projection("{'a.$': 1}", "{b: 1}").apply(raw("{a: [1], b: 1}")));
    fails(51246, () -> projection("{'a.$': 1}", "{a: [1]}").apply(raw("{a: [1]}")));
  }

  @Test
  void dependencies_are_known_for_inclusions_only() {
    assertThat(projection("{a: 1, x: '$b.c'}", "{}").dependencies().orElseThrow())
        .containsExactlyInAnyOrder("_id", "a", "b.c");
    assertThat(projection("{a: 0}", "{}").dependencies()).isEmpty();
  }
}
