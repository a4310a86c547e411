// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import static io.fairlead.engine.value.Docs.context;
import static io.fairlead.engine.value.Docs.doc;
import static io.fairlead.engine.value.Docs.raw;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.value.RandomValues;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a refused document's author is told. */
final class FailureDetailsTest {
  private static BsonDocument details(String filter, RawBsonDocument document) {
    return Matcher.compile(doc(filter), context()).whyNot(document, context());
  }

  @ParameterizedTest(name = "{0} on {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{a: 2} | {a: 1} | {operatorName: '$eq', specifiedAs: {a: 2}, reason: 'comparison failed',"
            + " consideredValue: 1}",
        "{a: {$gt: 3}} | {b: 1} | {operatorName: '$gt', specifiedAs: {a: {$gt: 3}}, reason: 'field"
            + " was missing'}",
        "{a: {$lt: 0}} | {a: [3, 4]} | {operatorName: '$lt', specifiedAs: {a: {$lt: 0}}, reason:"
            + " 'comparison failed', consideredValues: [3, 4]}",
        "{'a.b': 2} | {a: [{b: 3}]} | {operatorName: '$eq', specifiedAs: {'a.b': 2}, reason:"
            + " 'comparison failed', consideredValue: 3}",
        "{a: {$ne: 2}} | {a: 2} | {operatorName: '$ne', specifiedAs: {a: {$ne: 2}}, reason:"
            + " 'comparison succeeded', consideredValue: 2}",
        "{a: {$nin: [1]}} | {a: 1} | {operatorName: '$nin', specifiedAs: {a: {$nin: [1]}}, reason:"
            + " 'matching value found in array', consideredValue: 1}",
        "{a: {$exists: true}} | {} | {operatorName: '$exists', specifiedAs: {a: {$exists: true}},"
            + " reason: 'path does not exist'}",
        "{a: {$exists: false}} | {a: 1} | {operatorName: '$exists', specifiedAs: {a: {$exists:"
            + " false}}, reason: 'path does exist'}",
        "{a: {$type: 'int'}} | {a: 'x'} | {operatorName: '$type', specifiedAs: {a: {$type: 'int'}},"
            + " reason: 'type did not match', consideredValue: 'x', consideredType: 'string'}",
        "{a: {$mod: [2, 1]}} | {a: 'x'} | {operatorName: '$mod', specifiedAs: {a: {$mod: [2, 1]}},"
            + " reason: 'type did not match', consideredType: 'string', expectedTypes: ['decimal',"
            + " 'double', 'int', 'long'], consideredValue: 'x'}",
        "{a: {$size: 2}} | {a: [1]} | {operatorName: '$size', specifiedAs: {a: {$size: 2}}, reason:"
            + " 'array length was not equal to given size', consideredValue: [1]}",
        "{a: {$not: {$lt: 5}}} | {a: 1} | {operatorName: '$not', details: {operatorName: '$lt',"
            + " specifiedAs: {a: {$lt: 5}}, reason: 'comparison succeeded', consideredValue: 1}}",
        "{a: 1, b: {$gt: 1, $lt: 5}} | {a: 1, b: 7} | {operatorName: '$and', clausesNotSatisfied:"
            + " [{index: 2, details: {operatorName: '$lt', specifiedAs: {b: {$lt: 5}}, reason:"
            + " 'comparison failed', consideredValue: 7}}]}",
        "{$or: [{a: 1}, {a: 2}]} | {a: 3} | {operatorName: '$or', clausesNotSatisfied: [{index: 0,"
            + " details: {operatorName: '$eq', specifiedAs: {a: 1}, reason: 'comparison failed',"
            + " consideredValue: 3}}, {index: 1, details: {operatorName: '$eq', specifiedAs: {a:"
            + " 2}, reason: 'comparison failed', consideredValue: 3}}]}",
        "{$nor: [{a: 1}, {$jsonSchema: {minimum: 1}}]} | {a: 3} | {operatorName: '$nor',"
            + " clausesSatisfied: [{index: 1, details: {operatorName: '$jsonSchema', reason:"
            + " 'schema matched'}}]}",
        "{$expr: {$eq: ['$a', '$b']}} | {a: 1, b: 2} | {operatorName: '$expr', specifiedAs: {$expr:"
            + " {$eq: ['$a', '$b']}}, reason: 'expression did not match', expressionResult: false}",
      })
  void a_condition_says_what_it_wanted_and_what_it_saw(
      String filter, String document, String expected) {
    assertThat(details(filter, raw(document))).isEqualTo(doc(expected));
  }

  @ParameterizedTest(name = "{0} on {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{properties: {a: {minimum: 1, exclusiveMinimum: true, title: 't'}}} | {a: 1} |"
            + " {operatorName: 'properties', propertiesNotSatisfied: [{propertyName: 'a', title:"
            + " 't', details: [{operatorName: 'minimum', specifiedAs: {minimum: 1,"
            + " exclusiveMinimum: true}, reason: 'comparison failed', consideredValue: 1}]}]}",
        "{properties: {a: {type: 'string', minLength: 4}}} | {a: 1} | {operatorName: 'properties',"
            + " propertiesNotSatisfied: [{propertyName: 'a', details: [{operatorName: 'type',"
            + " specifiedAs: {type: 'string'}, reason: 'type did not match', consideredValue: 1,"
            + " consideredType: 'int'}]}]}",
        "{required: ['b', 'a']} | {} | {operatorName: 'required', specifiedAs: {required: ['b',"
            + " 'a']}, missingProperties: ['a', 'b']}",
        "{not: {required: ['a']}} | {a: 1} | {operatorName: 'not', reason: 'child expression"
            + " matched'}",
        "{oneOf: [{}, {}]} | {a: 1} | {operatorName: 'oneOf', reason: 'more than one subschema"
            + " matched', matchingSchemaIndexes: [0, 1]}",
        "{anyOf: [{required: ['a']}]} | {} | {operatorName: 'anyOf', schemasNotSatisfied: [{index:"
            + " 0, details: [{operatorName: 'required', specifiedAs: {required: ['a']},"
            + " missingProperties: ['a']}]}]}",
        "{additionalProperties: false, properties: {a: {}}} | {a: 1, b: 2} | {operatorName:"
            + " 'additionalProperties', specifiedAs: {additionalProperties: false},"
            + " additionalProperties: ['b']}",
        "{additionalProperties: {bsonType: 'int'}} | {b: 'x'} | {operatorName:"
            + " 'additionalProperties', reason: 'at least one additional property did not match"
            + " the subschema', failingProperty: 'b', details: [{operatorName: 'bsonType',"
            + " specifiedAs: {bsonType: 'int'}, reason: 'type did not match', consideredValue:"
            + " 'x', consideredType: 'string'}]}",
        "{patternProperties: {'^b': {minimum: 5}}} | {b1: 2} | {operatorName: 'patternProperties',"
            + " details: [{propertyName: 'b1', regexMatched: '^b', details: [{operatorName:"
            + " 'minimum', specifiedAs: {minimum: 5}, reason: 'comparison failed',"
            + " consideredValue: 2}]}]}",
        "{dependencies: {a: ['b']}} | {a: 1} | {operatorName: 'dependencies', failingDependencies:"
            + " [{conditionalProperty: 'a', missingProperties: ['b']}]}",
        "{minProperties: 2} | {a: 1} | {operatorName: 'minProperties', specifiedAs: {minProperties:"
            + " 2}, reason: 'specified number of properties was not satisfied',"
            + " numberOfProperties: 1}",
        "{enum: [{b: 1}]} | {a: 1} | {operatorName: 'enum', specifiedAs: {enum: [{b: 1}]}, reason:"
            + " 'value was not found in enum', consideredValue: {a: 1}}",
        "{properties: {a: {items: {minimum: 2}}}} | {a: [3, 1]} | {operatorName: 'properties',"
            + " propertiesNotSatisfied: [{propertyName: 'a', details: [{operatorName: 'items',"
            + " reason: 'At least one item did not match the sub-schema', itemIndex: 1, details:"
            + " [{operatorName: 'minimum', specifiedAs: {minimum: 2}, reason: 'comparison failed',"
            + " consideredValue: 1}]}]}]}",
        "{properties: {a: {items: [{}], additionalItems: false}}} | {a: [3, 1]} | {operatorName:"
            + " 'properties', propertiesNotSatisfied: [{propertyName: 'a', details: [{operatorName:"
            + " 'additionalItems', specifiedAs: {additionalItems: false}, reason: 'found additional"
            + " items', additionalItems: [1]}]}]}",
        "{properties: {a: {uniqueItems: true}}} | {a: [3, 3]} | {operatorName: 'properties',"
            + " propertiesNotSatisfied: [{propertyName: 'a', details: [{operatorName:"
            + " 'uniqueItems', specifiedAs: {uniqueItems: true}, reason: 'found a duplicate item',"
            + " consideredValue: [3, 3], duplicatedValue: 3}]}]}",
      })
  void a_schema_tells_every_rule_that_is_broken(String schema, String document, String expected) {
    assertThat(details("{$jsonSchema: " + schema + "}", raw(document)))
        .isEqualTo(
            doc("{operatorName: '$jsonSchema', schemaRulesNotSatisfied: [" + expected + "]}"));
  }

  /** However a document is refused, something is said of it. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void no_refusal_goes_without_a_reason(long seed) {
    RandomValues values = new RandomValues(new Random(seed));
    int refused = 0;
    for (int i = 0; i < 500; i++) {
      RawBsonDocument document = new RawBsonDocument(values.document(3), new BsonDocumentCodec());
      String schema =
          "{$jsonSchema: {properties: {%s: {maximum: 1, minLength: 1, maxItems: 1, items: {bsonType: 'int'},"
                  .formatted(values.below(2) == 0 ? "a" : "'a.b'")
              + " required: ['b'], properties: {a: {enum: [1, 'x', null]}}}, b: {anyOf: [{type:"
              + " 'number'}, {type: 'array', uniqueItems: true}]}}, dependencies: {a: ['b']}}}";
      Matcher matcher = Matcher.compile(doc(schema), context());
      if (!matcher.matches(document)) {
        refused++;
        assertThat(matcher.whyNot(document, context()).getArray("schemaRulesNotSatisfied"))
            .as("seed %s, %s against %s", seed, document, schema)
            .isNotEmpty();
      }
    }
    assertThat(refused).isPositive();
  }
}
