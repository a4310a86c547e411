// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.bulk.ClientBulkWriteOptions.clientBulkWriteOptions;
import static com.mongodb.client.model.bulk.ClientNamespacedWriteModel.deleteMany;
import static com.mongodb.client.model.bulk.ClientNamespacedWriteModel.insertOne;
import static com.mongodb.client.model.bulk.ClientNamespacedWriteModel.replaceOne;
import static com.mongodb.client.model.bulk.ClientNamespacedWriteModel.updateOne;
import static com.mongodb.client.model.bulk.ClientUpdateOneOptions.clientUpdateOneOptions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.ClientBulkWriteException;
import com.mongodb.MongoClientException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoSocketReadException;
import com.mongodb.WriteConcern;
import com.mongodb.WriteError;
import com.mongodb.client.model.bulk.ClientBulkWriteResult;
import com.mongodb.client.model.bulk.ClientDeleteResult;
import com.mongodb.client.model.bulk.ClientInsertOneResult;
import com.mongodb.client.model.bulk.ClientNamespacedWriteModel;
import io.fairlead.topology.retry.Retryability;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.Test;

class ClientBulkWriteTest {
  private static final MongoNamespace FIRST = new MongoNamespace("db.first");
  private static final MongoNamespace SECOND = new MongoNamespace("db.second");
  private static final String ONE_INSERTED =
      "{ok: 1, nErrors: 0, nInserted: 1, nUpserted: 0, nMatched: 0, nModified: 0, nDeleted: 0,"
          + " cursor: {id: {$numberLong: '0'}, ns: 'admin.$cmd.bulkWrite', firstBatch: []}}";

  private final FakeDeployment deployment = new FakeDeployment();
  private final FairleadCluster cluster =
      new FairleadCluster(
          deployment.scope(null),
          (options, scope) -> {
            throw new AssertionError("no session is asked for");
          });

  private static ClientNamespacedWriteModel insert(MongoNamespace into, int id) {
    return insertOne(into, new Document("_id", id));
  }

  @Test
  void statements_on_several_collections_go_with_one_command() {
    deployment.answer(ONE_INSERTED);

    cluster.bulkWrite(
        List.of(
            insert(FIRST, 1),
            updateOne(
                SECOND,
                eq("a", 1),
                set("b", 2),
                clientUpdateOneOptions().upsert(true).sort(eq("a", 1)).hintString("a_1")),
            replaceOne(FIRST, eq("a", 2), new Document("c", 3)),
            deleteMany(SECOND, eq("a", 3))));

    assertThat(deployment.operation().database()).isEqualTo("admin");
    assertThat(deployment.operation().retry()).isEqualTo(Retryability.WRITE_ONCE);
    assertThat(deployment.command())
        .isEqualTo(
            BsonDocument.parse(
                """
                {bulkWrite: 1, errorsOnly: true, ordered: true,
                 ops: [{insert: 0, document: {_id: 1}},
                   {update: 1, filter: {a: 1}, updateMods: {$set: {b: 2}}, multi: false,
                    upsert: true, hint: 'a_1', sort: {a: 1}},
                   {update: 0, filter: {a: 2}, updateMods: {c: 3}, multi: false},
                   {delete: 1, filter: {a: 3}, multi: true}],
                 nsInfo: [{ns: 'db.first'}, {ns: 'db.second'}]}
                """));
  }

  @Test
  void what_one_command_can_not_take_goes_with_the_next() {
    deployment.server(WriteTest.limits(16 << 20, 48_000_000, 2));
    deployment.answer(ONE_INSERTED).answer(ONE_INSERTED);

    ClientBulkWriteResult result =
        cluster.bulkWrite(List.of(insert(FIRST, 1), insert(FIRST, 2), insert(SECOND, 3)));

    assertThat(deployment.commands().get(0).getArray("nsInfo")).hasSize(1);
    assertThat(deployment.commands().get(1).getArray("nsInfo").get(0))
        .isEqualTo(BsonDocument.parse("{ns: 'db.second'}"));
    assertThat(result.getInsertedCount()).isEqualTo(2);
    assertThat(result.getVerboseResults()).isEmpty();
  }

  @Test
  void the_statement_that_failed_is_named_by_its_place_with_what_came_before() {
    deployment.answer(
        "{ok: 1, nErrors: 1, nInserted: 1, nUpserted: 0, nMatched: 0, nModified: 0, nDeleted: 0,"
            + " cursor: {id: {$numberLong: '0'}, ns: 'admin.$cmd.bulkWrite', firstBatch: [{ok: 0,"
            + " idx: 1, code: 11000, errmsg: 'taken', n: 0}]}}");

    ClientBulkWriteException failure =
        catchThrowableOfType(
            ClientBulkWriteException.class,
            () -> cluster.bulkWrite(List.of(insert(FIRST, 1), insert(FIRST, 1))));

    assertThat(failure.getWriteErrors()).containsOnlyKeys(1);
    assertThat(failure.getWriteErrors().values())
        .extracting(WriteError::getCode)
        .containsExactly(11000);
    assertThat(failure.getPartialResult().orElseThrow().getInsertedCount()).isEqualTo(1);
  }

  @Test
  void an_error_before_anything_was_done_is_thrown_as_it_is() {
    MongoSocketReadException broken =
        new MongoSocketReadException("broken", FakeDeployment.ADDRESS, new Exception());
    deployment.fail(broken);

    assertThatThrownBy(() -> cluster.bulkWrite(List.of(insert(FIRST, 1)))).isSameAs(broken);
  }

  @Test
  void every_statement_is_told_of_when_that_is_asked_for() {
    deployment.answer(
        "{ok: 1, nErrors: 0, nInserted: 1, nUpserted: 0, nMatched: 0, nModified: 0, nDeleted: 2,"
            + " cursor: {id: {$numberLong: '0'}, ns: 'admin.$cmd.bulkWrite', firstBatch: [{ok: 1,"
            + " idx: 0, n: 1}, {ok: 1, idx: 1, n: 2}]}}");

    ClientBulkWriteResult.VerboseResults told =
        cluster
            .bulkWrite(
                List.of(insert(FIRST, 7), deleteMany(FIRST, eq("a", 3))),
                clientBulkWriteOptions().verboseResults(true))
            .getVerboseResults()
            .orElseThrow();

    assertThat(told.getInsertResults()).containsOnlyKeys(0);
    assertThat(told.getInsertResults().values())
        .extracting(ClientInsertOneResult::getInsertedId)
        .containsExactly(Optional.of(new BsonInt32(7)));
    assertThat(told.getDeleteResults()).containsOnlyKeys(1);
    assertThat(told.getDeleteResults().values())
        .extracting(ClientDeleteResult::getDeletedCount)
        .containsExactly(2L);
  }

  @Test
  void nothing_can_be_told_of_an_unacknowledged_bulk() {
    FairleadCluster unacknowledged =
        (FairleadCluster) cluster.withWriteConcern(WriteConcern.UNACKNOWLEDGED);

    assertThatThrownBy(() -> unacknowledged.bulkWrite(List.of(insert(FIRST, 1))))
        .isInstanceOf(MongoClientException.class)
        .hasMessageContaining("ordered writes");
    ClientBulkWriteResult result =
        unacknowledged.bulkWrite(
            List.of(insert(FIRST, 1)), clientBulkWriteOptions().ordered(false));
    assertThat(result.isAcknowledged()).isFalse();
    assertThat(deployment.operation().acknowledged()).isFalse();
  }

  @Test
  void a_bulk_of_nothing_is_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> cluster.bulkWrite(List.of()));
  }
}
