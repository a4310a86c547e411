// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.RawClient;
import io.fairlead.server.TestSet;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RetryableWritesTest {
  private static final String LSID =
      "lsid: {id: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAQ==', subType: '04'}}}";
  private static TestSet set;
  private static RawClient primary;
  private static int txnNumber;

  @BeforeAll
  static void start() throws Exception {
    set = TestSet.start(1);
    primary = RawClient.of(set.member(0));
  }

  @AfterAll
  static void stop() {
    primary.close();
    set.close();
  }

  @BeforeEach
  void empty() throws Exception {
    primary.run("db", "{drop: 'c'}");
    txnNumber++;
  }

  /** The command with the session and this test's number. */
  private static BsonDocument run(String command) throws Exception {
    return primary.run(
        "db",
        command.substring(0, command.length() - 1)
            + ", "
            + LSID
            + ", txnNumber: {$numberLong: '"
            + txnNumber
            + "'}}");
  }

  private static int count() throws Exception {
    return primary.run("db", "{count: 'c'}").getNumber("n").intValue();
  }

  @Test
  void a_repeated_insert_is_answered_and_not_applied_again() throws Exception {
    String insert = "{insert: 'c', documents: [{_id: 1}, {_id: 2}]}";

    BsonDocument first = run(insert);
    BsonDocument again = run(insert);

    assertThat(first.getNumber("n").intValue()).as(first.toJson()).isEqualTo(2);
    assertThat(again.getNumber("n").intValue()).as(again.toJson()).isEqualTo(2);
    assertThat(again).doesNotContainKeys("writeErrors", "upserted");
    assertThat(again.getArray("retriedStmtIds"))
        .containsExactly(new BsonInt32(0), new BsonInt32(1));
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void what_a_capped_collection_forgets_is_no_part_of_the_statement_that_made_it_forget()
      throws Exception {
    primary.run("db", "{create: 'c', capped: true, size: 100000, max: 2}");
    String insert = "{insert: 'c', documents: [{_id: 1}, {_id: 2}, {_id: 3}, {_id: 4}]}";

    BsonDocument first = run(insert);
    BsonDocument again = run(insert);

    assertThat(first.getNumber("n").intValue()).as(first.toJson()).isEqualTo(4);
    assertThat(again.getNumber("n").intValue()).as(again.toJson()).isEqualTo(4);
    assertThat(again.getArray("retriedStmtIds")).hasSize(4);
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void a_retry_does_what_the_first_attempt_did_not_reach() throws Exception {
    run("{insert: 'c', documents: [{_id: 1}]}");

    BsonDocument again = run("{insert: 'c', documents: [{_id: 1}, {_id: 2}]}");

    assertThat(again.getNumber("n").intValue()).isEqualTo(2);
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void a_repeated_increment_counts_once() throws Exception {
    primary.run("db", "{insert: 'c', documents: [{_id: 1, v: 0}]}");
    String update = "{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {v: 1}}}]}";

    run(update);
    BsonDocument again = run(update);

    assertThat(again.getNumber("n").intValue()).isEqualTo(1);
    assertThat(again.getNumber("nModified").intValue()).isEqualTo(1);
    assertThat(value(1)).isEqualTo(1);
  }

  private static int value(int id) throws Exception {
    return primary
        .run("db", "{find: 'c', filter: {_id: " + id + "}}")
        .getDocument("cursor")
        .getArray("firstBatch")
        .get(0)
        .asDocument()
        .getNumber("v")
        .intValue();
  }

  @Test
  void a_repeated_upsert_tells_the_same_id() throws Exception {
    String upsert = "{update: 'c', updates: [{q: {k: 1}, u: {$set: {v: 1}}, upsert: true}]}";

    BsonDocument first = run(upsert);
    BsonDocument again = run(upsert);

    assertThat(again.getArray("upserted")).isEqualTo(first.getArray("upserted"));
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void a_repeated_delete_deletes_one() throws Exception {
    primary.run("db", "{insert: 'c', documents: [{_id: 1, k: 1}, {_id: 2, k: 1}]}");
    String delete = "{delete: 'c', deletes: [{q: {k: 1}, limit: 1}]}";

    run(delete);

    assertThat(run(delete).getNumber("n").intValue()).isEqualTo(1);
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void a_repeated_findAndModify_answers_the_same_document() throws Exception {
    primary.run("db", "{insert: 'c', documents: [{_id: 1, v: 5}]}");
    String before = "{findAndModify: 'c', query: {_id: 1}, update: {$inc: {v: 1}}}";
    BsonDocument first = run(before);
    BsonDocument again = run(before);
    assertThat(first.getDocument("value")).isEqualTo(BsonDocument.parse("{_id: 1, v: 5}"));
    assertThat(again.getDocument("value")).isEqualTo(BsonDocument.parse("{_id: 1, v: 5}"));
    assertThat(value(1)).isEqualTo(6);

    txnNumber++;
    String after =
        "{findAndModify: 'c', query: {_id: 1}, update: {$inc: {v: 1}}, new: true, fields: {v: 1,"
            + " _id: 0}}";
    assertThat(run(after).getDocument("value")).isEqualTo(BsonDocument.parse("{v: 7}"));
    assertThat(run(after).getDocument("value")).isEqualTo(BsonDocument.parse("{v: 7}"));

    txnNumber++;
    String remove = "{findAndModify: 'c', query: {_id: 1}, remove: true}";
    assertThat(run(remove).getDocument("value")).isEqualTo(BsonDocument.parse("{_id: 1, v: 7}"));
    assertThat(run(remove).getDocument("value")).isEqualTo(BsonDocument.parse("{_id: 1, v: 7}"));
    assertThat(count()).isZero();
  }

  @Test
  void an_older_number_is_refused() throws Exception {
    run("{insert: 'c', documents: [{_id: 1}]}");
    txnNumber--;
    BsonDocument old = run("{insert: 'c', documents: [{_id: 2}]}");
    txnNumber++;
    assertThat(RawClient.code(old)).isEqualTo(225);
  }

  @Test
  void writes_on_many_cannot_be_retryable() throws Exception {
    BsonDocument reply = run("{update: 'c', updates: [{q: {}, u: {$set: {v: 1}}, multi: true}]}");
    assertThat(reply.getArray("writeErrors").get(0).asDocument().getNumber("code").intValue())
        .isEqualTo(72);
  }

  @Test
  void a_retryable_code_is_labelled_for_retryable_writes_only() throws Exception {
    String failPoint =
        "{configureFailPoint: 'failCommand', mode: {times: 2}, data: {failCommands: ['insert'],"
            + " errorCode: 91}}";
    primary.run("admin", failPoint);
    assertThat(run("{insert: 'c', documents: [{_id: 1}]}").getArray("errorLabels"))
        .containsExactly(new BsonString("RetryableWriteError"));
    assertThat(primary.run("db", "{insert: 'c', documents: [{_id: 1}]}"))
        .doesNotContainKey("errorLabels");
  }

  @Test
  void labels_that_a_fail_point_gives_replace_the_servers_own_even_when_there_are_none()
      throws Exception {
    primary.run(
        "admin",
        "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['insert'],"
            + " errorCode: 91, errorLabels: []}}");
    assertThat(run("{insert: 'c', documents: [{_id: 1}]}")).doesNotContainKey("errorLabels");
  }

  @Test
  void a_write_concern_error_of_a_retryable_code_is_labelled() throws Exception {
    primary.run(
        "admin",
        "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['insert'],"
            + " writeConcernError: {code: 91, errmsg: 'x'}}}");
    BsonDocument reply = run("{insert: 'c', documents: [{_id: 1}]}");
    assertThat(RawClient.isOk(reply)).isTrue();
    assertThat(reply.getArray("errorLabels"))
        .containsExactly(new BsonString("RetryableWriteError"));
  }

  @Test
  void replies_carry_the_cluster_time() throws Exception {
    assertThat(primary.run("db", "{ping: 1}")).containsKeys("$clusterTime", "operationTime");
  }
}
