// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import static io.fairlead.engine.value.Docs.context;
import static io.fairlead.engine.value.Docs.fails;
import static io.fairlead.engine.value.Docs.json;
import static io.fairlead.engine.value.Docs.raw;
import static io.fairlead.engine.value.Docs.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.value.BsonOrder;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExpressionTest {
  private static final String DOCUMENT =
      "{a: 1, b: 2.5, s: 'abc', n: null, l: [1, 2, 3], o: {x: 1, y: [{z: 1}, {z: 2}, 3]}, d:"
          + " {$date: '2024-05-06T07:08:09.010Z'}, t: {$timestamp: {t: 10, i: 2}}, id: {$oid:"
          + " '507f1f77bcf86cd799439011'}, docs: [{k: 'p', v: 1}, {k: 'q', v: 2}]}";

  private static @Nullable BsonValue evaluate(String expression) {
    return Expression.compile(value(expression), context()).evaluate(raw(DOCUMENT));
  }

  private static String shown(@Nullable BsonValue value) {
    return value == null ? "nothing" : json(new BsonDocument("v", value));
  }

  @ParameterizedTest(name = "{0} = {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'$a' | 1",
        "'$nope' | nothing",
        "'$o.x' | 1",
        "'$o.y.z' | [1, 2]",
        "'$l.x' | []",
        "'$$ROOT.a' | 1",
        "'$$CURRENT.o.x' | 1",
        "'$$REMOVE' | nothing",
        "{$literal: '$a'} | '$a'",
        "{x: '$a', y: '$nope'} | {x: 1}",
        "['$a', '$nope'] | [1, null]",
        "{$add: ['$a', 2]} | 3",
        "{$add: ['$a', '$b']} | 3.5",
        "{$add: [2147483647, 1]} | {$numberLong: '2147483648'}",
        "{$add: ['$d', 1]} | {$date: '2024-05-06T07:08:09.011Z'}",
        "{$add: ['$n', 1]} | null",
        "{$add: []} | 0",
        "{$subtract: ['$d', '$d']} | {$numberLong: '0'}",
        "{$multiply: [2, {$numberDecimal: '1.5'}]} | {$numberDecimal: '3.0'}",
        "{$divide: [7, 2]} | 3.5",
        "{$divide: [4, 2]} | 2.0",
        "{$mod: [7, 4]} | 3",
        "{$mod: [-7, 4]} | -3",
        "{$abs: -5} | 5",
        "{$ceil: 1.2} | 2.0",
        "{$floor: -1.2} | -2.0",
        "{$round: [2.5]} | 2.0",
        "{$round: [1234.567, 2]} | 1234.57",
        "{$round: [1250, -2]} | 1200",
        "{$trunc: [-1.9]} | -1.0",
        "{$sqrt: 16} | 4.0",
        "{$pow: [2, 10]} | 1024",
        "{$pow: [2, 40]} | {$numberLong: '1099511627776'}",
        "{$pow: [2, -1]} | 0.5",
        "{$exp: 0} | 1.0",
        "{$ln: 1} | 0.0",
        "{$log: [8, 2]} | 3.0",
        "{$log10: 100} | 2.0",
        "{$bitAnd: [6, 3]} | 2",
        "{$bitOr: [6, 1]} | 7",
        "{$bitXor: [6, 2]} | 4",
        "{$bitNot: 5} | -6",
        "{$cmp: [1, 2]} | -1",
        "{$eq: [1, 1.0]} | true",
        "{$gt: ['a', 5]} | true",
        "{$lt: ['$nope', null]} | true",
        "{$and: [1, '$nope']} | false",
        "{$and: []} | true",
        "{$or: [0, 'x']} | true",
        "{$not: [0]} | true",
        "{$cond: [true, 1, 2]} | 1",
        "{$cond: {if: '$nope', then: 1, else: 2}} | 2",
        "{$ifNull: ['$n', '$nope', 7]} | 7",
        "{$switch: {branches: [{case: {$eq: ['$a', 1]}, then: 'one'}], default: 'no'}} | 'one'",
        "{$let: {vars: {x: 1, y: 2}, in: {$add: ['$$x', '$$y']}}} | 3",
        "{$let: {vars: {CURRENT: '$o'}, in: '$x'}} | 1",
        "{$map: {input: '$l', as: 'e', in: {$multiply: ['$$e', 2]}}} | [2, 4, 6]",
        "{$map: {input: '$n', in: 1}} | null",
        "{$filter: {input: '$l', cond: {$gte: ['$$this', 2]}}} | [2, 3]",
        "{$filter: {input: '$l', cond: true, limit: 1}} | [1]",
        "{$reduce: {input: '$l', initialValue: 0, in: {$add: ['$$value', '$$this']}}} | 6",
        "{$arrayElemAt: ['$l', -1]} | 3",
        "{$arrayElemAt: ['$l', 9]} | nothing",
        "{$concatArrays: ['$l', [4]]} | [1, 2, 3, 4]",
        "{$first: '$l'} | 1",
        "{$last: '$l'} | 3",
        "{$in: [2, '$l']} | true",
        "{$indexOfArray: ['$l', 3]} | 2",
        "{$isArray: '$l'} | true",
        "{$range: [0, 10, 3]} | [0, 3, 6, 9]",
        "{$range: [3, 0, -1]} | [3, 2, 1]",
        "{$reverseArray: '$l'} | [3, 2, 1]",
        "{$size: '$l'} | 3",
        "{$slice: ['$l', -2]} | [2, 3]",
        "{$slice: ['$l', 1, 1]} | [2]",
        "{$sortArray: {input: [3, 1, 2], sortBy: -1}} | [3, 2, 1]",
        "{$sortArray: {input: '$docs', sortBy: {v: -1}}} | [{k: 'q', v: 2}, {k: 'p', v: 1}]",
        "{$zip: {inputs: [[1, 2], ['a']]}} | [[1, 'a']]",
        "{$zip: {inputs: [[1, 2], ['a']], useLongestLength: true, defaults: [0, 'z']}} | [[1, 'a'],"
            + " [2, 'z']]",
        "{$arrayToObject: '$docs'} | {p: 1, q: 2}",
        "{$arrayToObject: [[['x', 1]]]} | {x: 1}",
        "{$objectToArray: {x: 1}} | [{k: 'x', v: 1}]",
        "{$firstN: {input: '$l', n: 2}} | [1, 2]",
        "{$maxN: {input: '$l', n: 2}} | [3, 2]",
        "{$mergeObjects: [{a: 1, b: 1}, null, {a: 2}]} | {a: 2, b: 1}",
        "{$getField: 'a'} | 1",
        "{$getField: {field: 'x', input: '$o'}} | 1",
        "{$setField: {field: 'q.r', input: {a: 1}, value: 2}} | {a: 1, 'q.r': 2}",
        "{$unsetField: {field: 'a', input: {a: 1, b: 2}}} | {b: 2}",
        "{$bsonSize: {}} | 5",
        "{$binarySize: 'é'} | 2",
        "{$setEquals: [[1, 2], [2, 1, 1]]} | true",
        "{$setIntersection: [[1, 2, 2], [2, 3]]} | [2]",
        "{$setUnion: [[2, 1], [1.0, 3]]} | [1, 2, 3]",
        "{$setDifference: [[1, 2, 1], [2]]} | [1]",
        "{$setIsSubset: [[1], [1, 2]]} | true",
        "{$allElementsTrue: [[1, true]]} | true",
        "{$anyElementTrue: [[0, false]]} | false",
        "{$concat: ['$s', 'd']} | 'abcd'",
        "{$concat: ['$s', '$n']} | null",
        "{$toUpper: '$s'} | 'ABC'",
        "{$toLower: 'ÀB'} | 'Àb'",
        "{$strcasecmp: ['a', 'B']} | -1",
        "{$strLenBytes: 'é'} | 2",
        "{$strLenCP: 'é'} | 1",
        "{$substrBytes: ['$s', 1, -1]} | 'bc'",
        "{$substrCP: ['hété', 1, 2]} | 'ét'",
        "{$indexOfBytes: ['$s', 'c']} | 2",
        "{$indexOfCP: ['été', 't']} | 1",
        "{$split: ['a-b-', '-']} | ['a', 'b', '']",
        "{$trim: {input: '  x '}} | 'x'",
        "{$ltrim: {input: 'xxy', chars: 'x'}} | 'y'",
        "{$rtrim: {input: 'y  '}} | 'y'",
        "{$replaceOne: {input: 'aa', find: 'a', replacement: 'b'}} | 'ba'",
        "{$replaceAll: {input: 'aa', find: 'a', replacement: 'b'}} | 'bb'",
        "{$regexMatch: {input: '$s', regex: /B/i}} | true",
        "{$regexFind: {input: 'éab', regex: '(a)(x)?'}} | {match: 'a', idx: 1, captures: ['a',"
            + " null]}",
        "{$regexFindAll: {input: 'aba', regex: 'a'}} | [{match: 'a', idx: 0, captures: []}, {match:"
            + " 'a', idx: 2, captures: []}]",
        "{$type: '$nope'} | 'missing'",
        "{$type: '$b'} | 'double'",
        "{$isNumber: '$b'} | true",
        "{$toInt: '12'} | 12",
        "{$toInt: 3.9} | 3",
        "{$toLong: true} | {$numberLong: '1'}",
        "{$toDouble: '1.5'} | 1.5",
        "{$toDecimal: 1} | {$numberDecimal: '1'}",
        "{$toString: 1.5} | '1.5'",
        "{$toString: 2.0} | '2'",
        "{$toString: '$id'} | '507f1f77bcf86cd799439011'",
        "{$toString: '$d'} | '2024-05-06T07:08:09.010Z'",
        "{$toBool: 'x'} | true",
        "{$toDate: '2024-05-06'} | {$date: '2024-05-06T00:00:00Z'}",
        "{$toObjectId: '507f1f77bcf86cd799439011'} | {$oid: '507f1f77bcf86cd799439011'}",
        "{$convert: {input: 'x', to: 'int', onError: -1}} | -1",
        "{$convert: {input: null, to: 'int', onNull: 0}} | 0",
        "{$year: '$d'} | 2024",
        "{$month: '$d'} | 5",
        "{$dayOfMonth: '$d'} | 6",
        "{$dayOfWeek: '$d'} | 2",
        "{$dayOfYear: '$d'} | 127",
        "{$hour: {date: '$d', timezone: '+02:00'}} | 9",
        "{$hour: {date: '$d', timezone: 'America/New_York'}} | 3",
        "{$week: '$d'} | 18",
        "{$isoWeek: '$d'} | 19",
        "{$millisecond: '$d'} | 10",
        "{$dateToString: {date: '$d', format: '%Y-%m-%d %H:%M %z'}} | '2024-05-06 07:08 +0000'",
        "{$dateToString: {date: '$d'}} | '2024-05-06T07:08:09.010Z'",
        "{$dateFromString: {dateString: '2024-05-06T07:08:09Z'}} | {$date: '2024-05-06T07:08:09Z'}",
        "{$dateFromString: {dateString: '06/05/2024', format: '%d/%m/%Y'}} | {$date:"
            + " '2024-05-06T00:00:00Z'}",
        "{$dateFromString: {dateString: 'x', onError: 'bad'}} | 'bad'",
        "{$dateFromParts: {year: 2024, month: 14, day: 1}} | {$date: '2025-02-01T00:00:00Z'}",
        "{$dateToParts: {date: '$d'}} | {year: 2024, month: 5, day: 6, hour: 7, minute: 8, second:"
            + " 9, millisecond: 10}",
        "{$dateAdd: {startDate: '$d', unit: 'month', amount: 1}} | {$date:"
            + " '2024-06-06T07:08:09.010Z'}",
        "{$dateSubtract: {startDate: '$d', unit: 'day', amount: 6}} | {$date:"
            + " '2024-04-30T07:08:09.010Z'}",
        "{$dateDiff: {startDate: {$toDate: '2023-12-31'}, endDate: '$d', unit: 'year'}} |"
            + " {$numberLong: '1'}",
        "{$dateDiff: {startDate: {$toDate: '2024-05-04'}, endDate: '$d', unit: 'week'}} |"
            + " {$numberLong: '1'}",
        "{$dateTrunc: {date: '$d', unit: 'month'}} | {$date: '2024-05-01T00:00:00Z'}",
        "{$dateTrunc: {date: '$d', unit: 'hour', binSize: 6}} | {$date: '2024-05-06T06:00:00Z'}",
        "{$dateTrunc: {date: '$d', unit: 'week', startOfWeek: 'monday'}} | {$date:"
            + " '2024-05-06T00:00:00Z'}",
        "{$tsSecond: '$t'} | {$numberLong: '10'}",
        "{$tsIncrement: '$t'} | {$numberLong: '2'}",
        "{$sin: 0} | 0.0",
        "{$degreesToRadians: 180} | 3.141592653589793",
        "{$atan2: [0, 1]} | 0.0",
        "{$sum: '$l'} | 6",
        "{$sum: ['$a', 'x', 2]} | 3",
        "{$avg: '$l'} | 2.0",
        "{$min: ['$l', 9]} | 9",
        "{$max: '$l'} | 3",
        "{$stdDevPop: [1, 3]} | 1.0",
        "{$median: {input: '$l', method: 'approximate'}} | 2.0",
        "{$percentile: {input: '$l', p: [0.5, 1], method: 'approximate'}} | [2.0, 3.0]",
      })
  void an_expression_gives_what_mongodb_gives(String expression, String expected) {
    BsonValue wanted = expected.equals("nothing") ? null : value(expected);
    assertThat(shown(evaluate(expression))).isEqualTo(shown(wanted));
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{$foo: 1} | 168",
        "{$add: 1, $subtract: 2} | 15983",
        "{$abs: [1, 2]} | 16020",
        "{$abs: 'x'} | 28765",
        "{$add: ['$s', 1]} | 14",
        "{$subtract: ['$s', 1]} | 14",
        "{$add: ['$d', '$d']} | 16612",
        "{$divide: [1, 0]} | 2",
        "{$mod: [1, 0]} | 16610",
        "{$sqrt: -1} | 28714",
        "{$pow: [0, -1]} | 28764",
        "'$' | 16872",
        "'$$nope' | 17276",
        "'$a..b' | 15998",
        "'$a.$b' | 16410",
        "{'a.b': 1} | 16412",
        "{$cond: {if: 1}} | 17081",
        "{$switch: {branches: []}} | 40068",
        "{$switch: {branches: [{case: false, then: 1}]}} | 40066",
        "{$let: {vars: {'1x': 1}, in: 1}} | 9",
        "{$map: {input: '$a', in: 1}} | 16883",
        "{$filter: {input: '$a', cond: 1}} | 28651",
        "{$reduce: {input: '$a', initialValue: 0, in: 1}} | 40080",
        "{$in: [1, '$a']} | 40081",
        "{$size: '$a'} | 17124",
        "{$arrayElemAt: ['$a', 0]} | 28689",
        "{$range: [0, 1, 0]} | 34449",
        "{$concat: ['$a']} | 16702",
        "{$substrCP: ['x', -1, 1]} | 34455",
        "{$split: ['a', '']} | 40087",
        "{$toInt: 'x'} | 241",
        "{$toInt: {$numberLong: '99999999999'}} | 241",
        "{$toObjectId: 'x'} | 241",
        "{$toDate: 'x'} | 241",
        "{$toInt: '$o'} | 241",
        "{$convert: {input: 1}} | 9",
        "{$year: '$s'} | 16006",
        "{$hour: {date: '$d', timezone: 'Nowhere/X'}} | 40485",
        "{$dateToString: {date: '$d', format: '%Q'}} | 18536",
        "{$dateAdd: {startDate: '$d', unit: 'eon', amount: 1}} | 9",
        "{$acos: 2} | 50989",
        "{$regexMatch: {input: 5, regex: 'a'}} | 51104",
        "{$function: {body: '', args: [], lang: 'js'}} | 2",
        "{$meta: 'nonsense'} | 17308",
        "{$mergeObjects: [1]} | 40400",
        "{$setUnion: [1]} | 17043",
        "'$$CLUSTER_TIME' | 51144",
      })
  void a_bad_expression_is_refused_with_mongodbs_code(String expression, int code) {
    fails(code, () -> evaluate(expression));
  }

  @ParameterizedTest(name = "{0} is deterministic")
  @CsvSource({"$$NOW"})
  void now_is_one_value_for_the_operation(String variable) {
    Expression expression = Expression.compile(new BsonString(variable), context());
    assertThat(BsonOrder.SIMPLE.equal(expression.evaluate(raw("{}")), context().now())).isTrue();
  }
}
