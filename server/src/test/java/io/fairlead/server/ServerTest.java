// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ServerTest {
  @Test
  @Timeout(30)
  void closing_ends_what_runs_and_frees_the_port() throws Exception {
    Server server = Server.start(ServerSettings.standalone(0));
    int port = server.port();
    try (RawClient client = RawClient.of(server);
        RawClient setter = RawClient.of(server)) {
      setter.run(
          "admin",
          "{configureFailPoint: 'failCommand', mode: 'alwaysOn',"
              + " data: {failCommands: ['count'], blockConnection: true, blockTimeMS: 600000}}");
      CompletableFuture<BsonDocument> blocked = new CompletableFuture<>();
      Thread.ofVirtual()
          .name("blocked count")
          .start(
              () -> {
                try {
                  blocked.complete(client.run("db", "{count: 'c'}"));
                } catch (WireException closed) {
                  blocked.completeExceptionally(closed);
                }
              });
      setter.run("admin", "{waitForFailPoint: 'failCommand', timesEntered: 1, maxTimeMS: 10000}");

      server.close();

      assertEnded(blocked);
    }
    try (Server again = Server.start(ServerSettings.standalone(port))) {
      assertThat(again.port()).isEqualTo(port);
    }
  }

  /** Either the error reached the client, or its connection was closed first. */
  private static void assertEnded(CompletableFuture<BsonDocument> blocked) throws Exception {
    try {
      assertThat(RawClient.code(blocked.get(10, TimeUnit.SECONDS))).isEqualTo(11600);
    } catch (ExecutionException closed) {
      assertThat(closed.getCause()).isInstanceOf(WireException.class);
    }
  }

  @Test
  void one_address_serves_sockets_and_this_jvm() throws Exception {
    try (Server server =
            Server.start(
                ServerSettings.standalone(0).withTransport(ServerSettings.Transport.BOTH));
        RawClient client = RawClient.of(server)) {
      assertThat(RawClient.isOk(client.run("db", "{ping: 1}"))).isTrue();
    }
  }

  @Test
  void a_setting_that_cannot_be_is_refused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> ServerSettings.standalone(70_000))
        .withMessageContaining("port");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(
            () ->
                ServerSettings.standalone(0)
                    .withTimeouts(Duration.ofSeconds(-1), Duration.ofMinutes(1)));
  }
}
