// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.RawClient;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DiagnosticsTest {
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

  @Test
  void serverStatus_counts_what_happened() throws Exception {
    client.run("db", "{insert: 'c', documents: [{}, {}]}");
    client.run("db", "{find: 'c'}");

    BsonDocument status = client.run("admin", "{serverStatus: 1}");

    assertThat(status.getDocument("opcounters").getNumber("insert").intValue()).isEqualTo(2);
    assertThat(status.getDocument("opcounters").getNumber("query").intValue()).isEqualTo(1);
    assertThat(status.getDocument("connections").getNumber("current").intValue()).isEqualTo(1);
    assertThat(server.commandsServed("find")).isEqualTo(1);
  }

  @Test
  void parameters_are_told_and_not_set() throws Exception {
    BsonDocument one = client.run("admin", "{getParameter: 1, featureCompatibilityVersion: 1}");
    assertThat(one.getDocument("featureCompatibilityVersion").getString("version").getValue())
        .isEqualTo("8.0");
    BsonDocument api = client.run("admin", "{getParameter: 1, requireApiVersion: 1}");
    assertThat(api.getBoolean("requireApiVersion").getValue()).isFalse();
    assertThat(RawClient.code(client.run("admin", "{setParameter: 1, requireApiVersion: true}")))
        .isEqualTo(20);
    assertThat(RawClient.code(client.run("admin", "{getParameter: 1, nonsense: 1}"))).isEqualTo(72);
    assertThat(RawClient.code(client.run("admin", "{setParameter: 1, nonsense: 1}"))).isEqualTo(72);
  }

  @Test
  void a_running_operation_is_listed_and_can_be_killed() throws Exception {
    client.run(
        "admin",
        "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['count'],"
            + " blockConnection: true, blockTimeMS: 20000}}");
    try (RawClient blocked = RawClient.of(server)) {
      CompletableFuture<BsonDocument> reply = new CompletableFuture<>();
      Thread.ofVirtual()
          .name("blocked count")
          .start(
              () -> {
                try {
                  reply.complete(blocked.run("db", "{count: 'c'}"));
                } catch (Exception failed) {
                  reply.completeExceptionally(failed);
                }
              });
      client.run("admin", "{waitForFailPoint: 'failCommand', timesEntered: 1, maxTimeMS: 10000}");
      BsonDocument operations = client.run("admin", "{currentOp: 1}");
      long id =
          operations.getArray("inprog").stream()
              .map(operation -> operation.asDocument())
              .filter(operation -> operation.getDocument("command").containsKey("count"))
              .findFirst()
              .orElseThrow()
              .getInt64("opid")
              .getValue();

      client.run(
          "admin", new BsonDocument("killOp", new BsonInt32(1)).append("op", new BsonInt64(id)));

      assertThat(RawClient.code(reply.get(10, TimeUnit.SECONDS))).isEqualTo(11601);
      assertThat(RawClient.isOk(blocked.run("db", "{ping: 1}"))).isTrue();
    }
  }

  @Test
  void the_shell_finds_what_it_asks_for_at_start() throws Exception {
    for (String command :
        new String[] {
          "{buildInfo: 1}",
          "{getCmdLineOpts: 1}",
          "{getLog: 'startupWarnings'}",
          "{hostInfo: 1}",
          "{connectionStatus: 1, showPrivileges: true}"
        }) {
      assertThat(RawClient.isOk(client.run("admin", command))).as(command).isTrue();
    }
    assertThat(client.run("admin", "{getLog: '*'}").getArray("names"))
        .contains(new BsonString("startupWarnings"));
  }
}
