// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.RawClient;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import org.bson.BsonDocument;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arguments that come as null or undefined, as some clients send what they were not given. */
final class NullArgumentsTest {
  private static Server server;
  private static RawClient client;

  @BeforeAll
  static void start() throws Exception {
    server = Server.start(ServerSettings.standalone(0));
    client = RawClient.of(server);
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @BeforeEach
  void twoDocuments() throws Exception {
    client.run("test", "{drop: 'c'}");
    client.run("test", "{drop: 'd'}");
    client.run("test", "{insert: 'c', documents: [{_id: 1, a: 1}, {_id: 2, a: 2}]}");
  }

  private static int code(String command, boolean undefined) throws Exception {
    BsonDocument parsed = BsonDocument.parse(command);
    if (undefined) {
      nullsToUndefined(parsed);
    }
    String database = parsed.getFirstKey().equals("bulkWrite") ? "admin" : "test";
    BsonDocument reply = client.run(database, parsed);
    if (reply.containsKey("writeErrors")) {
      return RawClient.code(reply.getArray("writeErrors").get(0).asDocument());
    }
    return RawClient.isOk(reply) ? 0 : RawClient.code(reply);
  }

  private static void nullsToUndefined(BsonDocument document) {
    for (var field : document.entrySet()) {
      BsonValue value = field.getValue();
      if (value.isNull()) {
        field.setValue(new BsonUndefined());
      } else if (value.isDocument()) {
        nullsToUndefined(value.asDocument());
      } else if (value.isArray()) {
        value.asArray().stream()
            .filter(BsonValue::isDocument)
            .forEach(element -> nullsToUndefined(element.asDocument()));
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{find: 'c', filter: null, sort: null, projection: null, limit: null, skip: null} | 0",
        "{find: 'c', batchSize: null, singleBatch: null, collation: null, let: null} | 0",
        "{find: 'c', min: null, max: null, returnKey: null, tailable: null} | 0",
        "{count: 'c', query: null, limit: null, skip: null, collation: null} | 0",
        "{distinct: 'c', key: 'a', query: null, collation: null} | 0",
        "{aggregate: 'c', pipeline: [], cursor: {batchSize: null}, let: null} | 0",
        "{update: 'c', updates: [{q: {}, u: {a: 1}, multi: null, upsert: null, c: null,"
            + " arrayFilters: null, collation: null}], ordered: null, let: null} | 0",
        "{delete: 'c', deletes: [{q: {}, limit: 1, collation: null}], let: null} | 0",
        "{insert: 'c', documents: [{x: null}], ordered: null} | 0",
        "{findAndModify: 'c', query: null, sort: null, fields: null, new: null, upsert: null,"
            + " update: {a: 1}, remove: null, arrayFilters: null, let: null} | 0",
        "{bulkWrite: 1, ops: [{delete: 0, filter: {}, multi: null}], nsInfo: [{ns: 'test.c'}]} | 0",
        "{create: 'd', capped: null, size: null, validator: null, validationLevel: null,"
            + " viewOn: null, collation: null, timeseries: null} | 0",
        "{listCollections: 1, filter: null, nameOnly: null, cursor: null} | 0",
        "{explain: {find: 'c', filter: null}, verbosity: null} | 0",
      })
  void an_argument_that_is_null_has_its_default(String command, int code) throws Exception {
    assertThat(code(command, false)).isEqualTo(code);
    assertThat(code(command, true)).isEqualTo(code);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{distinct: 'c', key: null} | 40414",
        "{update: 'c', updates: null} | 40414",
        "{update: 'c', updates: [{q: null, u: {a: 1}}]} | 40414",
        "{delete: 'c', deletes: [{q: null, limit: 1}]} | 40414",
        "{delete: 'c', deletes: [{q: {}, limit: null}]} | 40414",
        "{bulkWrite: 1, ops: [{delete: 0, filter: null}], nsInfo: [{ns: 'test.c'}]} | 40414",
        "{insert: 'c', documents: null} | 40414",
      })
  void a_required_argument_that_is_null_is_missing(String command, int code) throws Exception {
    assertThat(code(command, false)).isEqualTo(code);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{find: 'c', hint: null} | 9",
        "{update: 'c', updates: [{q: {}, u: null}]} | 9",
        "{update: 'c', updates: [{q: {}, u: {a: 1}, hint: null}]} | 9",
        "{findAndModify: 'c', update: null} | 9",
        "{aggregate: 'c', pipeline: null, cursor: {}} | 14",
        "{aggregate: 'c', pipeline: [], cursor: null} | 14",
        "{dropIndexes: 'c', index: null} | 14",
        "{find: 'c', unknown: null} | 40415",
      })
  void of_an_argument_of_several_types_null_is_a_wrong_one(String command, int code)
      throws Exception {
    assertThat(code(command, false)).isEqualTo(code);
  }
}
