// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import static io.fairlead.engine.value.Docs.context;
import static io.fairlead.engine.value.Docs.fails;
import static io.fairlead.engine.value.Docs.json;
import static io.fairlead.engine.value.Docs.raw;
import static io.fairlead.engine.value.Docs.value;
import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What operators let in as their arguments, and which they look at first. */
final class ArgumentsTest {
  private static @Nullable BsonValue evaluate(String expression) {
    return Expression.compile(value(expression), context())
        .evaluate(raw("{a: 1, s: 'b', o: {b: 7}}"));
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // a name that stands there is checked at once, one that is computed when it is known
        "{$getField: {field: true, input: '$o'}} | 5654602",
        "{$getField: {field: {$literal: []}, input: '$o'}} | 5654602",
        "{$getField: {field: '$a', input: '$o'}} | 3041704",
        "{$getField: {field: {x: 1}, input: '$o'}} | 3041704",
        "{$getField: {$add: [1, 1]}} | 3041704",
        // names of fields to set are never computed
        "{$setField: {field: {$concat: ['a', 'b']}, input: '$o', value: 1}} | 4161106",
        "{$unsetField: {field: {x: 1}, input: '$o'}} | 4161106",
        "{$setField: {field: 'a'}} | 4161103",
        "{$unsetField: {field: 'a'}} | 4161109",
        "{$zip: {inputs: ['$a'], defaults: {a: 1}}} | 34462",
        "{$atan2: ['x', 1]} | 51044",
        "{$atan2: [1, 'x']} | 51045",
        "{$log: [{$numberDecimal: '0'}, 10]} | 28758",
        "{$log: [{$numberDecimal: '10'}, {$numberDecimal: '1'}]} | 28759",
        "{$mod: [1, {$numberDecimal: '0'}]} | 5733415",
        "{$mod: [1, 0]} | 16610",
        "{$bitNot: 1.5} | 14",
        "{$bitNot: 'x'} | 28765",
        "{$arrayToObject: [[['a\\u0000b', 1]]]} | 4940400",
        "{$arrayToObject: [[{k: 'a\\u0000b', v: 1}]]} | 4940401",
        "{$regexMatch: {input: 'x', regex: 'x\\u0000'}} | 51109",
        "{$regexMatch: {input: 'x', regex: 'x', options: 'i\\u0000'}} | 51110",
        "{$regexMatch: {input: 'x', regex: /x/i, options: ''}} | 51107",
        "{$regexMatch: {input: 'x', regex: '(*LIMIT_MATCH=1)x'}} | 51111",
        "{$regexMatch: {input: 'x', regex: '^(*UCP)x'}} | 51111",
        "'$$_a' | 9",
        "'$$a b' | 9",
        "'$$Nope' | 17276",
        "{$firstN: 1} | 5787801",
        "{$maxN: 1} | 5787900",
        "{$firstN: {input: [1], n: 1.5}} | 5787903",
        "{$firstN: {input: [1], n: 'x'}} | 5787902",
        "{$percentile: 1} | 7436200",
        "{$median: 1} | 7436201",
        "{$percentile: {input: 1, p: '$a', method: 'approximate'}} | 7750300",
        "{$percentile: {input: 1, p: 0.5, method: 'approximate'}} | 7750301",
        "{$convert: {input: 1.5, to: 'missing'}} | 241",
        "{$convert: {input: 1.5, to: 0}} | 241",
        "{$convert: {input: [1], to: 'array'}} | 241",
        "{$convert: {input: {a: 1}, to: 'object'}} | 241",
      })
  void a_wrong_argument_has_the_code_of_mongodb(String expression, int code) {
    fails(code, () -> evaluate(expression));
  }

  @ParameterizedTest(name = "{0} = {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{$getField: {field: '$s', input: '$o'}} | 7",
        "{$getField: {field: {$literal: 'b'}, input: '$o'}} | 7",
        "{$setField: {field: {$literal: '$x'}, input: {}, value: 1}} | {$setField: {field: {$const:"
            + " '$x'}, input: {}, value: 1}}",
        "{$convert: {input: 1.5, to: 'missing', onError: 'no'}} | 'no'",
        // decimals come out with just so many digits behind the point, or as many as there are
        "{$round: [{$numberDecimal: '1.298'}, 5]} | {$numberDecimal: '1.29800'}",
        "{$trunc: [{$numberDecimal: '1.298'}, 100]} | {$numberDecimal:"
            + " '1.298000000000000000000000000000000'}",
        "{$round: [{$numberDecimal: '0'}, 2]} | {$numberDecimal: '0.00'}",
        "{$trunc: {$numberDecimal: '1E+3'}} | {$numberDecimal: '1000'}",
        "{$round: [{$numberDecimal: '23.298'}, -1]} | {$numberDecimal: '2E+1'}",
        "{$log: [{$numberDecimal: 'NaN'}, 10]} | NaN",
        "{$log: [{$numberDecimal: '10'}, {$numberDecimal: '10'}]} | {$numberDecimal: '1'}",
        "{$log: [{$numberLong: '9223372036854775807'}, 10]} | 18.964889726830812",
        // options at the start of a pattern, and properties by their names
        "{$regexFind: {input: 'é', regex: '(*UTF8)(*UCP)^\\\\w'}} | {match: 'é', idx: 0, captures:"
            + " []}",
        "{$regexMatch: {input: 'é', regex: '^\\\\w'}} | false",
        "{$regexMatch: {input: 'é', regex: '(*UCP)^[[:alpha:]]'}} | true",
        "{$regexMatch: {input: 'né', regex: '^\\\\p{Latin}+$'}} | true",
        "{$regexMatch: {input: 'né', regex: '[\\\\P{Latin}]'}} | false",
        "{$regexMatch: {input: 'né', regex: '\\\\p{^Latin}'}} | false",
        "{$regexMatch: {input: 'ж', regex: '[\\\\p{Cyrillic}x]\\\\p{Greek}?'}} | true",
        "{$regexMatch: {input: 'A', regex: '^\\\\p{Lu}\\\\p{L&}*$'}} | true",
      })
  void an_argument_means_what_it_means_in_mongodb(String expression, String expected) {
    assertThat(shown(evaluate(expression)))
        .isEqualTo(shown(expected.startsWith("{$setField") ? evaluate(expected) : value(expected)));
  }

  private static String shown(@Nullable BsonValue value) {
    return value == null ? "nothing" : json(new BsonDocument("v", value));
  }
}
