// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import static com.mongodb.client.model.Filters.eq;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ClientSessionOptions;
import com.mongodb.DuplicateKeyException;
import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.RenameCollectionOptions;
import com.mongodb.client.model.ValidationOptions;
import io.fairlead.driver.command.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;

class AdminTest {
  private final FakeDeployment deployment = new FakeDeployment();
  private final MongoDatabase database = deployment.database();
  private final MongoCollection<Document> things = database.getCollection("things");

  @Test
  void indexes_are_named_after_their_keys() {
    List<String> names =
        things.createIndexes(
            List.of(
                new IndexModel(
                    Indexes.compoundIndex(Indexes.ascending("a"), Indexes.descending("b"))),
                new IndexModel(Indexes.text("t"), new IndexOptions().name("texts").unique(true)),
                new IndexModel(
                    Indexes.ascending("e"),
                    new IndexOptions().expireAfter(60L, TimeUnit.SECONDS))));

    assertThat(names).containsExactly("a_1_b_-1", "texts", "e_1");
    assertThat(deployment.command())
        .isEqualTo(
            BsonDocument.parse(
                """
                {createIndexes: 'things', indexes: [
                  {key: {a: 1, b: -1}, name: 'a_1_b_-1'},
                  {key: {t: 'text'}, name: 'texts', unique: true},
                  {key: {e: 1}, name: 'e_1', expireAfterSeconds: NumberLong(60)}]}
                """));
  }

  @Test
  void a_unique_index_over_equal_keys_is_a_duplicate_key_exception() {
    deployment.fail(FindTest.error(11000, "DuplicateKey"));

    assertThatThrownBy(() -> things.createIndex(Indexes.ascending("a")))
        .isInstanceOf(DuplicateKeyException.class);
  }

  @Test
  void dropping_what_does_not_exist_is_done_already() {
    deployment
        .fail(FindTest.error(26, "NamespaceNotFound"))
        .fail(FindTest.error(26, "NamespaceNotFound"))
        .fail(FindTest.error(27, "IndexNotFound"));

    assertThatCode(things::drop).doesNotThrowAnyException();
    assertThatCode(() -> things.dropIndex("a_1")).doesNotThrowAnyException();
    assertThatThrownBy(() -> things.dropIndex("a_1")).isInstanceOf(MongoCommandException.class);
  }

  @Test
  void what_does_not_exist_has_no_indexes_and_no_documents() {
    deployment
        .fail(FindTest.error(26, "NamespaceNotFound"))
        .fail(FindTest.error(26, "NamespaceNotFound"));

    assertThat(things.listIndexes().into(new ArrayList<>())).isEmpty();
    assertThat(things.estimatedDocumentCount()).isZero();
  }

  @Test
  void a_collection_is_created_with_every_option() {
    database.createCollection(
        "caps",
        new CreateCollectionOptions()
            .capped(true)
            .sizeInBytes(1000)
            .maxDocuments(5)
            .validationOptions(new ValidationOptions().validator(eq("a", 1))));

    assertThat(deployment.command())
        .isEqualTo(
            BsonDocument.parse(
                "{create: 'caps', capped: true, size: NumberLong(1000), max: NumberLong(5),"
                    + " validator: {a: 1}}"));
    assertThatThrownBy(
            () ->
                database.createCollection(
                    "secret", new CreateCollectionOptions().encryptedFields(new Document())))
        .isInstanceOf(MongoClientException.class);
  }

  @Test
  void views_renames_and_drops_travel_with_the_write_concern() {
    MongoDatabase majority = database.withWriteConcern(WriteConcern.MAJORITY);

    majority.createView("v", "things", List.of(Aggregates.match(eq("a", 1))));
    majority
        .getCollection("things")
        .renameCollection(
            new MongoNamespace("db", "others"), new RenameCollectionOptions().dropTarget(true));
    majority.drop();

    assertThat(deployment.commands())
        .containsExactly(
            BsonDocument.parse(
                """
                {create: 'v', viewOn: 'things', pipeline: [{$match: {a: 1}}], writeConcern: {w: 'majority'}}
                """),
            BsonDocument.parse(
                """
                {renameCollection: 'db.things', to: 'db.others', dropTarget: true, writeConcern: {w: 'majority'}}
                """),
            BsonDocument.parse("{dropDatabase: 1, writeConcern: {w: 'majority'}}"));
    assertThat(deployment.operations().get(1).database()).isEqualTo("admin");
  }

