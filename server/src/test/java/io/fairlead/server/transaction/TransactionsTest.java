// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.RawClient;
import io.fairlead.server.TestSet;
import java.util.Base64;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TransactionsTest {
  private static TestSet set;
  private static RawClient primary;
  private static int sessions;

  /** A session of a client: its id, and the number of its transaction. */
  private static final class Session {
    private final String lsid;
    private int number;

    Session() {
      byte[] id = new byte[16];
      id[14] = (byte) (++sessions >> 8);
      id[15] = (byte) sessions;
      lsid =
          "lsid: {id: {$binary: {base64: '"
              + Base64.getEncoder().encodeToString(id)
              + "', subType: '04'}}}";
    }

    BsonDocument start(String command) throws Exception {
      number++;
      return run("db", command, ", startTransaction: true");
    }

    BsonDocument run(String command) throws Exception {
      return run("db", command, "");
    }

    BsonDocument commit() throws Exception {
      return run("admin", "{commitTransaction: 1}", "");
    }

    BsonDocument abort() throws Exception {
      return run("admin", "{abortTransaction: 1}", "");
    }

    private BsonDocument run(String database, String command, String more) throws Exception {
      return primary.run(
          database,
          command.substring(0, command.length() - 1)
              + ", "
              + lsid
              + ", txnNumber: {$numberLong: '"
              + number
              + "'}, autocommit: false"
              + more
              + "}");
    }
  }

  @BeforeAll
  static void start() throws Exception {
    set = TestSet.start(2);
    primary = RawClient.of(set.member(0));
  }

  @AfterAll
  static void stop() {
    primary.close();
    set.close();
  }

  @BeforeEach
  void fill() throws Exception {
    primary.run("db", "{drop: 'c'}");
    primary.run("db", "{drop: 'd'}");
    primary.run("db", "{insert: 'c', documents: [{_id: 1, v: 0}, {_id: 2, v: 0}]}");
    primary.run("db", "{create: 'd'}");
  }

  private static void assertOk(BsonDocument reply) {
    assertThat(RawClient.isOk(reply)).as(reply.toJson()).isTrue();
  }

  private static int count(RawClient client, String collection) throws Exception {
    return client
        .run("db", "{count: '" + collection + "', $readPreference: {mode: 'secondaryPreferred'}}")
        .getNumber("n")
        .intValue();
  }

  private static boolean isTransient(BsonDocument reply) {
    return reply
        .getArray("errorLabels", new BsonArray())
        .contains(new BsonString("TransientTransactionError"));
  }

  @Test
  void nobody_sees_what_is_not_committed_and_everybody_sees_it_afterwards() throws Exception {
    Session session = new Session();
    assertOk(session.start("{insert: 'c', documents: [{_id: 3}]}"));
    assertOk(session.run("{insert: 'd', documents: [{_id: 1}]}"));

    assertThat(count(primary, "c")).isEqualTo(2);
    assertThat(session.run("{find: 'c'}").getDocument("cursor").getArray("firstBatch"))
        .as("the transaction itself sees it")
        .hasSize(3);

    assertOk(session.commit());

    assertThat(count(primary, "c")).isEqualTo(3);
    assertThat(count(primary, "d")).isEqualTo(1);
  }

  @Test
  void an_aborted_transaction_leaves_nothing() throws Exception {
    Session session = new Session();
    session.start("{update: 'c', updates: [{q: {}, u: {$set: {v: 1}}, multi: true}]}");

    assertOk(session.abort());

    assertThat(RawClient.code(session.commit())).isEqualTo(251);
    BsonDocument changed = primary.run("db", "{count: 'c', query: {v: 1}}");
    assertThat(changed.getNumber("n").intValue()).isZero();
  }

  @Test
  void a_commit_is_one_entry_of_the_log_and_reaches_the_secondary_whole() throws Exception {
    Session session = new Session();
    session.start("{insert: 'c', documents: [{_id: 3}, {_id: 4}]}");
    session.run("{delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]}");
    session.run("{create: 'made'}");
    session.run("{insert: 'made', documents: [{_id: 1}]}");
    assertOk(
        session.run("admin", "{commitTransaction: 1, writeConcern: {w: 2, wtimeout: 20000}}", ""));

    BsonArray entries =
        primary
            .run(
                "local",
                "{find: 'oplog.rs', filter: {'o.applyOps': {$exists: true}}, sort: {$natural: -1},"
                    + " limit: 1}")
            .getDocument("cursor")
            .getArray("firstBatch");
    BsonArray operations = entries.get(0).asDocument().getDocument("o").getArray("applyOps");
    assertThat(operations.stream().map(each -> each.asDocument().getString("op").getValue()))
        .containsExactly("i", "i", "d", "c", "i");
    try (RawClient secondary = RawClient.of(set.member(1))) {
      assertThat(count(secondary, "c")).isEqualTo(3);
      assertThat(count(secondary, "made")).isEqualTo(1);
      BsonDocument record =
          secondary
              .run(
                  "config",
                  "{find: 'transactions', filter: {state: 'committed'},"
                      + " $readPreference: {mode: 'secondary'}, sort: {lastWriteDate: -1}}")
              .getDocument("cursor")
              .getArray("firstBatch")
              .get(0)
              .asDocument();
      assertThat(record.getNumber("txnNum").intValue()).isEqualTo(1);
    }
    primary.run("db", "{drop: 'made'}");
  }

  @Test
  void a_repeated_commit_is_answered_as_the_first() throws Exception {
    Session session = new Session();
    session.start("{insert: 'c', documents: [{_id: 3}]}");

    assertOk(session.commit());
    assertOk(session.commit());

    assertThat(RawClient.code(session.abort())).isEqualTo(256);
    assertThat(RawClient.code(session.run("{find: 'c'}"))).isEqualTo(256);
    assertThat(count(primary, "c")).isEqualTo(3);
  }

  @Test
  void the_second_writer_of_a_document_meets_a_transient_write_conflict() throws Exception {
    Session one = new Session();
    Session other = new Session();
    String update = "{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {v: 1}}}]}";
    assertOk(one.start(update));

    BsonDocument conflict = other.start(update);

    assertThat(RawClient.code(conflict)).isEqualTo(112);
    assertThat(isTransient(conflict)).isTrue();
    assertThat(RawClient.code(other.commit())).isEqualTo(251);
    assertOk(one.commit());
  }

  @Test
  void an_end_that_fails_with_its_transaction_says_that_all_of_it_may_be_run_again()
      throws Exception {
    for (int code : new int[] {24, 112, 246, 267}) {
      assertThat(isTransient(failedCommit(code))).as("code " + code).isTrue();
    }
  }

  @Test
  void an_end_whose_reply_may_be_lost_is_tried_again_alone() throws Exception {
    BsonDocument commit = failedCommit(91);
    assertThat(isTransient(commit)).isFalse();
    assertThat(commit.getArray("errorLabels")).contains(new BsonString("RetryableWriteError"));
  }

  private static BsonDocument failedCommit(int code) throws Exception {
    Session session = new Session();
    assertOk(session.start("{insert: 'd', documents: [{_id: " + code + "}]}"));
    assertOk(
        primary.run(
            "admin",
            "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands:"
                + " ['commitTransaction'], errorCode: "
                + code
                + "}}"));
    BsonDocument commit = session.commit();
    assertThat(RawClient.code(commit)).isEqualTo(code);
    assertOk(session.abort());
    return commit;
  }

  @Test
  void a_write_error_ends_the_transaction_and_is_not_transient() throws Exception {
    Session session = new Session();
    session.start("{insert: 'd', documents: [{_id: 1}]}");

    BsonDocument duplicate =
        session.run("{insert: 'c', documents: [{_id: 9}, {_id: 1}, {_id: 10}], ordered: false}");

    assertOk(duplicate);
    BsonValue error = duplicate.getArray("writeErrors").get(0);
    assertThat(error.asDocument().getNumber("code").intValue()).isEqualTo(11000);
    assertThat(isTransient(duplicate)).isFalse();
    BsonDocument commit = session.commit();
    assertThat(RawClient.code(commit)).isEqualTo(251);
    assertThat(isTransient(commit)).isTrue();
    assertThat(count(primary, "d")).isZero();
  }

  @Test
  void a_transaction_reads_the_state_on_which_it_began() throws Exception {
    Session session = new Session();
    session.start("{find: 'c'}");
    primary.run("db", "{insert: 'c', documents: [{_id: 5}]}");

    BsonDocument reply = session.run("{find: 'c'}");

    assertThat(reply.getDocument("cursor").getArray("firstBatch")).hasSize(2);
    assertOk(session.commit());
  }

  @Test
  void a_newer_number_ends_the_transaction_before_it() throws Exception {
    Session session = new Session();
    session.start("{insert: 'c', documents: [{_id: 3}]}");
    assertOk(session.start("{insert: 'c', documents: [{_id: 3}]}"));
    session.number--;

    assertThat(RawClient.code(session.commit())).isEqualTo(225);

    session.number++;
    assertOk(session.commit());
    assertThat(count(primary, "c")).isEqualTo(3);
  }

  @Test
  void the_end_of_the_session_ends_its_transaction() throws Exception {
    Session session = new Session();
    session.start("{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {v: 1}}}]}");

    primary.run("admin", "{endSessions: [" + session.lsid.substring("lsid: ".length()) + "]}");

    assertThat(RawClient.code(session.commit())).isEqualTo(251);
    assertOk(primary.run("db", "{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {v: 1}}}]}"));
  }

  @Test
  void what_no_transaction_may_do_is_refused_by_name() throws Exception {
    Session session = new Session();

    assertThat(RawClient.code(session.start("{count: 'c'}"))).isEqualTo(263);
    assertThat(RawClient.code(session.start("{drop: 'c'}"))).isEqualTo(263);
    assertThat(RawClient.code(session.run("config", "{find: 'x'}", ", startTransaction: true")))
        .isEqualTo(263);
    assertThat(
            RawClient.code(session.start("{insert: 'c', documents: [{}], writeConcern: {w: 1}}")))
        .isEqualTo(72);
    assertThat(RawClient.code(session.start("{find: 'c', $readPreference: {mode: 'secondary'}}")))
        .isEqualTo(72);
    assertThat(RawClient.code(session.start("{find: 'c', readConcern: {level: 'linearizable'}}")))
        .isEqualTo(72);
  }

  @Test
  void only_the_first_command_says_what_is_read() throws Exception {
    Session session = new Session();
    assertOk(session.start("{find: 'c', readConcern: {level: 'snapshot'}}"));

    assertThat(RawClient.code(session.run("{find: 'c', readConcern: {level: 'snapshot'}}")))
        .isEqualTo(72);
  }

  @Test
  void a_step_down_ends_transactions_under_way() throws Exception {
    try (TestSet other = TestSet.start(1);
        RawClient client = RawClient.of(other.member(0))) {
      RawClient before = primary;
      primary = client;
      try {
        client.run("db", "{insert: 'c', documents: [{_id: 1, v: 0}]}");
        Session session = new Session();
        assertOk(session.start("{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {v: 1}}}]}"));

        assertOk(client.run("admin", "{replSetStepDown: 1, force: true}"));
        other.awaitHello(0, "isWritablePrimary");

        BsonDocument commit = session.commit();
        assertThat(RawClient.code(commit)).as(commit.toJson()).isEqualTo(251);
        BsonDocument untouched = client.run("db", "{count: 'c', query: {v: 0}}");
        assertThat(untouched.getNumber("n").intValue()).isEqualTo(1);
      } finally {
        primary = before;
      }
    }
  }
}
