// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoClientException;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.fairlead.driver.session.ClientSessions;
import io.fairlead.driver.session.Transactions;
import java.util.List;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.Test;

class SessionTest {
  private final FakeDeployment deployment = new FakeDeployment();
  private final MongoCollection<Document> things = deployment.database().getCollection("things");

  @Test
  void every_operation_of_a_session_runs_in_it_and_leaves_it_open() {
    deployment.answer("{ok: 1, n: 1}").answer(FindTest.batch(7, "")).answer(FindTest.next(0, ""));
    try (ClientSession session = start(ClientSessionOptions.builder().build())) {
      things.insertOne(session, new Document());
      things.find(session).first();
      assertThat(session.getServerSession().getIdentifier()).containsKey("id");
    }

    assertThat(deployment.operations()).extracting(each -> each.session()).doesNotContainNull();
    assertThat(deployment.operations().get(0).session())
        .isSameAs(deployment.operations().get(1).session());
    assertThat(deployment.implicitSessions()).isEmpty();
  }

  @Test
  void the_session_moves_forward_in_time_as_it_is_told() {
    try (ClientSession session = start(ClientSessionOptions.builder().build())) {
      session.advanceOperationTime(new BsonTimestamp(5, 1));
      session.advanceOperationTime(new BsonTimestamp(4, 1));

      assertThat(session.getOperationTime()).isEqualTo(new BsonTimestamp(5, 1));
      assertThat(session.isCausallyConsistent()).isTrue();
      assertThat(session.hasActiveTransaction()).isFalse();
    }
  }

  @Test
  void a_transaction_that_did_nothing_is_not_sent_and_its_calls_keep_their_order() {
    try (ClientSession session = start(ClientSessionOptions.builder().build())) {
      assertThatThrownBy(session::commitTransaction)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no transaction started");
      session.startTransaction();
      assertThat(session.hasActiveTransaction()).isTrue();
      assertThatThrownBy(session::startTransaction).isInstanceOf(IllegalStateException.class);
      session.commitTransaction();
      assertThat(session.hasActiveTransaction()).isFalse();
      assertThatThrownBy(session::abortTransaction)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("after calling commitTransaction");
    }
    assertThat(deployment.operations()).isEmpty();
  }

  @Test
  void a_snapshot_session_has_no_transactions_and_is_not_causally_consistent() {
    try (ClientSession session = start(ClientSessionOptions.builder().snapshot(true).build())) {
      assertThat(session.isCausallyConsistent()).isFalse();
      assertThat(session.getSnapshotTimestamp()).isNull();
      assertThatThrownBy(session::startTransaction)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("snapshot sessions");
    }
    assertThatThrownBy(
            () ->
                start(
                    ClientSessionOptions.builder().snapshot(true).causallyConsistent(true).build()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_session_of_another_client_and_a_closed_one_are_refused() {
    ClientSession foreign =
        ClientSessions.start(
            new Object(),
            deployment.pool(),
            new Transactions(deployment::execute),
            ClientSessionOptions.builder().build(),
            TransactionOptions.builder().build());
    ClientSession closed = start(ClientSessionOptions.builder().build());
    closed.close();

    for (ClientSession unusable : List.of(foreign, closed)) {
      assertThatThrownBy(() -> things.insertOne(unusable, new Document()))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void an_unacknowledged_write_is_refused_in_a_session() {
    try (ClientSession session = start(ClientSessionOptions.builder().build())) {
      assertThatThrownBy(
              () ->
                  things
                      .withWriteConcern(WriteConcern.UNACKNOWLEDGED)
                      .insertOne(session, new Document()))
          .isInstanceOf(MongoClientException.class);
    }
  }

  @Test
  void two_sessions_are_equal_only_to_themselves() {
    try (ClientSession one = start(ClientSessionOptions.builder().build());
        ClientSession other = start(ClientSessionOptions.builder().build())) {
      assertThat(List.of(one)).contains(one).doesNotContain(other);
      assertThat(one.toString()).contains("ClientSession");
    }
  }

  private ClientSession start(ClientSessionOptions options) {
    return ClientSessions.start(
        deployment,
        deployment.pool(),
        new Transactions(deployment::execute),
        options,
        TransactionOptions.builder().build());
  }
}
