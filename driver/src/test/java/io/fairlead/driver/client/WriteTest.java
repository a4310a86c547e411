// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.WriteConcern;
import com.mongodb.bulk.BulkWriteInsert;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.BulkWriteUpsert;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.InsertOneResult;
import com.mongodb.client.result.UpdateResult;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerLimits;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.retry.Retryability;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonBinarySubType;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonMaximumSizeExceededException;
import org.bson.BsonObjectId;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;

class WriteTest {
  private final FakeDeployment deployment = new FakeDeployment();
  private final MongoCollection<Document> things = deployment.database().getCollection("things");

  @Test
  void an_inserted_document_gets_an_id_that_its_caller_sees() {
    deployment.answer("{ok: 1, n: 1}");
    Document document = new Document("a", 1);

    InsertOneResult result = things.insertOne(document);

    BsonDocument sent = deployment.command().getArray("documents").get(0).asDocument();
    assertThat(document.getObjectId("_id")).isEqualTo(sent.getObjectId("_id").getValue());
    assertThat(result.getInsertedId()).isEqualTo(sent.get("_id"));
    assertThat(sent.getFirstKey()).isEqualTo("_id");
    assertThat(deployment.operation().retry()).isEqualTo(Retryability.WRITE);
    assertThat(deployment.command().keySet()).containsExactly("insert", "ordered", "documents");
  }

  @Test
  void an_encoded_document_without_an_id_is_given_one_unless_it_is_raw() {
    deployment.answer("{ok: 1, n: 1}").answer("{ok: 1, n: 1}");
    RawBsonDocument raw = RawBsonDocument.parse("{a: 1}");

    InsertOneResult bson =
        things.withDocumentClass(BsonDocument.class).insertOne(BsonDocument.parse("{a: 1}"));
    InsertOneResult rawResult = things.withDocumentClass(RawBsonDocument.class).insertOne(raw);

    assertThat(bson.getInsertedId()).isInstanceOf(BsonObjectId.class);
    assertThat(rawResult.getInsertedId()).isNull();
    assertThat(deployment.commands().get(1).getArray("documents").get(0))
        .isEqualTo(BsonDocument.parse("{a: 1}"));
  }

  @Test
  void a_bean_without_an_id_is_given_one_in_its_bytes() {
    deployment.answer("{ok: 1, n: 1}");
    var codecs =
        org.bson.codecs.configuration.CodecRegistries.fromRegistries(
            things.getCodecRegistry(),
            org.bson.codecs.configuration.CodecRegistries.fromProviders(
                org.bson.codecs.pojo.PojoCodecProvider.builder().automatic(true).build()));

    InsertOneResult result =
        things.withCodecRegistry(codecs).withDocumentClass(Bean.class).insertOne(new Bean());

    BsonDocument sent = deployment.command().getArray("documents").get(0).asDocument();
    assertThat(sent.getString("name").getValue()).isEqualTo("x");
    assertThat(sent.get("_id")).isEqualTo(result.getInsertedId()).isInstanceOf(BsonObjectId.class);
  }

  /** A bean. */
  public static final class Bean {
    public String getName() {
      return "x";
    }

    public void setName(String name) {
      // it is always x
    }
  }

  @Test
  void uuids_are_encoded_as_the_client_says() {
    deployment.answer("{ok: 1, n: 1}");

    things.insertOne(new Document("_id", new java.util.UUID(1, 2)));

    assertThat(
            deployment
                .command()
                .getArray("documents")
                .get(0)
                .asDocument()
                .getBinary("_id")
                .getType())
        .isEqualTo(BsonBinarySubType.UUID_STANDARD.getValue());
  }

  @Test
  void a_duplicate_key_is_a_write_exception_of_that_category() {
    deployment.answer(
        "{ok: 1, n: 0, writeErrors: [{index: 0, code: 11000, errmsg: 'E11000 dup', keyValue: {_id:"
            + " 1}}]}");

    assertThatThrownBy(() -> things.insertOne(new Document("_id", 1)))
        .isInstanceOfSatisfying(
            MongoWriteException.class,
            e -> {
              assertThat(e.getError().getCategory()).isEqualTo(ErrorCategory.DUPLICATE_KEY);
              assertThat(e.getServerAddress()).isEqualTo(FakeDeployment.ADDRESS);
            });
  }

  @Test
  void a_write_concern_that_is_not_reached_is_told_with_what_was_done() {
    deployment.answer(
        """
        {ok: 1, n: 1, nModified: 1, writeConcernError: {code: 64, codeName: 'WriteConcernTimeout', errmsg: 'slow'},
         errorLabels: ['L']}
        """);

    assertThatThrownBy(() -> things.updateOne(eq("_id", 1), set("a", 2)))
        .isInstanceOfSatisfying(
            MongoWriteConcernException.class,
            e -> {
              assertThat(e.getWriteConcernError().getCode()).isEqualTo(64);
              assertThat(e.getWriteResult().getCount()).isEqualTo(1);
              assertThat(e.getWriteResult().isUpdateOfExisting()).isTrue();
              assertThat(e.hasErrorLabel("L")).isTrue();
            });
  }

