// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import static io.fairlead.engine.value.Docs.context;
import static io.fairlead.engine.value.Docs.doc;
import static io.fairlead.engine.value.Docs.fails;
import static io.fairlead.engine.value.Docs.raw;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.collection.CollectionRules;
import io.fairlead.engine.context.OperationContext;
import java.util.List;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.Test;
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
        "{properties: {a: {enum: [{b: 1, c: 2}]}}} | {a: {c: 2.0, b: 1}} | true",
        "{properties: {a: {enum: [{b: 1}]}}} | {a: {c: 2, b: 1}} | false",
        "{properties: {a: {enum: [[{b: 1, c: 2}]]}}} | {a: [{c: 2, b: 1}]} | true",
        "{properties: {a: {enum: [[1, 2]]}}} | {a: [2, 1]} | false",
        "{properties: {a: {enum: ['x', 1]}}} | {a: ['x']} | false",
        "{properties: {a: {enum: [null]}}} | {a: undefined} | false",
        "{enum: [{a: 1, b: 2}]} | {b: 2, a: 1} | true",
        "{enum: [1, 2]} | {} | false",
        "{properties: {a: {uniqueItems: true}}} | {a: [{b: 1, c: 2}, {c: 2, b: 1}]} | false",
        "{properties: {a: {uniqueItems: true}}} | {a: [[1, 2], [2, 1]]} | true",
        "{properties: {a: {uniqueItems: false}}} | {a: [1, 1]} | true",
        "{properties: {a: {maximum: 5}}} | {a: NaN} | false",
        "{properties: {a: {minimum: 5}}} | {a: NaN} | false",
        "{properties: {a: {maximum: NaN}}} | {a: NaN} | true",
        "{properties: {a: {maximum: 5}}} | {a: [9]} | true",
        "{properties: {a: {multipleOf: 0.1}}} | {a: 0.3} | true",
        "{properties: {a: {multipleOf: {$numberDecimal: '1E-400'}}}} | {a: 1} | true",
        "{properties: {a: {multipleOf: NaN}}} | {a: 1} | false",
        "{properties: {a: {multipleOf: Infinity}}} | {a: 0} | true",
        "{properties: {a: {multipleOf: Infinity}}} | {a: 3} | false",
        "{properties: {a: {multipleOf: 3}}} | {a: Infinity} | false",
        "{properties: {a: {multipleOf: 3}}} | {a: 'x'} | true",
        "{properties: {a: {maxLength: 1}}} | {a: '\ud83d\ude00'} | true",
        "{required: ['a.b']} | {a: {b: 1}} | true",
        "{required: ['a.b']} | {'a.b': 1} | false",
        "{properties: {'a.b': {bsonType: 'int'}}} | {a: {b: 'x'}} | false",
        "{properties: {'a.b': {bsonType: 'int'}}} | {a: {b: 1}} | true",
        "{properties: {'a.b': {bsonType: 'int'}}} | {a: 1} | true",
        "{dependencies: {'a.b': ['c']}} | {a: {b: 1}} | false",
        "{properties: {a: {items: {bsonType: 'int'}, additionalItems: false}}} | {a: [1, 2]} |"
            + " true",
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
        "{type: 'object', bsonType: 'object'} | 9",
        "{properties: {a: {bsonType: 'integer'}}} | 9",
        "{properties: {a: {bsonType: ['int', 'int']}}} | 9",
        "{bsonType: []} | 9",
        "{type: 3} | 14",
        "{type: 'int'} | 2",
        "{enum: []} | 9",
        "{enum: [1, 1.0]} | 9",
        "{enum: [{a: 1, b: 2}, {b: 2, a: 1}]} | 9",
        "{enum: 1} | 14",
        "{exclusiveMaximum: 1} | 9",
        "{maximum: 1, exclusiveMaximum: 1} | 14",
        "{items: {}, additionalItems: {foo: 1}} | 9",
        "{items: {}, additionalItems: 5} | 14",
        "{items: 5} | 14",
        "{properties: {a: 1}} | 14",
        "{patternProperties: {a: 1}} | 14",
        "{additionalProperties: 1} | 14",
        "{dependencies: {a: 1}} | 14",
        "{dependencies: {a: []}} | 9",
        "{dependencies: {a: ['b', 'b']}} | 9",
        "{required: ['a', 'a']} | 9",
        "{minItems: -1} | 9",
        "{minItems: 1.5} | 9",
        "{minItems: 'x'} | 9",
        "{maxProperties: NaN} | 9",
        "{uniqueItems: 1} | 14",
        "{pattern: 1} | 14",
        "{title: 1} | 14",
        "{not: [{}]} | 14",
        "{allOf: [1]} | 14",
        "{multipleOf: -1} | 9",
        "{multipleOf: 'x'} | 14",
        "{encrypt: {}, bsonType: 'binData'} | 9",
        "{encrypt: {}, encryptMetadata: {keyId: '/k'}} | 9",
        "{encrypt: 1} | 14",
        "{encrypt: {algorithm: 'x'}} | 2",
        "{encrypt: {other: 1}} | 40415",
        "{encrypt: {keyId: 1}} | 51085",
        "{encrypt: {keyId: [1]}} | 51084",
        "{encryptMetadata: {}} | 9",
        "{multipleOf: 0} | 9",
      })
  void a_bad_schema_is_refused_with_mongodbs_code(String schema, int code) {
    fails(code, () -> schema(schema));
  }

  @Test
  void no_collation_makes_strings_of_an_enum_or_of_unique_items_equal() {
    OperationContext ignoringCase =
        context().withOrder(Collation.parse(doc("{locale: 'en', strength: 1}")));
    Matcher oneOf =
        Matcher.compile(doc("{$jsonSchema: {properties: {a: {enum: ['X']}}}}"), ignoringCase);
    Matcher unique =
        Matcher.compile(doc("{$jsonSchema: {properties: {a: {uniqueItems: true}}}}"), ignoringCase);

    assertThat(oneOf.matches(raw("{a: 'x'}"))).isFalse();
    assertThat(unique.matches(raw("{a: ['x', 'X']}"))).isTrue();
  }

  @Test
  void encrypt_asks_for_an_encrypted_binary_and_for_the_type_its_header_names() {
    Matcher any = schema("{properties: {a: {encrypt: {}}}}");
    Matcher string = schema("{properties: {a: {encrypt: {bsonType: 'string'}}}}");
    byte[] blob = new byte[40];
    blob[0] = 1;
    blob[17] = 2;

    assertThat(any.matches(holding(6, blob))).isTrue();
    assertThat(any.matches(holding(0, blob))).isFalse();
    assertThat(any.matches(raw("{a: {}}"))).isFalse();
    assertThat(string.matches(holding(6, blob))).isTrue();
    blob[17] = 16;
    assertThat(string.matches(holding(6, blob))).isFalse();
    assertThat(string.matches(holding(6, new byte[0]))).isFalse();
  }

  private static RawBsonDocument holding(int subtype, byte[] data) {
    return new RawBsonDocument(
        new BsonDocument("a", new BsonBinary((byte) subtype, data)), new BsonDocumentCodec());
  }

  @Test
  void a_validator_of_encrypted_fields_may_neither_warn_nor_let_old_documents_be() {
    for (String option : List.of("validationAction: 'warn'", "validationLevel: 'moderate'")) {
      fails(
          224,
          () ->
              CollectionRules.of(
                  CollectionOptions.of(
                      doc(
                          "{validator: {$jsonSchema: {properties: {a: {properties: {b: {encrypt:"
                              + " {}}}}}}}, "
                              + option
                              + "}"))));
    }
  }
}
