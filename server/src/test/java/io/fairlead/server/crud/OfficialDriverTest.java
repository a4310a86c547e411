// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.in;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoQueryException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.bulk.ClientNamespacedWriteModel;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OfficialDriverTest {
  private static final AtomicInteger COLLECTIONS = new AtomicInteger();
  private static Server server;
  private static MongoClient client;
  private MongoCollection<Document> collection;

  @BeforeAll
  static void start() {
    server = Server.start(ServerSettings.standalone(0));
    client =
        MongoClients.create("mongodb://" + server.address() + "/?serverSelectionTimeoutMS=5000");
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @BeforeEach
  void freshCollection() {
    collection = client.getDatabase("test").getCollection("c" + COLLECTIONS.incrementAndGet());
  }

  private void insertNumbers(int count) {
    collection.insertMany(
        IntStream.range(0, count)
            .mapToObj(i -> new Document("_id", i).append("x", i % 3))
            .toList());
  }

  @Test
  void documents_are_inserted_found_updated_and_deleted() {
    collection.insertOne(new Document("_id", 1).append("name", "ada").append("age", 36));
    insertMore();

    assertThat(collection.find(eq("name", "ada")).first()).containsEntry("age", 36);
    assertThat(
            collection
                .find(gt("age", 40))
                .sort(Sorts.descending("age"))
                .map(d -> d.getString("name")))
        .containsExactly("grace", "alan");
    var updated = collection.updateOne(eq("_id", 1), Updates.inc("age", 1));
    assertThat(updated.getMatchedCount()).isEqualTo(1);
    assertThat(updated.getModifiedCount()).isEqualTo(1);
    assertThat(collection.updateOne(eq("_id", 1), Updates.set("age", 37)).getModifiedCount())
        .isZero();
    assertThat(
            collection.replaceOne(eq("_id", 1), new Document("name", "ada l")).getModifiedCount())
        .isEqualTo(1);
    assertThat(collection.deleteMany(gt("age", 40)).getDeletedCount()).isEqualTo(2);
    assertThat(collection.countDocuments()).isEqualTo(1);
    assertThat(collection.estimatedDocumentCount()).isEqualTo(1);
  }

  private void insertMore() {
    collection.insertMany(
        List.of(
            new Document("_id", 2).append("name", "grace").append("age", 85),
            new Document("_id", 3).append("name", "alan").append("age", 41)));
  }

  @Test
  void upserts_tell_the_id() {
    var inserted =
        collection.updateOne(
            eq("_id", 7), Updates.setOnInsert("fresh", true), new UpdateOptions().upsert(true));
    assertThat(inserted.getMatchedCount()).isZero();
    assertThat(String.valueOf(inserted.getUpsertedId())).contains("7");
    var again =
        collection.updateOne(
            eq("_id", 7), Updates.set("fresh", false), new UpdateOptions().upsert(true));
    assertThat(again.getUpsertedId()).isNull();
    assertThat(again.getModifiedCount()).isEqualTo(1);
  }

  @Test
  void many_documents_come_in_batches_in_order() {
    insertNumbers(1_000);
    List<Integer> ids = new ArrayList<>();
    collection
        .find()
        .sort(Sorts.ascending("_id"))
        .batchSize(64)
        .map(d -> d.getInteger("_id"))
        .into(ids);
    assertThat(ids).isEqualTo(IntStream.range(0, 1_000).boxed().toList());
    assertThat(
            collection
                .find()
                .skip(10)
                .limit(5)
                .sort(Sorts.ascending("_id"))
                .map(d -> d.getInteger("_id")))
        .containsExactly(10, 11, 12, 13, 14);
    assertThat(collection.find(in("_id", 3, 5)).projection(Projections.include("x")).first())
        .containsOnlyKeys("_id", "x");
  }

  @Test
  void a_duplicate_key_is_a_write_error_with_code_11000() {
    collection.insertOne(new Document("_id", 1));
    assertThatExceptionOfType(MongoWriteException.class)
        .isThrownBy(() -> collection.insertOne(new Document("_id", 1)))
        .satisfies(e -> assertThat(e.getError().getCode()).isEqualTo(11000))
        .withMessageContaining("E11000");
  }

  @Test
  void unordered_batches_go_on_after_errors_and_ordered_ones_stop() {
    List<Document> documents =
        IntStream.of(1, 1, 2, 2, 3).mapToObj(id -> new Document("_id", id)).toList();

    assertThatExceptionOfType(MongoBulkWriteException.class)
        .isThrownBy(() -> collection.insertMany(documents, new InsertManyOptions().ordered(false)))
        .satisfies(
            e -> {
              assertThat(e.getWriteResult().getInsertedCount()).isEqualTo(3);
              assertThat(e.getWriteErrors())
                  .extracting(error -> error.getIndex())
                  .containsExactly(1, 3);
            });
    collection.deleteMany(new Document());
    assertThatExceptionOfType(MongoBulkWriteException.class)
        .isThrownBy(() -> collection.insertMany(documents))
        .satisfies(
            e -> {
              assertThat(e.getWriteResult().getInsertedCount()).isEqualTo(1);
              assertThat(e.getWriteErrors())
                  .extracting(error -> error.getIndex())
                  .containsExactly(1);
            });
  }

  @Test
  void bulk_writes_mix_kinds() {
    var result =
        collection.bulkWrite(
            List.of(
                new InsertOneModel<>(new Document("_id", 1)),
                new InsertOneModel<>(new Document("_id", 2)),
                new UpdateOneModel<>(eq("_id", 1), Updates.set("a", 1)),
                new UpdateOneModel<>(
                    eq("_id", 9), Updates.set("a", 1), new UpdateOptions().upsert(true)),
                new DeleteOneModel<>(eq("_id", 2))),
            new BulkWriteOptions().ordered(true));

    assertThat(result.getInsertedCount()).isEqualTo(2);
    assertThat(result.getModifiedCount()).isEqualTo(1);
    assertThat(result.getUpserts()).hasSize(1);
    assertThat(result.getDeletedCount()).isEqualTo(1);
  }

  @Test
  void a_bulk_write_of_the_client_reaches_several_collections() {
    MongoNamespace one = collection.getNamespace();
    MongoNamespace two = new MongoNamespace("other", one.getCollectionName());

    var result =
        client.bulkWrite(
            List.of(
                ClientNamespacedWriteModel.insertOne(one, new Document("_id", 1)),
                ClientNamespacedWriteModel.insertOne(two, new Document("_id", 2)),
                ClientNamespacedWriteModel.updateOne(one, eq("_id", 1), Updates.set("a", 1)),
                ClientNamespacedWriteModel.deleteOne(two, eq("_id", 2))));

    assertThat(result.getInsertedCount()).isEqualTo(2);
    assertThat(result.getModifiedCount()).isEqualTo(1);
    assertThat(result.getDeletedCount()).isEqualTo(1);
    assertThat(collection.find().first()).containsEntry("a", 1);
  }

  @Test
  void a_pipeline_may_write_its_result() {
    insertNumbers(10);
    String target = collection.getNamespace().getCollectionName() + "-out";
    var out = client.getDatabase("test").getCollection(target);

    collection
        .aggregate(List.of(Aggregates.match(gt("_id", 6)), Aggregates.out(target)))
        .toCollection();
    assertThat(out.countDocuments()).isEqualTo(3);
    collection
        .aggregate(List.of(Aggregates.match(gt("_id", 4)), Aggregates.merge(target)))
        .toCollection();
    assertThat(out.countDocuments()).isEqualTo(5);
  }

  @Test
  void findAndModify_answers_before_after_and_nothing() {
    assertThat(
            collection.findOneAndReplace(
                eq("_id", 1),
                new Document("v", 1),
                new FindOneAndReplaceOptions().upsert(true).returnDocument(ReturnDocument.BEFORE)))
        .isNull();
    assertThat(collection.findOneAndUpdate(eq("_id", 1), Updates.inc("v", 1)))
        .containsEntry("v", 1);
    assertThat(
            collection.findOneAndUpdate(
                eq("_id", 1),
                Updates.inc("v", 1),
                new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER)))
        .containsEntry("v", 3);
    assertThat(collection.findOneAndDelete(eq("_id", 1))).containsEntry("v", 3);
    assertThat(collection.findOneAndDelete(eq("_id", 1))).isNull();
  }

  @Test
  void pipelines_group_sort_and_count() {
    insertNumbers(10);
    assertThat(
            collection.aggregate(
                List.of(
                    Aggregates.match(gt("_id", 0)),
                    Aggregates.group("$x", Accumulators.sum("n", 1)),
                    Aggregates.sort(Sorts.ascending("_id")))))
        .containsExactly(
            new Document("_id", 0).append("n", 3),
            new Document("_id", 1).append("n", 3),
            new Document("_id", 2).append("n", 3));
    assertThat(collection.aggregate(List.of(Aggregates.count("all"))).first())
        .containsEntry("all", 10);
    assertThat(collection.distinct("x", Integer.class)).containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void unknown_stages_and_operators_are_refused() {
    insertNumbers(1);
    assertThatExceptionOfType(MongoCommandException.class)
        .isThrownBy(() -> collection.aggregate(List.of(new Document("$frobnicate", 1))).first())
        .satisfies(e -> assertThat(e.getCode()).isEqualTo(40324));
    assertThatExceptionOfType(MongoQueryException.class)
        .isThrownBy(() -> collection.find(new Document("a", new Document("$frob", 1))).first())
        .satisfies(e -> assertThat(e.getCode()).isEqualTo(2));
  }

  @Test
  void indexes_are_created_listed_used_and_dropped() {
    insertNumbers(100);
    assertThat(collection.createIndex(Indexes.ascending("x"))).isEqualTo("x_1");
    collection.createIndex(
        Indexes.ascending("u"), new IndexOptions().unique(true).sparse(true).name("unique u"));
    assertThat(collection.listIndexes())
        .extracting(index -> index.getString("name"))
        .containsExactlyInAnyOrder("_id_", "x_1", "unique u");

    assertThat(collection.find(eq("x", 1)).explain().toJson()).contains("IXSCAN");
    collection.insertOne(new Document("u", 1));
    assertThatExceptionOfType(MongoWriteException.class)
        .isThrownBy(() -> collection.insertOne(new Document("u", 1)))
        .withMessageContaining("unique u");
    collection.dropIndex("x_1");
    assertThat(collection.listIndexes()).hasSize(2);
    assertThatExceptionOfType(MongoCommandException.class)
        .isThrownBy(() -> collection.dropIndex("x_1"))
        .satisfies(e -> assertThat(e.getCode()).isEqualTo(27));
  }

  @Test
  void collections_and_databases_are_created_listed_renamed_and_dropped() {
    var database = client.getDatabase("admin-test");
    database.createCollection("a");
    database.getCollection("b").insertOne(new Document("x", 1));
    assertThat(database.listCollectionNames()).containsExactlyInAnyOrder("a", "b");
    assertThat(client.listDatabaseNames()).contains("admin-test");
    assertThatExceptionOfType(MongoCommandException.class)
        .isThrownBy(() -> database.getCollection("a").createIndex(new Document()))
        .satisfies(e -> assertThat(e.getCode()).isEqualTo(67));
    database.getCollection("b").renameCollection(new MongoNamespace("admin-test", "c"));
    database.getCollection("a").drop();
    assertThat(database.listCollectionNames()).containsExactly("c");
    assertThat(database.runCommand(new Document("dbStats", 1)).get("objects")).isEqualTo(1L);
    database.drop();
    assertThat(client.listDatabaseNames()).doesNotContain("admin-test");
  }

  @Test
  void causal_and_implicit_sessions_come_and_go() {
    try (var session = client.startSession()) {
      collection.insertOne(session, new Document("_id", 1));
      assertThat(collection.find(session).first()).isNotNull();
    }
    assertThat(
            client
                .getDatabase("admin")
                .runCommand(new Document("serverStatus", 1))
                .get("connections"))
        .isNotNull();
  }
}
