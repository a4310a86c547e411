// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.failpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.server.RawClient;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FailCommandTest {
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

  private void set(String mode, String data) throws WireException {
    BsonDocument reply =
        client.run(
            "admin", "{configureFailPoint: 'failCommand', mode: " + mode + ", data: " + data + "}");
    assertThat(RawClient.isOk(reply)).as(reply.toJson()).isTrue();
  }

  @Test
  void an_error_code_is_answered_instead_of_running_the_command() throws Exception {
    set("{times: 1}", "{failCommands: ['insert'], errorCode: 8000}");

    BsonDocument failed = client.run("db", "{insert: 'c', documents: [{_id: 1}]}");

    assertThat(RawClient.code(failed)).isEqualTo(8000);
    assertThat(failed.getString("codeName").getValue()).isEqualTo("AtlasError");
    assertThat(failed).doesNotContainKey("errorLabels");
    assertThat(client.run("db", "{count: 'c'}").getNumber("n").intValue()).isZero();
    assertThat(RawClient.isOk(client.run("db", "{insert: 'c', documents: [{_id: 1}]}"))).isTrue();
  }

  @Test
  void labels_that_are_given_are_in_the_reply() throws Exception {
    set(
        "{times: 1}",
        "{failCommands: ['find'], errorCode: 6, errorLabels: ['RetryableWriteError', 'Mine']}");

    assertThat(client.run("db", "{find: 'c'}").getArray("errorLabels"))
        .containsExactly(new BsonString("RetryableWriteError"), new BsonString("Mine"));
  }

  @Test
  void a_closed_connection_gives_no_answer() throws Exception {
    set("{times: 1}", "{failCommands: ['ping'], closeConnection: true}");

    assertThatExceptionOfType(WireException.class).isThrownBy(() -> client.run("db", "{ping: 1}"));
    try (RawClient next = RawClient.of(server)) {
      assertThat(RawClient.isOk(next.run("db", "{ping: 1}"))).isTrue();
    }
  }

  @Test
  void a_blocked_connection_answers_later_and_maxTimeMS_still_counts() throws Exception {
    set("{times: 2}", "{failCommands: ['count'], blockConnection: true, blockTimeMS: 60}");

    long start = System.nanoTime();
    assertThat(RawClient.isOk(client.run("db", "{count: 'c'}"))).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThanOrEqualTo(Duration.ofMillis(60));
    assertThat(RawClient.code(client.run("db", "{count: 'c', maxTimeMS: 10}"))).isEqualTo(50);
  }

  @Test
  void a_write_concern_error_is_added_to_a_command_that_ran() throws Exception {
    set(
        "{times: 1}",
        "{failCommands: ['insert'], writeConcernError: {code: 91, codeName: 'ShutdownInProgress',"
            + " errmsg: 'x'}}");

    BsonDocument reply = client.run("db", "{insert: 'c', documents: [{_id: 1}]}");

    assertThat(RawClient.isOk(reply)).isTrue();
    assertThat(reply.getNumber("n").intValue()).isEqualTo(1);
    assertThat(reply.getDocument("writeConcernError").getNumber("code").intValue()).isEqualTo(91);
    assertThat(client.run("db", "{count: 'c'}").getNumber("n").intValue()).isEqualTo(1);
  }

  @Test
  void it_fails_only_the_application_that_is_named() throws Exception {
    set("'alwaysOn'", "{failCommands: ['ping'], errorCode: 6, appName: 'sick'}");

    assertThat(RawClient.isOk(client.run("db", "{ping: 1}"))).isTrue();
    try (RawClient sick = RawClient.of(server)) {
      sick.run(
          "admin",
          "{hello: 1, client: {driver: {name: 'd', version: '1'}, os: {type: 'L'}, application:"
              + " {name: 'sick'}}}");
      assertThat(RawClient.code(sick.run("db", "{ping: 1}"))).isEqualTo(6);
    }
  }

  @Test
  void unknown_fields_are_refused() throws Exception {
    assertThat(
            RawClient.code(
                client.run(
                    "admin",
                    "{configureFailPoint: 'failCommand', mode: 'alwaysOn', data: {failCommands:"
                        + " ['find'], errorKode: 1}}")))
        .isEqualTo(2);
    assertThat(RawClient.code(client.run("db", "{configureFailPoint: 'failCommand', mode: 'off'}")))
        .isEqualTo(13);
  }

  @Test
  void turning_it_off_tells_how_often_it_acted() throws Exception {
    set("'alwaysOn'", "{failCommands: ['ping'], errorCode: 6}");
    client.run("db", "{ping: 1}");
    client.run("db", "{ping: 1}");

    BsonDocument off = client.run("admin", "{configureFailPoint: 'failCommand', mode: 'off'}");

    assertThat(off.getNumber("count").intValue()).isEqualTo(2);
    assertThat(RawClient.isOk(client.run("db", "{ping: 1}"))).isTrue();
  }
}