  @Test
  void a_collection_that_did_not_reach_its_write_concern_is_told() {
    deployment.answer(
        "{ok: 1, writeConcernError: {code: 64, codeName: 'WriteConcernTimeout', errmsg: 'slow'}}");

    assertThatThrownBy(() -> database.createCollection("slow"))
        .isInstanceOf(MongoWriteConcernException.class);
  }

  @Test
  void names_of_collections_are_filtered_by_name_only_where_that_is_enough() {
    String names =
        "{ok: 1, cursor: {id: NumberLong(0), ns: 'db.$cmd.listCollections', firstBatch: [{name:"
            + " 'x'}]}}";
    deployment.answer(names).answer(names);

    assertThat(database.listCollectionNames().into(new ArrayList<>())).containsExactly("x");
    database.listCollectionNames().filter(eq("type", "view")).first();

    assertThat(deployment.commands())
        .containsExactly(
            BsonDocument.parse("{listCollections: 1, cursor: {}, nameOnly: true}"),
            BsonDocument.parse("{listCollections: 1, cursor: {}, filter: {type: 'view'}}"));
  }

  @Test
  void counting_is_an_aggregation() {
    deployment.answer(FindTest.batch(0, "{_id: 1, n: 4}")).answer(FindTest.batch(0, ""));

    long counted =
        things
            .withReadConcern(ReadConcern.MAJORITY)
            .countDocuments(eq("a", 1), new CountOptions().skip(2).limit(9).hintString("a_1"));

    assertThat(counted).isEqualTo(4);
    assertThat(things.countDocuments()).isZero();
    assertThat(deployment.commands().get(0))
        .isEqualTo(
            BsonDocument.parse(
                """
                {aggregate: 'things', readConcern: {level: 'majority'},
                 pipeline: [{$match: {a: 1}}, {$skip: NumberLong(2)}, {$limit: NumberLong(9)},
                            {$group: {_id: 1, n: {$sum: 1}}}],
                 cursor: {}, hint: 'a_1'}
                """));
  }

  @Test
  void distinct_values_are_decoded_as_asked_nulls_included() {
    deployment.answer("{ok: 1, values: ['a', null, 'b']}").answer("{ok: 1, values: [{a: 1}]}");

    assertThat(things.distinct("f", String.class).into(new ArrayList<>()))
        .containsExactly("a", null, "b");
    assertThat(things.distinct("f", eq("x", 1), Document.class).first())
        .isEqualTo(new Document("a", 1));
    assertThat(deployment.commands().get(1))
        .isEqualTo(BsonDocument.parse("{distinct: 'things', key: 'f', query: {x: 1}}"));
  }

  @Test
  void a_pipeline_that_writes_is_run_and_then_its_collection_read() {
    deployment
        .answer(FindTest.batch(0, ""))
        .answer("{ok: 1, cursor: {id: NumberLong(0), ns: 'other.copy', firstBatch: [{_id: 3}]}}");

    Document found =
        things
            .withWriteConcern(WriteConcern.MAJORITY)
            .aggregate(List.of(Aggregates.merge(new MongoNamespace("other", "copy"))))
            .bypassDocumentValidation(true)
            .first();

    assertThat(found).isEqualTo(new Document("_id", 3));
    assertThat(deployment.commands())
        .containsExactly(
            BsonDocument.parse(
                """
                {aggregate: 'things', pipeline: [{$merge: {into: {db: 'other', coll: 'copy'}}}], cursor: {},
                 bypassDocumentValidation: true, writeConcern: {w: 'majority'}}
                """),
            BsonDocument.parse("{find: 'copy', filter: {}}"));
    assertThat(deployment.operation().database()).isEqualTo("other");
    assertThatThrownBy(() -> things.aggregate(List.of()).toCollection())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void databases_are_listed_on_admin() {
    deployment.answer("{ok: 1, databases: [{name: 'a'}, {name: 'b'}]}");

    List<String> names =
        new FairleadCluster(deployment.scope(null), AdminTest::noSession)
            .listDatabaseNames()
            .into(new ArrayList<>());

    assertThat(names).containsExactly("a", "b");
    assertThat(deployment.command())
        .isEqualTo(BsonDocument.parse("{listDatabases: 1, nameOnly: true}"));
    assertThat(deployment.operation().database()).isEqualTo("admin");
  }

  @Test
  void what_is_not_supported_is_refused_by_name() {
    assertThatThrownBy(things::watch)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("change streams");
    assertThatThrownBy(() -> things.aggregate(null)).isInstanceOf(IllegalArgumentException.class);
  }

  private static ClientSession noSession(ClientSessionOptions options, Scope scope) {
    throw new AssertionError("no session is asked for");
  }
}
