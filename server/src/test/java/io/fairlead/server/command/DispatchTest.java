// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.RawClient;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import io.fairlead.wire.message.Message;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DispatchTest {
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{foo: 1} | 59 | CommandNotFound",
        "{atlasVersion: 1} | 59 | CommandNotFound",
        "{find: 'c', frob: 1} | 40415 | Location40415",
        "{find: 'c', filter: 1} | 14 | TypeMismatch",
        "{find: 'c', skip: -1} | 51024 | Location51024",
        "{find: ''} | 73 | InvalidNamespace",
        "{find: 1} | 73 | InvalidNamespace",
        "{ping: 1, apiVersion: '2'} | 322 | APIVersionError",
        "{serverStatus: 1, apiVersion: '1', apiStrict: true} | 323 | APIStrictError",
        "{ping: 1, apiStrict: true} | 4886600 | Location4886600",
        "{find: 'c', $readPreference: {mode: 'primary', tags: [{a: 'b'}]}} | 2 | BadValue",
        "{find: 'c', $readPreference: {mode: 'sideways'}} | 9 | FailedToParse",
        "{insert: 'c', documents: [{}], txnNumber: {$numberLong: '1'}} | 72 | InvalidOptions",
        "{insert: 'c', documents: [{}], startTransaction: true, autocommit: false} | 72 |"
            + " InvalidOptions",
        "{aggregate: 'c', pipeline: []} | 9 | FailedToParse",
        "{ping: 1, writeConcern: {w: 1}} | 72 | InvalidOptions",
        "{replSetGetStatus: 1} | 76 | NoReplicationEnabled",
        "{saslStart: 1, mechanism: 'SCRAM-SHA-256'} | 18 | AuthenticationFailed",
        "{getMore: {$numberLong: '7'}, collection: 'c'} | 43 | CursorNotFound",
        "{getMore: 7, collection: 'c'} | 14 | TypeMismatch",
        "{insert: 'c', documents: []} | 16 | InvalidLength"
      })
  void what_cannot_be_done_is_refused_with_mongodbs_code(String command, int code, String name)
      throws Exception {
    BsonDocument reply = client.run("admin", command);

    assertThat(RawClient.isOk(reply)).isFalse();
    assertThat(reply.getString("errmsg").getValue()).isNotEmpty();
    assertThat(RawClient.code(reply)).as("%s", reply.toJson()).isEqualTo(code);
    assertThat(reply.getString("codeName").getValue()).isEqualTo(name);
  }

  @Test
  void an_unknown_command_is_named_in_the_message() throws Exception {
    assertThat(client.run("db", "{foo: 1}").getString("errmsg").getValue())
        .isEqualTo("no such command: 'foo'");
  }

  @Test
  void a_command_without_database_is_refused_and_the_connection_lives_on() throws Exception {
    assertThat(
            RawClient.code(
                client.send(Message.command(BsonDocument.parse("{ping: 1}"), List.of()))))
        .isEqualTo(40571);
    assertThat(RawClient.isOk(client.run("db", "{ping: 1}"))).isTrue();
  }

  @Test
  void admin_commands_are_refused_elsewhere() throws Exception {
    assertThat(RawClient.code(client.run("db", "{listDatabases: 1}"))).isEqualTo(13);
  }

  @Test
  void listCommands_follows_from_the_table() throws Exception {
    BsonDocument commands = client.run("admin", "{listCommands: 1}").getDocument("commands");

    assertThat(commands.getDocument("find").getBoolean("secondaryOverrideOk").getValue()).isTrue();
    assertThat(commands.getDocument("insert").getBoolean("secondaryOk").getValue()).isFalse();
    assertThat(commands.getDocument("hello").getBoolean("secondaryOk").getValue()).isTrue();
    assertThat(commands).doesNotContainKey("_fairleadSetShardVersion");
  }

  @Test
  void a_request_that_wants_no_reply_gets_none() throws Exception {
    client.sendOnly(
        Message.command(
                BsonDocument.parse(
                    "{insert: 'quiet', documents: [{_id: 1}], writeConcern: {w: 0}, $db: 'db'}"),
                List.of())
            .withFlags(Message.MORE_TO_COME));
    assertThat(client.run("db", "{ping: 1}")).containsOnlyKeys("ok");
  }
}
