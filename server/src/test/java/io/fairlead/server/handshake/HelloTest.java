// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.RawClient;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import io.fairlead.wire.message.Message;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class HelloTest {
  private static Server server;

  @BeforeAll
  static void start() {
    server = Server.start(ServerSettings.standalone(0));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void hello_says_who_we_are_and_what_we_take() throws Exception {
    try (RawClient client = RawClient.of(server)) {
      BsonDocument hello =
          client.run("admin", "{hello: 1, helloOk: true, compression: ['zlib', 'made-up']}");

      assertThat(hello.getBoolean("isWritablePrimary").getValue()).isTrue();
      assertThat(hello.getBoolean("helloOk").getValue()).isTrue();
      assertThat(hello.getInt32("minWireVersion").getValue()).isZero();
      assertThat(hello.getInt32("maxWireVersion").getValue()).isEqualTo(25);
      assertThat(hello.getInt32("maxBsonObjectSize").getValue()).isEqualTo(16_777_216);
      assertThat(hello.getInt32("maxMessageSizeBytes").getValue()).isEqualTo(48_000_000);
      assertThat(hello.getInt32("maxWriteBatchSize").getValue()).isEqualTo(100_000);
      assertThat(hello.getInt32("logicalSessionTimeoutMinutes").getValue()).isEqualTo(30);
      assertThat(hello.getArray("compression")).containsExactly(new BsonString("zlib"));
      assertThat(hello)
          .containsKeys("topologyVersion", "connectionId", "localTime")
          .doesNotContainKey("saslSupportedMechs");
    }
  }

  @Test
  void the_legacy_handshake_by_OP_QUERY_is_answered_with_its_own_words() throws Exception {
    try (RawClient client = RawClient.of(server)) {
      BsonDocument reply =
          client.send(
              Message.legacyCommand(
                  BsonDocument.parse("{ismaster: 1, helloOk: true, $db: 'admin'}")));

      assertThat(reply.getBoolean("ismaster").getValue()).isTrue();
      assertThat(reply).doesNotContainKey("isWritablePrimary");
    }
  }

  @Test
  void other_commands_by_OP_QUERY_are_refused() throws Exception {
    try (RawClient client = RawClient.of(server)) {
      BsonDocument reply =
          client.send(Message.legacyCommand(BsonDocument.parse("{find: 'c', $db: 'db'}")));
      assertThat(RawClient.code(reply)).isEqualTo(352);
    }
  }

  @Test
  void client_metadata_is_checked_and_stands() throws Exception {
    String good =
        "{driver: {name: 'd', version: '1'}, os: {type: 'Linux'}, application: {name: 'app'}}";
    try (RawClient client = RawClient.of(server)) {
      assertThat(
              RawClient.code(
                  client.run("admin", "{hello: 1, client: {driver: {name: 'd', version: '1'}}}")))
          .isEqualTo(183);
      String longName = "x".repeat(129);
      assertThat(
              RawClient.code(
                  client.run(
                      "admin",
                      "{hello: 1, client: {driver: {name: 'd', version: '1'}, os: {type: 'L'},"
                          + " application: {name: '"
                          + longName
                          + "'}}}")))
          .isEqualTo(184);
      assertThat(RawClient.isOk(client.run("admin", "{hello: 1, client: " + good + "}"))).isTrue();
      assertThat(RawClient.code(client.run("admin", "{hello: 1, client: " + good + "}")))
          .isEqualTo(186);
    }
  }

  @Test
  void an_awaited_hello_answers_when_the_time_is_over_and_streams_on_where_exhaust_is_allowed()
      throws Exception {
    try (RawClient client = RawClient.of(server)) {
      BsonDocument version = client.run("admin", "{hello: 1}").getDocument("topologyVersion");
      BsonDocument awaiting =
          BsonDocument.parse("{hello: 1, $db: 'admin'}")
              .append("topologyVersion", version)
              .append("maxAwaitTimeMS", new BsonInt32(20));
      client.sendOnly(Message.command(awaiting, List.of()).withFlags(Message.EXHAUST_ALLOWED));

      Message first = client.receive();
      Message second = client.receive();

      assertThat(first.moreToCome()).isTrue();
      assertThat(second.responseTo()).isEqualTo(first.requestId());
      assertThat(second.body().getDocument("topologyVersion")).isEqualTo(version);
    }
  }

  @Test
  void a_topology_version_and_a_wait_come_together() throws Exception {
    try (RawClient client = RawClient.of(server)) {
      assertThat(RawClient.code(client.run("admin", "{hello: 1, maxAwaitTimeMS: 10}")))
          .isEqualTo(31368);
    }
  }

  @Test
  void the_server_says_its_version_and_that_it_is_fairlead() throws Exception {
    try (RawClient client = RawClient.of(server)) {
      BsonDocument info = client.run("admin", "{buildInfo: 1}");
      assertThat(info.getString("version").getValue()).startsWith("8.0.");
      assertThat(info.getArray("modules")).containsExactly(new BsonString("fairlead"));
      assertThat(RawClient.isOk(client.run("admin", "{connectionStatus: 1}"))).isTrue();
      assertThat(client.run("admin", "{whatsmyuri: 1}").getString("you").getValue()).contains(":");
    }
  }
}
