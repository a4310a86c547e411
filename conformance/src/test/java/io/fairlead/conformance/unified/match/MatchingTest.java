// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatchingTest {
  private final Matching matching =
      new Matching(
          new Names() {
            @Override
            public BsonValue value(String name) {
              if (!name.equals("seven")) {
                throw new TestFailure("there is no entity '" + name + "'");
              }
              return new BsonInt32(7);
            }

            @Override
            public BsonDocument sessionId(String name) {
              return BsonDocument.parse("{id: 1}");
            }
          });

  @ParameterizedTest(name = "{0} and {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: 1}                             | {a: {$numberLong: "1"}}    | true
          {a: 1}                             | {a: 1.0}                   | true
          {a: 1}                             | {a: 1.5}                   | false
          {a: 1}                             | {a: {$numberDecimal: "1"}} | false
          {a: 1}                             | {b: 2, a: 1}               | true
          {a: {b: 1}}                        | {a: {b: 1, c: 2}}          | false
          {a: {$$matchAsRoot: {b: 1}}}       | {a: {b: 1, c: 2}}          | true
          {a: [1, 2]}                        | {a: [1, 2, 3]}             | false
          {a: {$$exists: true}}              | {a: null}                  | true
          {a: {$$exists: false}}             | {b: 1}                     | true
          {a: {$$exists: false}}             | {a: null}                  | false
          {a: {$$type: ["int", "long"]}}     | {a: {$numberLong: "5"}}    | true
          {a: {$$type: "string"}}            | {a: 5}                     | false
          {a: {$$unsetOrMatches: 3}}         | {}                         | true
          {a: {$$unsetOrMatches: 3}}         | {a: 4}                     | false
          {a: {$$matchesEntity: "seven"}}    | {a: 7}                     | true
          {a: {$$matchesEntity: "nobody"}}   | {a: 7}                     | false
          {a: {$$sessionLsid: "s"}}          | {a: {id: 1}}               | true
          {a: {$$lte: 5}}                    | {a: 5.0}                   | true
          {a: {$$lte: 5}}                    | {a: 5.1}                   | false
          {a: {$$matchesHexBytes: "4142"}}   | {a: "AB"}                  | true
          {a: {$$matchAsDocument: {b: 1}}}   | {a: "{\\"b\\": 1}"}        | true
          {a: {$$matchAsDocument: {b: 1}}}   | {a: "{\\"b\\": 1, \\"c\\": 2}"} | false
          {a: {$$nonsense: 1}}               | {a: 1}                     | false
          """)
  void documents_match_as_the_format_has_it(String expected, String actual, boolean matches) {
    assertThat(matches(expected, actual)).isEqualTo(matches);
  }

  private boolean matches(String expected, String actual) {
    try {
      matching.root("document", BsonDocument.parse(expected), BsonDocument.parse(actual));
      return true;
    } catch (TestFailure differs) {
      return false;
    }
  }

  @Test
  void only_documents_of_a_cursor_may_have_more_fields_inside_an_array() {
    BsonValue expected = BsonDocument.parse("{a: [{x: 1}]}").getArray("a");
    BsonValue actual = BsonDocument.parse("{a: [{x: 1, y: 1}]}").getArray("a");

    matching.result(expected, actual, true);
    assertThatExceptionOfType(TestFailure.class)
        .isThrownBy(() -> matching.result(expected, actual, false))
        .withMessageContaining("unexpected field 'y'");
  }
}
