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

/** What each family of expressions does at its borders: null, missing, wrong types, limits. */
final class ExpressionEdgesTest {
  private static final String DOCUMENT =
      "{a: 1, s: 'abc', n: null, l: [1, 2, 3], o: {x: 1}, d: {$date: '2024-05-06T07:08:09.010Z'},"
          + " bin: {$binary: {base64: 'AQID', subType: '00'}}, id: {$oid:"
          + " '507f1f77bcf86cd799439011'}}";

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
        // sums widen by the first type that needs it
        "{$add: [0.1, {$numberDecimal: '0.1'}]} | {$numberDecimal:"
            + " '0.2000000000000000055511151231257827'}",
        "{$add: [{$numberDecimal: '0.1'}, 0.1]} | {$numberDecimal: '0.200000000000000'}",
        "{$add: [{$numberLong: '9223372036854775807'}, 1]} | 9.223372036854776E+18",
        "{$add: ['$d', 1.5]} | {$date: '2024-05-06T07:08:09.012Z'}",
        "{$dateFromParts: {year: 1970, millisecond: 100000000000000}} | {$date: {$numberLong:"
            + " '100000000000000'}}",
        // clocks go back: the later of two in the east, the earlier in the west
        "{$dateFromParts: {year: 2017, month: 10, day: 29, hour: 2, minute: 30, timezone:"
            + " 'Europe/Berlin'}} | {$date: '2017-10-29T01:30:00Z'}",
        "{$dateFromParts: {year: 2017, month: 11, day: 5, hour: 1, minute: 30, timezone:"
            + " 'America/New_York'}} | {$date: '2017-11-05T05:30:00Z'}",
        // clocks go forward
        "{$dateFromParts: {year: 2017, month: 3, day: 26, hour: 2, minute: 30, timezone:"
            + " 'Europe/Berlin'}} | {$date: '2017-03-26T01:30:00Z'}",
        "{$dateFromString: {dateString: '2017-10-29 02:30', timezone: 'Europe/Berlin'}} | {$date:"
            + " '2017-10-29T01:30:00Z'}",
        "{$add: [{$date: {$numberLong: '-10'}}, 1.5]} | {$date: {$numberLong: '-9'}}",
        "{$add: [{$date: {$numberLong: '10'}}, -1.5]} | {$date: {$numberLong: '9'}}",
        "{$add: [{$date: {$numberLong: '10'}}, {$numberDecimal: '2.5'}]} | {$date: {$numberLong:"
            + " '12'}}",
        "{$subtract: [{$date: {$numberLong: '5'}}, 1.6]} | {$date: {$numberLong: '4'}}",
        "{$subtract: [{$date: {$numberLong: '5'}}, -1.6]} | {$date: {$numberLong: '6'}}",
        "{$multiply: [{$numberLong: '9223372036854775807'}, 2]} | 1.8446744073709552E+19",
        "{$subtract: [{$numberInt: '-2147483648'}, 1]} | {$numberLong: '-2147483649'}",
        "{$abs: {$numberInt: '-2147483648'}} | {$numberLong: '2147483648'}",
        // powers stay whole while they fit
        "{$pow: [-1, {$numberLong: '9223372036854775807'}]} | {$numberLong: '-1'}",
        "{$pow: [-2, 63]} | {$numberLong: '-9223372036854775808'}",
        "{$pow: [2, 63]} | 9.223372036854776E+18",
        "{$pow: [2, -2]} | 0.25",
        "{$pow: [0, 0]} | 1",
        "{$pow: [{$numberDecimal: '-8'}, {$numberDecimal: '0.5'}]} | {$numberDecimal: 'NaN'}",
        // halves are rounded to even
        "{$round: [2.5]} | 2.0",
        "{$round: [3.5]} | 4.0",
        "{$round: [-2.5]} | -2.0",
        "{$round: [15, -1]} | 20",
        "{$round: [5, -1]} | 0",
        "{$round: [{$numberInt: '2147483647'}, -1]} | {$numberLong: '2147483650'}",
        "{$round: [{$numberDecimal: '2.5'}]} | {$numberDecimal: '2'}",
        "{$trunc: [-2.89, 1]} | -2.8",
        "{$trunc: [1299, -2]} | 1200",
        "{$round: ['$n', 'x']} | null",
        "{$mod: [{$numberLong: '-9223372036854775808'}, -1]} | {$numberLong: '0'}",
        // whoever asks of null gets null; the missing is null too
        "{$add: ['$a', '$nope']} | null",
        "{$arrayElemAt: ['$n', 1]} | null",
        "{$concatArrays: ['$l', null]} | null",
        "{$slice: ['$l', null]} | null",
        "{$split: ['abc', '$n']} | null",
        "{$trim: {input: 'x', chars: null}} | null",
        "{$replaceOne: {input: 'a', find: null, replacement: 'b'}} | null",
        "{$toUpper: '$nope'} | ''",
        "{$substrCP: ['$n', 0, 1]} | ''",
        "{$regexMatch: {input: null, regex: 'a'}} | false",
        "{$regexFindAll: {input: null, regex: 'a'}} | []",
        "{$dateToString: {date: null, timezone: null, onNull: 'N'}} | 'N'",
        "{$dateDiff: {startDate: '$n', endDate: '$a', unit: '$s', timezone: '$s'}} | null",
        "{$dateDiff: {startDate: '$d', endDate: '$d', unit: 'hour', startOfWeek: '$a'}} |"
            + " {$numberLong: '0'}",
        "{$dateAdd: {startDate: '$n', unit: '$s', amount: '$s', timezone: '$s'}} | null",
        "{$dateTrunc: {date: '$nope', unit: '$s', binSize: '$s', timezone: '$a'}} | null",
        "{$dateToString: {date: '$d', onNull: {$divide: ['$a', 0]}}} |"
            + " '2024-05-06T07:08:09.010Z'",
        "{$dateTrunc: {date: '$d', unit: 'day', startOfWeek: null}} | {$date:"
            + " '2024-05-06T00:00:00Z'}",
        "{$dateTrunc: {date: '$d', unit: 'week', startOfWeek: null}} | null",
        "{$setField: {field: 'a', input: null, value: 1}} | null",
        "{$mergeObjects: null} | {}",
        "{$getField: {field: 'x', input: 1}} | nothing",
        "{$first: [[]]} | nothing",
        // texts count code points or bytes
        "{$substrCP: ['a😀b', 1, 1]} | '😀'",
        "{$substrBytes: ['abc', 5, 1]} | ''",
        "{$indexOfCP: ['été', 'é', 1]} | 2",
        "{$replaceAll: {input: 'abc', find: '', replacement: 'X'}} | 'XaXbXcX'",
        "{$regexFindAll: {input: 'ba', regex: 'a*'}} | [{match: '', idx: 0, captures: []}, {match:"
            + " 'a', idx: 1, captures: []}]",
        "{$regexFindAll: {input: '', regex: ''}} | [{match: '', idx: 0, captures: []}]",
        // arrays
        "{$range: [10, 0, -3]} | [10, 7, 4, 1]",
        "{$range: [2147483640, 2147483647, 3]} | [2147483640, 2147483643, 2147483646]",
        "{$indexOfArray: ['$l', 3, 10]} | -1",
        "{$minN: {input: [3, null, 1], n: 2}} | [1, 3]",
        "{$sortArray: {input: [1, 'a', null, {x: 1}, [1], true], sortBy: 1}} | [null, 1, 'a', {x:"
            + " 1}, [1], true]",
        "{$zip: {inputs: [[1, 2], [3]], useLongestLength: true}} | [[1, 3], [2, null]]",
        "{$arrayToObject: [[{k: 'a', v: 1}, {k: 'a', v: 2}]]} | {a: 2}",
        // conversions
        "{$toInt: '+5'} | 5",
        "{$toInt: -2147483648.9} | -2147483648",
        "{$toBool: 'false'} | true",
        "{$toDecimal: 0.1} | {$numberDecimal: '0.100000000000000'}",
        "{$toString: 1e20} | '1e+20'",
        "{$toString: 123456789.125} | '123456789.125'",
        "{$toString: 12345678.5} | '12345678.5'",
        "{$toString: 0.0001} | '0.0001'",
        "{$toString: -0.00001} | '-1e-05'",
        "{$toString: 1234567890123456.0} | '1234567890123456'",
        "{$toString: 1.25e16} | '1.25e+16'",
        "{$toString: '$bin'} | 'AQID'",
        "{$toDate: '$id'} | {$date: '2012-10-17T21:13:27Z'}",
        "{$convert: {input: null, to: null, onNull: 'N'}} | 'N'",
        "{$convert: {input: 1, to: null}} | null",
        "{$convert: {input: '$bin', to: 'string', format: 'auto'}} | 'AQID'",
        "{$convert: {input: '$bin', to: 'string', format: 'hex'}} | '010203'",
        "{$convert: {input: 'aGk=', to: 'binData', format: 'base64'}} | {$binary: {base64: 'aGk=',"
            + " subType: '00'}}",
        "{$convert: {input: 'hi', to: {type: 'binData', subtype: 128}, format: 'utf8'}} | {$binary:"
            + " {base64: 'aGk=', subType: '80'}}",
        "{$convert: {input: '00112233-4455-6677-8899-aabbccddeeff', to: {type: 'binData', subtype:"
            + " 4}, format: 'uuid'}} | {$uuid: '00112233-4455-6677-8899-aabbccddeeff'}",
        "{$convert: {input: '$bin', to: {type: 'binData', subtype: 5}, onError: 'E'}} | 'E'",
        // dates
        "{$dateFromParts: {year: 2017, month: 0, day: 0}} | {$date: '2016-11-30T00:00:00Z'}",
        "{$dateFromParts: {isoWeekYear: 2017, isoWeek: 60}} | {$date: '2018-02-19T00:00:00Z'}",
        "{$dateAdd: {startDate: {$toDate: '2020-10-31'}, unit: 'month', amount: 1}} | {$date:"
            + " '2020-11-30T00:00:00Z'}",
        "{$dateAdd: {startDate: {$toDate: '2021-03-27T01:30:00Z'}, unit: 'day', amount: 1,"
            + " timezone: 'Europe/Amsterdam'}} | {$date: '2021-03-28T01:30:00Z'}",
        "{$dateDiff: {startDate: {$toDate: '2021-01-02'}, endDate: {$toDate: '2021-01-03'}, unit:"
            + " 'week'}} | {$numberLong: '1'}",
        "{$dateDiff: {startDate: {$toDate: '2020-12-31T23:59:59Z'}, endDate: {$toDate:"
            + " '2021-01-01'}, unit: 'year'}} | {$numberLong: '1'}",
        "{$dateDiff: {startDate: {$toDate: '2021-10-30T21:30:00Z'}, endDate: {$toDate:"
            + " '2021-10-30T22:30:00Z'}, unit: 'day', timezone: 'Europe/Amsterdam'}} |"
            + " {$numberLong: '1'}",
        "{$dateTrunc: {date: {$toDate: '1999-05-06T07:08:09Z'}, unit: 'hour', binSize: 5}} |"
            + " {$date: '1999-05-06T05:00:00Z'}",
        "{$week: {$toDate: '2023-01-01'}} | 1",
        "{$isoWeekYear: {$toDate: '2021-01-03'}} | {$numberLong: '2020'}",
        "{$hour: {date: '$d', timezone: 'EST'}} | 2",
        "{$hour: {date: '$d', timezone: '-05:30'}} | 1",
        "{$dateFromString: {dateString: '2017-W06-3', format: '%G-W%V-%u'}} | {$date:"
            + " '2017-02-08T00:00:00Z'}",
        "{$dateToString: {date: '$d', format: '%z %Z', timezone: '-05:30'}} | '-0530 -330'",
        "{$median: {input: [1, 2, 3, 4], method: 'approximate'}} | 2.0",
        "{$percentile: {input: [1, 2, 3, 4, 5], p: [0, 0.25, 1], method: 'approximate'}} | [1.0,"
            + " 2.0, 5.0]",
      })
  void an_expression_at_its_border_gives_what_mongodb_gives(String expression, String expected) {
    BsonValue wanted = expected.equals("nothing") ? null : value(expected);
    assertThat(shown(evaluate(expression))).isEqualTo(shown(wanted));
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'': 1} | 15998",
        "{a: {'': 1}} | 15998",
        "'$$DESCEND' | 17276",
        "'$a.' | 40353",
        "'$$' | 9",
        "{$literal: 1, a: 1} | 15983",
        "{$abs: {$numberLong: '-9223372036854775808'}} | 28680",
        "{$subtract: [{$toDate: {$numberLong: '9223372036854775807'}}, {$toDate: {$numberLong:"
            + " '-5'}}]} | 15",
        "{$divide: [1, {$numberDecimal: '0'}]} | 2",
        "{$pow: [{$numberDecimal: '0'}, -1]} | 28764",
        "{$round: [1.5, 101]} | 51083",
        "{$round: [1.5, 1.5]} | 51082",
        "{$trunc: ['$s']} | 51081",
        "{$ln: {$numberDecimal: '0'}} | 28766",
        "{$log: [8, 1]} | 28759",
        "{$bitAnd: [1, 1.5]} | 14",
        "{$first: 5} | 28689",
        "{$last: 5} | 28689",
        "{$arrayElemAt: ['$l', 1.5]} | 28691",
        "{$range: [0, 2000000000]} | 146",
        "{$range: [0, {$numberLong: '99999999999'}]} | 34446",
        "{$range: [0, 2, 0.5]} | 34448",
        "{$slice: ['$l', 1, 0]} | 28729",
        "{$sortArray: {input: [1], sortBy: {}}} | 2942505",
        "{$sortArray: {input: '$s', sortBy: 1}} | 2942504",
        "{$firstN: {input: '$l', n: 0}} | 5787908",
        "{$firstN: {input: '$s', n: 1}} | 5788200",
        "{$zip: {inputs: [[1]], defaults: [0]}} | 34466",
        "{$arrayToObject: [[{k: 'a', v: 1}, ['b', 2]]]} | 40391",
        "{$setField: {field: '$a', input: '$o', value: 1}} | 4161108",
        "{$setField: {field: 1, input: '$o', value: 1}} | 4161107",
        "{$setField: {field: 'a', input: 1, value: 1}} | 4161105",
        "{$getField: 5} | 5654602",
        "{$substrCP: ['abc', 0, -1]} | 34454",
        "{$substrBytes: ['été', 1, 1]} | 28656",
        "{$substrBytes: ['été', 0, 1]} | 28657",
        "{$strLenCP: '$n'} | 34471",
        "{$indexOfCP: ['abc', 'c', -1]} | 40097",
        "{$regexMatch: {input: 'a', regex: '('}} | 51111",
        "{$regexMatch: {input: 'a', regex: /a/i, options: 'i'}} | 51107",
        "{$toDouble: '0x1p3'} | 241",
        "{$toDouble: '1e400'} | 241",
        "{$toInt: 2147483648.0} | 241",
        "{$toUUID: '0011'} | 241",
        "{$convert: {input: '$bin', to: 'string', format: 'uuid'}} | 241",
        "{$convert: {input: '$bin', to: 'string'}} | 4341115",
        "{$convert: {input: 'hi', to: 'binData', format: 'x'}} | 4341125",
        "{$convert: {input: 'hi', to: 'binData', format: 1}} | 4341114",
        "{$convert: {input: 'aGk', to: 'binData', format: 'base64'}} | 241",
        "{$convert: {input: 'hi', to: 'binData', format: 'uuid'}} | 241",
        "{$convert: {input: 'hi', to: {type: 'binData', subtype: 99}, format: 'utf8'}} | 4341107",
        "{$convert: {input: 1, to: {subtype: 0}}} | 9",
        "{$convert: {input: 1, to: {type: 'int', x: 1}}} | 9",
        "{$convert: {input: 1, to: 'foo'}} | 2",
        "{$dateFromParts: {year: 2017, month: 40000}} | 31034",
        "{$hour: {date: '$d', timezone: 'UTC+5'}} | 40485",
        "{$hour: {date: '$d', timezone: 'GMT+5'}} | 40485",
        "{$hour: {date: '$d', timezone: '+5'}} | 40485",
        "{$hour: {date: '$d', timezone: 'UT'}} | 40485",
        "{$hour: {date: '$d', timezone: 'Z'}} | 40485",
        "{$hour: {date: '$d', timezone: 'utc'}} | 40485",
        "{$setField: {field: '$s', input: '$o', value: 1}} | 4161108",
        "{$setField: {field: {$toLower: '$s'}, input: '$o', value: 1}} | 4161106",
        "{$unsetField: {field: '$s', input: '$o'}} | 4161108",
        "{$dateFromParts: {year: 2017, isoWeekYear: 2017}} | 40489",
        "{$dateFromParts: {year: 2017, isoWeek: 3}} | 40489",
        "{$dateFromParts: {isoWeekYear: 2017, month: 12}} | 40525",
        "{$dateFromParts: {isoWeekYear: 2017, day: 17}} | 40525",
        "{$dateFromParts: {year: 1970, millisecond: 18014398509481984.0}} | 159",
        "{$dateFromParts: {year: 1970, millisecond: {$numberDecimal: '9223372036854775807'}}} |"
            + " 159",
        "{$dateFromParts: {year: 1970, millisecond: 18014398509481984000.0}} | 40515",
        "{$dateFromParts: {year: 10000}} | 40523",
        "{$dateDiff: {startDate: '$d', endDate: '$d', unit: 'week', startOfWeek: 'xx'}} | 5439016",
        "{$dateDiff: {startDate: {$toDate: {$numberLong: '-9223372036854775808'}}, endDate:"
            + " {$toDate: {$numberLong: '9223372036854775807'}}, unit: 'millisecond'}} | 5166308",
        "{$dateTrunc: {date: '$s', unit: 'day'}} | 5166307",
        "{$dateTrunc: {date: '$d', unit: 'day', binSize: 0}} | 5439018",
        "{$dateAdd: {startDate: '$d', unit: 'day', amount: 1.5}} | 5166405",
        "{$dateAdd: {startDate: '$s', unit: 'day', amount: 1}} | 5166403",
        "{$dateToString: {date: null, format: 5}} | 18533",
        "{$dateToString: {date: null, timezone: 'Nope'}} | 40485",
        "{$dateFromString: {dateString: null, format: 5}} | 40684",
        "{$dateFromString: {dateString: 5}} | 241",
        "{$add: ['$d', {$numberLong: '9223372036854775807'}]} | 15",
        "{$add: ['$d', {$numberLong: '9223372036854775807'}, 1]} | 15",
        "{$add: ['$d', 1e300]} | 15",
        "{$add: ['$d', {$numberDecimal: '1E30'}]} | 15",
        "{$add: ['$d', {$numberDecimal: 'NaN'}]} | 15",
        "{$subtract: ['$d', {$numberLong: '-9223372036854775808'}]} | 15",
        "{$dateAdd: {startDate: '$n', unit: 'decade', amount: 1}} | 9",
        "{$dateAdd: {startDate: '$n', unit: 'day', amount: 1, timezone: 'Nowhere'}} | 40485",
        "{$dateTrunc: {date: '$d', unit: 5}} | 5439013",
        "{$dateFromString: {dateString: '2017-02-30', format: '%Y-%m-%d'}} | 241",
        "{$median: {input: [1], method: 'exact'}} | 2",
        "{$percentile: {input: [1], p: [2], method: 'approximate'}} | 7750303",
      })
  void an_expression_beyond_its_border_fails_as_in_mongodb(String expression, int code) {
    fails(code, () -> evaluate(expression));
  }
}
