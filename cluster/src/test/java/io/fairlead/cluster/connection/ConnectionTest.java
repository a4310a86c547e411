// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.connection.ClusterId;
import io.fairlead.cluster.fake.FakeServer;
import io.fairlead.topology.HostAddress;
import io.fairlead.wire.channel.DialOptions;
import io.fairlead.wire.channel.InProcessAddresses;
import io.fairlead.wire.channel.MessageChannel;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.ReadTimeoutException;
import io.fairlead.wire.message.WireException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

class ConnectionTest {
  private static Connector connector(HostAddress server) {
    return new Connector(
        server,
        new ClusterId(),
        new Handshake(new ClientMetadata("app"), List.of(), null),
        Duration.ofSeconds(1),
        new AtomicLong());
  }

  private static Connection open(HostAddress server) throws IOException {
    Connector connector = connector(server);
    return connector.open(connector.nextId());
  }

  private static Message ping() {
    return Message.command(
        new BsonDocument("ping", new BsonInt32(1)).append("$db", new BsonString("admin")));
  }

  @Test
  void a_reply_to_something_else_breaks_the_connection() throws Exception {
    String host = "foreign-replies.inprocess";
    InProcessAddresses.Registration served =
        InProcessAddresses.register(
            host,
            27017,
            DialOptions.MESSAGE_BYTES_LIMIT,
            channel -> Thread.ofVirtual().start(() -> answerForeign(channel)));
    try {
      Connection connection = open(new HostAddress(host, 27017));
      assertThatThrownBy(() -> connection.exchange(ping(), Duration.ofSeconds(1)))
          .isInstanceOf(UnexpectedReplyException.class);
      assertThat(connection.isUsable()).isFalse();
    } finally {
      served.end();
    }
  }

  /** Shakes hands, then answers another request than the one that was made. */
  private static void answerForeign(MessageChannel channel) {
    try (channel) {
      channel.send(Message.reply(channel.receive(Duration.ofSeconds(5)), FakeServer.mongosHello()));
      Message request = channel.receive(Duration.ofSeconds(5));
      channel.send(Message.reply(request, FakeServer.ok()).withResponseTo(request.requestId() - 1));
      channel.receive(Duration.ofSeconds(5));
    } catch (WireException gone) {
      // the client closes, as it should
    }
  }

  @Test
  void after_a_reply_that_came_too_late_the_connection_is_not_used_again() throws Exception {
    try (FakeServer server = FakeServer.standalone()) {
      Connection connection = open(server.address());
      server.on("ping", command -> null);
      assertThatThrownBy(() -> connection.exchange(ping(), Duration.ofMillis(20)))
          .isInstanceOf(ReadTimeoutException.class);
      assertThat(connection.isUsable()).isFalse();
    }
  }

  @Test
  void a_handshake_answered_with_an_error_is_refused_with_that_answer() {
    try (FakeServer server = FakeServer.inProcess().says(FakeServer.error(18))) {
      assertThatThrownBy(() -> open(server.address()))
          .isInstanceOfSatisfying(
              Handshake.RefusedException.class,
              refused -> {
                assertThat(refused.reply().getInt32("code").getValue()).isEqualTo(18);
                assertThat(OverloadLabels.of(refused)).isEmpty();
              });
    }
  }

  @Test
  void a_server_that_takes_no_connection_may_be_overloaded() {
    assertThatThrownBy(() -> open(new HostAddress("not-served.inprocess", 27017)))
        .isInstanceOfSatisfying(
            IOException.class,
            failure ->
                assertThat(OverloadLabels.of(failure))
                    .containsExactlyInAnyOrder("SystemOverloadedError", "RetryableError"));
  }
}