  @Test
  void every_option_of_an_update_travels() {
    deployment.answer("{ok: 1, n: 1, nModified: 0, upserted: [{index: 0, _id: 5}]}");

    UpdateResult result =
        things.updateOne(
            eq("a", 1),
            set("b.$[x].c", 2),
            new UpdateOptions()
                .upsert(true)
                .arrayFilters(List.of(eq("x.d", 3)))
                .hintString("a_1")
                .collation(Collation.builder().locale("de").build())
                .bypassDocumentValidation(true)
                .comment("why")
                .let(new Document("v", 1))
                .sort(new Document("a", 1)));

    assertThat(deployment.command())
        .isEqualTo(
            BsonDocument.parse(
                """
                {update: 'things', ordered: true, bypassDocumentValidation: true, comment: 'why', let: {v: 1},
                 updates: [{q: {a: 1}, u: {$set: {'b.$[x].c': 2}}, upsert: true, collation: {locale: 'de'},
                            arrayFilters: [{'x.d': 3}], hint: 'a_1', sort: {a: 1}}]}
                """));
    assertThat(result.getMatchedCount()).isZero();
    assertThat(result.getUpsertedId()).isEqualTo(new BsonInt32(5));
  }

  @Test
  void an_update_of_many_is_not_sent_twice() {
    deployment.answer("{ok: 1, n: 3, nModified: 2}");

    UpdateResult result = things.updateMany(eq("a", 1), List.of(set("b", 2)));

    assertThat(deployment.operation().retry()).isEqualTo(Retryability.WRITE_ONCE);
    assertThat(deployment.command().getArray("updates"))
        .isEqualTo(
            BsonDocument.parse("{u: [{q: {a: 1}, u: [{$set: {b: 2}}], multi: true}]}")
                .getArray("u"));
    assertThat(result.getMatchedCount()).isEqualTo(3);
    assertThat(result.getModifiedCount()).isEqualTo(2);
  }

