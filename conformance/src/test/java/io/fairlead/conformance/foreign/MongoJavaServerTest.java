// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.foreign;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Sorts.descending;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.fairlead.driver.FairleadClients;
import io.fairlead.mapper.Entity;
import io.fairlead.mapper.Id;
import io.fairlead.mapper.Mapper;
import io.fairlead.mapper.Reread;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonInt32;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Our driver and mapper on a server that is not ours: a standalone that knows only the legacy
 * hello, and no sessions.
 */
class MongoJavaServerTest {
  private static MongoServer server;
  private static MongoClient client;

  private MongoDatabase database;
  private MongoCollection<Document> things;

  @BeforeAll
  static void start() {
    server = new MongoServer(new MemoryBackend());
    InetSocketAddress address = server.bind();
    client = FairleadClients.create("mongodb://127.0.0.1:" + address.getPort());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.shutdownNow();
  }

  @BeforeEach
  void empty() {
    database = client.getDatabase("db");
    things = database.getCollection("things");
    things.drop();
  }

  @Test
  void documents_are_inserted_found_updated_replaced_and_deleted() {
    assertThat(things.insertOne(new Document("_id", 1).append("a", 1)).getInsertedId())
        .isEqualTo(new BsonInt32(1));
    assertThat(things.find(eq("_id", 1)).first()).isEqualTo(new Document("_id", 1).append("a", 1));

    assertThat(things.updateOne(eq("_id", 1), inc("a", 4)).getModifiedCount()).isEqualTo(1);
    assertThat(
            things
                .updateOne(eq("_id", 2), set("a", 7), new UpdateOptions().upsert(true))
                .getUpsertedId())
        .isEqualTo(new BsonInt32(2));
    things.replaceOne(eq("_id", 3), new Document("b", 1), new ReplaceOptions().upsert(true));

    assertThat(things.find().sort(descending("_id")).into(new ArrayList<>()))
        .containsExactly(
            new Document("_id", 3).append("b", 1),
            new Document("_id", 2).append("a", 7),
            new Document("_id", 1).append("a", 5));
    assertThat(things.countDocuments(gte("a", 5))).isEqualTo(2);
    assertThat(things.estimatedDocumentCount()).isEqualTo(3);
    assertThat(things.distinct("a", Integer.class).into(new ArrayList<>()))
        .containsExactlyInAnyOrder(5, 7);
    assertThat(things.deleteOne(eq("_id", 1)).getDeletedCount()).isEqualTo(1);
    assertThat(things.deleteMany(new Document()).getDeletedCount()).isEqualTo(2);
  }

  @Test
  void a_document_is_changed_and_given_back() {
    things.insertOne(new Document("_id", 1).append("a", 1));

    assertThat(things.findOneAndUpdate(eq("_id", 1), inc("a", 1))).containsEntry("a", 1);
    assertThat(
            things.findOneAndUpdate(
                eq("_id", 1),
                inc("a", 1),
                new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER)))
        .containsEntry("a", 3);
    assertThat(things.findOneAndReplace(eq("_id", 1), new Document("c", 1))).containsEntry("a", 3);
    assertThat(things.findOneAndDelete(eq("_id", 1))).containsEntry("c", 1);
    assertThat(things.findOneAndDelete(eq("_id", 1))).isNull();
  }

  @Test
  void a_cursor_fetches_batch_after_batch() {
    things.insertMany(IntStream.range(0, 250).mapToObj(i -> new Document("_id", i)).toList());

    try (MongoCursor<Document> cursor = things.find().batchSize(40).cursor()) {
      int count = 0;
      while (cursor.hasNext()) {
        assertThat(cursor.next().getInteger("_id")).isEqualTo(count++);
      }
      assertThat(count).isEqualTo(250);
      assertThat(cursor.getServerCursor()).isNull();
    }
    MongoCursor<Document> abandoned = things.find().batchSize(40).cursor();
    assertThat(abandoned.getServerCursor()).isNotNull();
    abandoned.close();
  }

  @Test
  void pipelines_group_and_sort() {
    things.insertMany(
        IntStream.range(0, 10).mapToObj(i -> new Document("g", i % 3).append("n", i)).toList());

    List<Document> groups =
        things
            .aggregate(
                List.of(
                    Aggregates.match(gte("n", 1)),
                    Aggregates.group("$g", Accumulators.sum("total", "$n")),
                    Aggregates.sort(descending("total"))))
            .into(new ArrayList<>());

    assertThat(groups).extracting(each -> each.getInteger("_id")).containsExactly(0, 2, 1);
  }

  @Test
  void failures_are_the_exceptions_that_callers_know() {
    things.insertOne(new Document("_id", 1));

    assertThatThrownBy(() -> things.insertOne(new Document("_id", 1)))
        .isInstanceOfSatisfying(
            MongoWriteException.class,
            e -> assertThat(e.getError().getCategory()).isEqualTo(ErrorCategory.DUPLICATE_KEY));
    assertThatThrownBy(
            () ->
                things.bulkWrite(
                    List.of(
                        new InsertOneModel<>(new Document("_id", 2)),
                        new InsertOneModel<>(new Document("_id", 1)),
                        new UpdateOneModel<>(eq("_id", 1), set("a", 1)),
                        new DeleteOneModel<>(eq("_id", 2))),
                    new BulkWriteOptions().ordered(false)))
        .isInstanceOfSatisfying(
            MongoBulkWriteException.class,
            e -> {
              assertThat(e.getWriteErrors().get(0).getIndex()).isEqualTo(1);
              assertThat(e.getWriteResult().getModifiedCount()).isEqualTo(1);
              assertThat(e.getWriteResult().getDeletedCount()).isEqualTo(1);
            });
    assertThatThrownBy(() -> database.runCommand(new Document("noSuchCommand", 1)))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(59));
  }

  @Test
  void collections_and_indexes_are_listed_and_dropped() {
    database.createCollection("made");
    assertThat(things.createIndex(Indexes.ascending("a"), new IndexOptions().unique(true)))
        .isEqualTo("a_1");

    assertThat(database.listCollectionNames().into(new ArrayList<>())).contains("made", "things");
    assertThat(things.listIndexes().map(each -> each.getString("name")).into(new ArrayList<>()))
        .containsExactlyInAnyOrder("_id_", "a_1");
    assertThat(client.listDatabaseNames().into(new ArrayList<>())).contains("db");
    things.dropIndex("a_1");
    database.getCollection("made").drop();
    assertThat(database.listCollectionNames().into(new ArrayList<>())).doesNotContain("made");
  }

  /** An entity of the tests. */
  @Entity(collection = "people")
  record Person(@Id @Nullable ObjectId id, String name, List<String> tags) {}

  @Test
  void entities_are_saved_found_reread_and_deleted() {
    Mapper mapper = Mapper.over(database);
    database.getCollection("people").drop();

    Person ann = mapper.save(new Person(null, "Ann", List.of("x")));
    assertThat(ann.id()).isNotNull();
    mapper.save(new Person(ann.id(), "Anna", List.of()));

    assertThat(mapper.find(Person.class, eq("name", "Anna")).first())
        .isEqualTo(new Person(ann.id(), "Anna", List.of()));
    assertThat(mapper.reread(ann))
        .isEqualTo(new Reread.Stored<>(new Person(ann.id(), "Anna", List.of())));
    assertThat(mapper.delete(ann)).isTrue();
    assertThat(mapper.reread(ann).isGone()).isTrue();
  }
}
