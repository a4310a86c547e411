// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.engine.error.EngineException;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

final class ValidatorsTest {
  private static BsonDocument refusal(Store store, BsonDocument document) {
    EngineException refused =
        catchThrowableOfType(EngineException.class, () -> store.insert(document));
    assertThat(refused.code()).isEqualTo(121);
    return refused.details().getDocument("errInfo");
  }

  @Test
  void a_refusal_names_the_document_and_the_rule() {
    Store store = new Store().create("{validator: {$jsonSchema: {required: ['a']}}}");
    assertThat(refusal(store, json("{_id: 7}")))
        .isEqualTo(
            json(
                "{failingDocumentId: 7, details: {operatorName: '$jsonSchema',"
                    + " schemaRulesNotSatisfied: [{operatorName: 'required', specifiedAs:"
                    + " {required: ['a']}, missingProperties: ['a']}]}}"));
  }

  @Test
  void a_validator_knows_what_time_it_is() {
    Store store = new Store().create("{validator: {$expr: {$lt: ['$at', '$$NOW']}}}");
    store.insert("{_id: 1, at: {$date: '2001-01-01T00:00:00Z'}}");
    refusal(store, json("{_id: 2, at: {$date: '9001-01-01T00:00:00Z'}}"));
    assertThat(store.count("{}")).isEqualTo(1);
  }

  @Test
  void what_is_too_large_to_be_told_is_left_out() {
    Store store =
        new Store().create("{validator: {$and: [{a: {$type: 'int'}}, {a: {$type: 'long'}}]}}");
    BsonDocument info =
        refusal(store, json("{_id: 1}").append("a", new BsonString("x".repeat(8_000_000))));
    assertThat(info.get("truncated")).isEqualTo(BsonBoolean.TRUE);
    assertThat(info.getDocument("details"))
        .isEqualTo(
            json(
                "{operatorName: '$and', clausesNotSatisfied: [{index: 0, details: {operatorName:"
                    + " '$type', reason: 'type did not match', consideredType: 'string'}}, {index:"
                    + " 1, details: {operatorName: '$type', reason: 'type did not match',"
                    + " consideredType: 'string'}}]}"));
  }
}