  @Test
  void an_update_without_operators_and_a_replacement_with_them_are_refused() {
    assertThatThrownBy(() -> things.updateOne(eq("a", 1), new Document("a", 2)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> things.updateOne(eq("a", 1), new Document()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> things.replaceOne(eq("a", 1), new Document("$set", new Document())))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> things.findOneAndUpdate(eq("a", 1), new Document("a", 2)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void an_unacknowledged_write_awaits_nothing_and_tells_nothing() {
    MongoCollection<Document> careless = things.withWriteConcern(WriteConcern.UNACKNOWLEDGED);

    InsertOneResult result = careless.insertOne(new Document("_id", 1));

    assertThat(result.wasAcknowledged()).isFalse();
    assertThat(deployment.operation().acknowledged()).isFalse();
    assertThat(deployment.command().getDocument("writeConcern"))
        .isEqualTo(BsonDocument.parse("{w: 0}"));
    assertThatThrownBy(
            () ->
                careless.updateOne(
                    eq("a", 1),
                    set("a", 2),
                    new UpdateOptions().collation(Collation.builder().locale("de").build())))
        .isInstanceOf(MongoClientException.class);
  }

  @Test
  void an_ordered_bulk_sends_neighbours_of_one_kind_together() {
    deployment
        .answer("{ok: 1, n: 2}")
        .answer("{ok: 1, n: 2, nModified: 1, upserted: [{index: 1, _id: 9}]}")
        .answer("{ok: 1, n: 3}")
        .answer("{ok: 1, n: 1}");

    BulkWriteResult result =
        things.bulkWrite(
            List.of(
                new InsertOneModel<>(new Document("_id", 1)),
                new InsertOneModel<>(new Document("_id", 2)),
                new UpdateOneModel<>(eq("_id", 1), set("a", 1)),
                new ReplaceOneModel<>(eq("_id", 9), new Document("b", 1)),
                new DeleteManyModel<>(eq("c", 1)),
                new DeleteOneModel<>(eq("c", 2)),
                new InsertOneModel<>(new Document("_id", 3))));

    assertThat(deployment.commands())
        .extracting(BsonDocument::getFirstKey)
        .containsExactly("insert", "update", "delete", "insert");
    assertThat(result.getInsertedCount()).isEqualTo(3);
    assertThat(result.getMatchedCount()).isEqualTo(1);
    assertThat(result.getModifiedCount()).isEqualTo(1);
    assertThat(result.getDeletedCount()).isEqualTo(3);
    assertThat(result.getUpserts()).containsExactly(new BulkWriteUpsert(3, new BsonInt32(9)));
    assertThat(result.getInserts()).extracting(BulkWriteInsert::getIndex).containsExactly(0, 1, 6);
    assertThat(deployment.operations().get(2).retry()).isEqualTo(Retryability.WRITE_ONCE);
  }

  @Test
  void an_unordered_bulk_sends_all_of_one_kind_together_and_tells_every_failure_at_its_own_place() {
    deployment
        .answer("{ok: 1, n: 1, writeErrors: [{index: 1, code: 11000, errmsg: 'dup'}]}")
        .answer("{ok: 1, n: 1}");

    assertThatThrownBy(
            () ->
                things.bulkWrite(
                    List.of(
                        new InsertOneModel<>(new Document("_id", 1)),
                        new DeleteOneModel<>(eq("_id", 7)),
                        new InsertOneModel<>(new Document("_id", 1))),
                    new BulkWriteOptions().ordered(false)))
        .isInstanceOfSatisfying(
            MongoBulkWriteException.class,
            e -> {
              assertThat(e.getWriteErrors()).hasSize(1);
              assertThat(e.getWriteErrors().get(0).getIndex()).isEqualTo(2);
              assertThat(e.getWriteResult().getInsertedCount()).isEqualTo(1);
              assertThat(e.getWriteResult().getDeletedCount()).isEqualTo(1);
              assertThat(e.getWriteResult().getInserts())
                  .extracting(BulkWriteInsert::getIndex)
                  .containsExactly(0);
            });
  }

  @Test
  void an_ordered_bulk_stops_where_it_fails() {
    deployment.answer("{ok: 1, n: 0, writeErrors: [{index: 0, code: 11000, errmsg: 'dup'}]}");

    assertThatThrownBy(
            () ->
                things.bulkWrite(
                    List.of(
                        new InsertOneModel<>(new Document("_id", 1)),
                        new DeleteOneModel<>(eq("_id", 7)))))
        .isInstanceOf(MongoBulkWriteException.class);
    assertThat(deployment.commands()).hasSize(1);
  }

  @Test
  void many_documents_are_cut_into_batches_that_the_server_takes() {
    deployment
        .server(limits(1 << 20, 2 << 20, 3))
        .answer("{ok: 1, n: 3}")
        .answer("{ok: 1, n: 2, writeErrors: [{index: 1, code: 11000, errmsg: 'dup'}]}");

    assertThatThrownBy(
            () ->
                things.insertMany(
                    IntStream.range(0, 6).mapToObj(i -> new Document("_id", i)).toList(),
                    new InsertManyOptions().ordered(false)))
        .isInstanceOfSatisfying(
            MongoBulkWriteException.class,
            e -> {
              assertThat(e.getWriteErrors().get(0).getIndex()).isEqualTo(4);
              assertThat(e.getWriteResult().getInsertedCount()).isEqualTo(5);
            });
    assertThat(deployment.commands())
        .extracting(each -> each.getArray("documents").size())
        .containsExactly(3, 3);
  }

  @Test
  void a_message_is_never_longer_than_the_server_takes() {
    deployment.server(limits(60_000, 100_000, 100)).answer("{ok: 1, n: 2}").answer("{ok: 1, n: 1}");
    String long40k = "x".repeat(40_000);

    things.insertMany(
        IntStream.range(0, 3).mapToObj(i -> new Document("_id", i).append("s", long40k)).toList());

    assertThat(deployment.commands())
        .extracting(each -> each.getArray("documents").size())
        .containsExactly(2, 1);
  }

  @Test
  void a_document_that_no_server_takes_is_refused_here() {
    deployment.server(limits(1000, 100_000, 100));

    assertThatThrownBy(() -> things.insertOne(new Document("s", "x".repeat(40_000))))
        .isInstanceOf(BsonMaximumSizeExceededException.class);
  }

  @Test
  void a_found_and_changed_document_is_given_back() {
    deployment
        .answer("{ok: 1, value: {_id: 1, a: 2}, lastErrorObject: {n: 1}}")
        .answer("{ok: 1, value: null}");

    Document changed =
        things.findOneAndUpdate(
            eq("_id", 1),
            set("a", 2),
            new FindOneAndUpdateOptions()
                .returnDocument(ReturnDocument.AFTER)
                .projection(new Document("a", 1))
                .sort(new Document("b", -1))
                .upsert(true));

    assertThat(changed).isEqualTo(new Document("_id", 1).append("a", 2));
    assertThat(things.findOneAndDelete(eq("_id", 2))).isNull();
    assertThat(deployment.commands().get(0))
        .isEqualTo(
            BsonDocument.parse(
                """
                {findAndModify: 'things', query: {_id: 1}, fields: {a: 1}, sort: {b: -1}, new: true, upsert: true,
                 update: {$set: {a: 2}}}
                """));
    assertThat(deployment.commands().get(1))
        .isEqualTo(BsonDocument.parse("{findAndModify: 'things', query: {_id: 2}, remove: true}"));
    assertThat(deployment.operation().retry()).isEqualTo(Retryability.WRITE);
  }

  /** A primary that takes documents, messages and batches of these sizes. */
  static ServerDescription limits(int document, int message, int batch) {
    ServerDescription plain = ServerDescription.of(FakeDeployment.SERVER, ServerType.RS_PRIMARY);
    return new ServerDescription(
        plain.address(),
        plain.type(),
        plain.ping(),
        plain.tags(),
        plain.membership(),
        new ServerLimits(0, 25, document, message, batch),
        plain.lastWriteDate(),
        plain.lastUpdateTime(),
        plain.logicalSessionTimeoutMinutes(),
        plain.topologyVersion(),
        plain.error());
  }
}
