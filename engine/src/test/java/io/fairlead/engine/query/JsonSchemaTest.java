// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import static io.fairlead.engine.value.Docs.context;
import static io.fairlead.engine.value.Docs.doc;
import static io.fairlead.engine.value.Docs.fails;
import static io.fairlead.engine.value.Docs.raw;
import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonSchemaTest {
  private static Matcher schema(String schema) {
    return Matcher.compile(new BsonDocument("$jsonSchema", doc(schema)), context());
  }

  @ParameterizedTest(name = "{0} on {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{required: ['a']} | {a: 1} | true",
        "{required: ['a']} | {} | false",
        "{properties: {a: {bsonType: 'int'}}} | {a: 1} | true",
        "{properties: {a: {bsonType: ['int', 'string']}}} | {a: 1.5} | false",
        "{properties: {a: {type: 'number'}}} | {a: 1.5} | true",
        "{properties: {a: {bsonType: 'int'}}} | {} | true",
        "{properties: {a: {enum: [1, 'x', null]}}} | {a: 1.0} | true",
        "{properties: {a: {enum: [1, 'x', null]}}} | {a: 2} | false",
        "{properties: {a: {minimum: 1, exclusiveMinimum: true}}} | {a: 1} | false",
        "{properties: {a: {minimum: 1, maximum: 3}}} | {a: 3} | true",
        "{properties: {a: {minimum: 1}}} | {a: 'x'} | true",
        "{properties: {a: {multipleOf: 3}}} | {a: 10} | false",
        "{properties: {a: {minLength: 2, maxLength: 3}}} | {a: 'é'} | false",
        "{properties: {a: {pattern: '^x'}}} | {a: 'xy'} | true",
        "{additionalProperties: false, properties: {a: {}}} | {a: 1, b: 1} | false",
        "{additionalProperties: {bsonType: 'int'}} | {a: 1, b: 'x'} | false",
        "{patternProperties: {'^n': {bsonType: 'int'}}, additionalProperties: false} | {n1: 1} |"
            + " true",
        "{minProperties: 2} | {a: 1} | false",
        "{dependencies: {a: ['b']}} | {a: 1} | false",
        "{dependencies: {a: {required: ['b']}}} | {a: 1, b: 1} | true",
        "{properties: {a: {minItems: 1, uniqueItems: true}}} | {a: [1, 1.0]} | false",
        "{properties: {a: {items: {bsonType: 'int'}}}} | {a: [1, 'x']} | false",
        "{properties: {a: {items: [{bsonType: 'int'}], additionalItems: false}}} | {a: [1, 'x']} |"
            + " false",
        "{anyOf: [{required: ['a']}, {required: ['b']}]} | {b: 1} | true",
        "{oneOf: [{required: ['a']}, {required: ['b']}]} | {a: 1, b: 1} | false",
        "{not: {required: ['a']}} | {b: 1} | true",
        "{allOf: [{required: ['a']}], title: 't', description: 'd'} | {a: 1} | true",
      })
  void a_schema_accepts_what_mongodb_accepts(String schema, String document, boolean expected) {
    assertThat(schema(schema).matches(raw(document))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{foo: 1} | 9",
        "{format: 'x'} | 9",
        "{required: []} | 9",
        "{required: 5} | 14",
        "{properties: {a: {bsonType: 'nope'}}} | 2",
        "{properties: {a: {type: 'integer'}}} | 9",
        "{minimum: 'x'} | 14",
        "{exclusiveMinimum: true} | 9",
        "{anyOf: []} | 2",
        "{multipleOf: 0} | 9",
      })
  void a_bad_schema_is_refused_with_mongodbs_code(String schema, int code) {
    fails(code, () -> schema(schema));
  }
}
