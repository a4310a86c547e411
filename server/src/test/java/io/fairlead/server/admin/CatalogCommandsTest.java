// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.RawClient;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CatalogCommandsTest {
  private Server server;
  private RawClient client;

  @BeforeEach
  void start() throws Exception {
    server = Server.start(ServerSettings.standalone(0));
    client = RawClient.of(server);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private BsonDocument ok(String command) throws Exception {
    BsonDocument reply = client.run("db", command);
    assertThat(RawClient.isOk(reply)).as(reply.toJson()).isTrue();
    return reply;
  }

  private int code(String command) throws Exception {
    return RawClient.code(client.run("db", command));
  }

  private static List<BsonDocument> batch(BsonDocument reply) {
    return reply.getDocument("cursor").getArray("firstBatch").stream()
        .map(BsonValue::asDocument)
        .toList();
  }

  @Test
  void a_server_has_its_own_databases_from_the_start() throws Exception {
    BsonArray databases =
        client.run("admin", "{listDatabases: 1, nameOnly: true}").getArray("databases");
    assertThat(databases.stream().map(each -> each.asDocument().getString("name").getValue()))
        .containsExactly("admin", "config", "local");
  }

  @Test
  void views_are_listed_read_and_not_written() throws Exception {
    ok("{insert: 'c', documents: [{_id: 1, a: 1}, {_id: 2, a: 2}]}");
    ok("{create: 'v', viewOn: 'c', pipeline: [{$match: {a: 2}}]}");
    List<BsonDocument> listed = batch(ok("{listCollections: 1, filter: {name: 'v'}}"));
    assertThat(listed)
        .containsExactly(
            BsonDocument.parse(
                "{name: 'v', type: 'view', options: {viewOn: 'c', pipeline: [{$match: {a: 2}}]},"
                    + " info: {readOnly: true}}"));
    assertThat(batch(ok("{listCollections: 1, nameOnly: true}")).stream().map(d -> d.get("name")))
        .hasSize(3);
    assertThat(batch(ok("{find: 'v'}"))).hasSize(1);
    assertThat(batch(ok("{aggregate: 'v', pipeline: [{$count: 'n'}], cursor: {}}")))
        .containsExactly(BsonDocument.parse("{n: 1}"));
    assertThat(ok("{count: 'v'}").getNumber("n").intValue()).isEqualTo(1);
    assertThat(ok("{distinct: 'v', key: 'a'}").getArray("values")).hasSize(1);
    assertThat(ok("{explain: {find: 'v'}}").toJson()).contains("COLLSCAN");
    assertThat(code("{listIndexes: 'v'}")).isEqualTo(166);
    assertThat(code("{collStats: 'v'}")).isEqualTo(166);
    assertThat(code("{createIndexes: 'v', indexes: [{key: {a: 1}, name: 'a'}]}")).isEqualTo(166);
    assertThat(code("{find: 'v', sort: {$natural: 1}}")).isEqualTo(168);
    BsonDocument written = client.run("db", "{insert: 'v', documents: [{}]}");
    assertThat(written.toJson()).contains("166");
    ok("{drop: 'v'}");
    assertThat(batch(ok("{listCollections: 1}"))).hasSize(1);
  }

  @Test
  void a_collection_becomes_capped() throws Exception {
    for (int i = 0; i < 40; i++) {
      ok(
          "{insert: 'c', documents: [{_id: "
              + i
              + ", pad: '0123456789012345678901234567890123456789'}]}");
    }
    ok("{cloneCollectionAsCapped: 'c', toCollection: 'd', size: 500}");
    assertThat(code("{cloneCollectionAsCapped: 'c', toCollection: 'd', size: 500}")).isEqualTo(48);
    ok("{convertToCapped: 'c', size: 1000}");
    List<BsonDocument> left = batch(ok("{find: 'c'}"));
    assertThat(left).hasSizeBetween(10, 16);
    assertThat(left.getLast().getNumber("_id").intValue()).isEqualTo(39);
    assertThat(batch(ok("{listCollections: 1, filter: {name: 'c'}}")).getFirst().toJson())
        .contains("\"capped\": true");
    assertThat(code("{convertToCapped: 'nothing', size: 1000}")).isEqualTo(26);
    assertThat(code("{convertToCapped: 'c'}")).isEqualTo(72);
  }

  @Test
  void validate_compares_every_index_with_the_documents() throws Exception {
    ok("{createIndexes: 'c', indexes: [{key: {tags: 1}, name: 'tags'}]}");
    ok("{insert: 'c', documents: [{_id: 1, tags: ['x', 'y']}, {_id: 2}]}");
    BsonDocument reply = ok("{validate: 'c', full: true}");
    assertThat(reply.getBoolean("valid").getValue()).isTrue();
    assertThat(reply.getNumber("nrecords").intValue()).isEqualTo(2);
    assertThat(reply.getDocument("keysPerIndex"))
        .isEqualTo(BsonDocument.parse("{_id_: {$numberLong: '2'}, tags: {$numberLong: '3'}}"));
    assertThat(code("{validate: 'nothing'}")).isEqualTo(26);
    assertThat(code("{validate: 'c', repair: true}")).isEqualTo(72);
  }

  @Test
  void collations_are_told_whole() throws Exception {
    ok("{create: 'c', collation: {locale: 'en', strength: 2}}");
    BsonDocument listed = batch(ok("{listCollections: 1}")).getFirst();
    assertThat(listed.getDocument("options").getDocument("collation").size()).isEqualTo(10);
    assertThat(listed.getDocument("idIndex").containsKey("collation")).isTrue();
    ok("{insert: 'c', documents: [{_id: 'A'}]}");
    assertThat(batch(ok("{find: 'c', filter: {_id: 'a'}}"))).hasSize(1);
  }

  @Test
  void a_time_series_collection_is_used_like_any_other() throws Exception {
    ok("{create: 'w', timeseries: {timeField: 't', metaField: 'm'}}");
    ok("{insert: 'w', documents: [{t: {$date: 0}, m: 1, x: 5}, {t: {$date: 1000}, m: 2, x: 7}]}");
    assertThat(batch(ok("{find: 'w', filter: {m: 2}, projection: {x: 1, _id: 0}}")))
        .containsExactly(BsonDocument.parse("{x: 7}"));
    List<BsonDocument> listed = batch(ok("{listCollections: 1}"));
    assertThat(listed).hasSize(2);
    BsonDocument shown =
        listed.stream()
            .filter(each -> each.getString("name").getValue().equals("w"))
            .findFirst()
            .orElseThrow();
    assertThat(shown)
        .isEqualTo(
            BsonDocument.parse(
                "{name: 'w', type: 'timeseries', options: {timeseries: {timeField: 't', metaField:"
                    + " 'm', granularity: 'seconds', bucketMaxSpanSeconds: 3600}}, info:"
                    + " {readOnly: false}}"));
    assertThat(batch(ok("{listIndexes: 'w'}"))).hasSize(1);
    assertThat(ok("{delete: 'w', deletes: [{q: {m: 1}, limit: 0}]}").getNumber("n").intValue())
        .isEqualTo(1);
    ok("{drop: 'w'}");
    assertThat(batch(ok("{listCollections: 1}"))).isEmpty();
  }

  @Test
  void indexes_of_a_time_series_collection_are_made_changed_and_dropped() throws Exception {
    ok("{create: 'w', timeseries: {timeField: 't', metaField: 'm'}}");
    ok("{createIndexes: 'w', indexes: [{key: {x: 1}, name: 'x_1'}]}");
    ok(
        "{createIndexes: 'w', indexes: [{key: {y: 1}, name: 'y_1', partialFilterExpression: {m:"
            + " 1}}]}");
    ok("{collMod: 'w', index: {keyPattern: {x: 1}, hidden: true}}");
    assertThat(batch(ok("{listIndexes: 'w'}")))
        .extracting(index -> index.getDocument("key").toJson())
        .containsExactly("{\"m\": 1, \"t\": 1}", "{\"x\": 1}", "{\"y\": 1}");
    ok("{dropIndexes: 'w', index: {x: 1}}");
    assertThat(batch(ok("{listIndexes: 'w'}"))).hasSize(2);
  }
}
