// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.differential;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.CursorType;
import com.mongodb.ExplainVerbosity;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoNamespace;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.ChangeStreamPreAndPostImagesOptions;
import com.mongodb.client.model.ClusteredIndexOptions;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.CreateIndexOptions;
import com.mongodb.client.model.CreateViewOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.DropIndexOptions;
import com.mongodb.client.model.EstimatedDocumentCountOptions;
import com.mongodb.client.model.FindOneAndDeleteOptions;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.InsertOneOptions;
import com.mongodb.client.model.MapReduceAction;
import com.mongodb.client.model.RenameCollectionOptions;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.TimeSeriesGranularity;
import com.mongodb.client.model.TimeSeriesOptions;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.ValidationAction;
import com.mongodb.client.model.ValidationLevel;
import com.mongodb.client.model.ValidationOptions;
import io.fairlead.driver.FairleadClients;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The same call through the official driver and through ours: the commands that reach the server
 * are the same documents.
 *
 * <p>Known to differ: an unordered bulk in which only one batch can't be repeated. The official
 * driver then forgoes retries of all its batches, ours of that one.
 */
class OfficialDriverTest {
  private static final Collation GERMAN = Collation.builder().locale("de").build();

  @TestFactory
  Stream<DynamicTest> a_member_of_a_replica_set_hears_the_same_from_both() {
    return compare(false);
  }

  @TestFactory
  Stream<DynamicTest> a_mongos_hears_the_same_from_both() {
    return compare(true);
  }

  private static Stream<DynamicTest> compare(boolean mongos) {
    RecordingServer server = new RecordingServer(mongos);
    MongoClientSettings settings =
        MongoClientSettings.builder()
            .applyToClusterSettings(
                cluster ->
                    cluster.applyConnectionString(
                        new ConnectionString(
                            "mongodb://" + server.address() + (mongos ? "" : "/?replicaSet=rs"))))
            .uuidRepresentation(UuidRepresentation.STANDARD)
            .readPreference(
                mongos
                    ? ReadPreference.secondaryPreferred(new TagSet(new Tag("dc", "ams")))
                    : ReadPreference.primary())
            .build();
    MongoClient official = MongoClients.create(settings);
    MongoClient ours = FairleadClients.create(settings);
    return scenarios().entrySet().stream()
        .map(
            scenario ->
                DynamicTest.dynamicTest(
                    scenario.getKey(), () -> same(scenario.getValue(), official, ours, server)))
        .onClose(
            () -> {
              ours.close();
              official.close();
              server.close();
            });
  }

  private static void same(
      Consumer<MongoClient> scenario,
      MongoClient official,
      MongoClient ours,
      RecordingServer server) {
    scenario.accept(official);
    List<BsonDocument> expected = comparable(server.taken());
    scenario.accept(ours);
    List<BsonDocument> sent = comparable(server.taken());

    assertThat(expected).isNotEmpty();
    assertThat(sent).isEqualTo(expected);
  }

  private static List<BsonDocument> comparable(List<BsonDocument> commands) {
    for (BsonDocument command : commands) {
      assertThat(command).containsKey("lsid");
      command.remove("lsid");
      if (command.get("explain") instanceof BsonDocument explained) {
        // the official driver says {maxTimeMS: 0} here, which is no limit
        explained.remove("maxTimeMS", new BsonInt64(0));
      }
      if (command.containsKey("txnNumber")) {
        command.put("txnNumber", new BsonString("a number"));
      }
    }
    return commands;
  }

  private static Map<String, Consumer<MongoClient>> scenarios() {
    Map<String, Consumer<MongoClient>> all = new LinkedHashMap<>();
    reads(all);
    writes(all);
    bulks(all);
    findAndModify(all);
    administration(all);
    inherited(all);
    return all;
  }

  private static void on(
      Map<String, Consumer<MongoClient>> all,
      String name,
      Consumer<MongoCollection<Document>> call) {
    all.put(name, client -> call.accept(client.getDatabase("db").getCollection("things")));
  }

  private static void onDatabase(
      Map<String, Consumer<MongoClient>> all, String name, Consumer<MongoDatabase> call) {
    all.put(name, client -> call.accept(client.getDatabase("db")));
  }

  private static void reads(Map<String, Consumer<MongoClient>> all) {
    on(all, "find all", things -> things.find().into(new ArrayList<>()));
    on(all, "find first", things -> things.find(eq("a", 1)).sort(new Document("a", 1)).first());
    on(
        all,
        "find with every option",
        things ->
            things
                .find(eq("u", new UUID(1, 2)))
                .sort(new Document("b", -1))
                .projection(new Document("c", 1))
                .skip(1)
                .limit(7)
                .batchSize(3)
                .noCursorTimeout(true)
                .partial(true)
                .comment("why")
                .hint(new Document("a", 1))
                .let(new Document("v", 1))
                .max(new Document("a", 9))
                .min(new Document("a", 1))
                .returnKey(true)
                .showRecordId(true)
                .allowDiskUse(true)
                .collation(GERMAN)
                .maxTime(3, TimeUnit.SECONDS)
                .into(new ArrayList<>()));
    on(
        all,
        "find with an empty sort and projection",
        things ->
            things.find().sort(new Document()).projection(new Document()).into(new ArrayList<>()));
    on(
        all,
        "find as long as one batch",
        things -> things.find().limit(4).batchSize(4).into(new ArrayList<>()));
    on(all, "find with negative limit", things -> things.find().limit(-2).cursor().close());
    on(
        all,
        "find with negative batch size",
        things -> things.find().limit(5).batchSize(-2).cursor().close());
    on(all, "an abandoned cursor", things -> things.find().cursor().close());
    on(
        all,
        "a tailable cursor",
        things ->
            things
                .find()
                .cursorType(CursorType.TailableAwait)
                .maxAwaitTime(50, TimeUnit.MILLISECONDS)
                .into(new ArrayList<>()));
    on(
        all,
        "explain find",
        things -> things.find(eq("a", 1)).explain(ExplainVerbosity.EXECUTION_STATS));
    on(
        all,
        "aggregate",
        things -> things.aggregate(List.of(Aggregates.match(eq("a", 1)))).into(new ArrayList<>()));
    on(
        all,
        "aggregate with every option",
        things ->
            things
                .aggregate(List.of())
                .allowDiskUse(true)
                .batchSize(5)
                .collation(GERMAN)
                .comment(new BsonString("c"))
                .hintString("a_1")
                .let(new Document("v", 1))
                .maxTime(1, TimeUnit.SECONDS)
                .into(new ArrayList<>()));
    on(
        all,
        "aggregate to a collection",
        things ->
            things
                .aggregate(List.of(Aggregates.out("copy")))
                .bypassDocumentValidation(true)
                .into(new ArrayList<>()));
    on(
        all,
        "merge to a collection",
        things ->
            things
                .aggregate(List.of(Aggregates.merge(new MongoNamespace("x.copy"))))
                .toCollection());
    onDatabase(
        all,
        "aggregate a database",
        database ->
            database
                .aggregate(List.of(new Document("$currentOp", new Document())))
                .into(new ArrayList<>()));
    on(all, "explain aggregate", things -> things.aggregate(List.of()).explain());
    on(all, "count", things -> things.countDocuments());
    on(
        all,
        "count with every option",
        things ->
            things.countDocuments(
                eq("a", 1),
                new CountOptions()
                    .skip(1)
                    .limit(2)
                    .hint(new Document("a", 1))
                    .collation(GERMAN)
                    .comment("c")
                    .maxTime(1, TimeUnit.SECONDS)));
    on(
        all,
        "estimated count",
        things ->
            things.estimatedDocumentCount(
                new EstimatedDocumentCountOptions().comment("c").maxTime(1, TimeUnit.SECONDS)));
    on(all, "distinct", things -> things.distinct("a", Integer.class).into(new ArrayList<>()));
    on(
        all,
        "distinct with every option",
        things ->
            things
                .distinct("a", eq("b", 1), Integer.class)
                .collation(GERMAN)
                .comment("c")
                .hintString("b_1")
                .maxTime(1, TimeUnit.SECONDS)
                .first());
    mapReduce(all);
  }

  @SuppressWarnings("deprecation") // there as long as the public interface has it
  private static void mapReduce(Map<String, Consumer<MongoClient>> all) {
    on(all, "map-reduce", things -> things.mapReduce("map", "reduce").into(new ArrayList<>()));
    on(
        all,
        "map-reduce with every option",
        things ->
            things
                .mapReduce("map", "reduce")
                .filter(eq("a", 1))
                .sort(new Document("b", 1))
                .limit(5)
                .finalizeFunction("finalize")
                .scope(new Document("v", 1))
                .jsMode(true)
                .verbose(true)
                .collation(GERMAN)
                .maxTime(1, TimeUnit.SECONDS)
                .first());
    on(
        all,
        "map-reduce to a collection",
        things ->
            things
                .mapReduce("map", "reduce")
                .collectionName("copy")
                .databaseName("x")
                .action(MapReduceAction.MERGE)
                .bypassDocumentValidation(true)
                .into(new ArrayList<>()));
    on(
        all,
        "map-reduce to a collection alone",
        things -> things.mapReduce("map", "reduce").collectionName("copy").toCollection());
  }

  private static void writes(Map<String, Consumer<MongoClient>> all) {
    on(
        all,
        "insert one",
        things -> things.insertOne(new Document("_id", 1).append("u", new UUID(3, 4))));
    on(
        all,
        "insert one with every option",
        things ->
            things.insertOne(
                new Document("_id", 1),
                new InsertOneOptions().bypassDocumentValidation(true).comment("c")));
    on(
        all,
        "insert many",
        things ->
            things.insertMany(
                List.of(new Document("_id", 1), new Document("a", 2).append("_id", 2)),
                new InsertManyOptions().ordered(false).comment("c")));
    on(all, "update one", things -> things.updateOne(eq("a", 1), set("b", 2)));
    on(
        all,
        "update one with every option",
        things ->
            things.updateOne(
                eq("a", 1),
                set("b.$[x]", 2),
                new UpdateOptions()
                    .upsert(true)
                    .bypassDocumentValidation(false)
                    .collation(GERMAN)
                    .arrayFilters(List.of(eq("x", 1)))
                    .hint(new Document("a", 1))
                    .comment("c")
                    .let(new Document("v", 1))
                    .sort(new Document("a", 1))));
    on(
        all,
        "update many by a pipeline",
        things -> things.updateMany(eq("a", 1), List.of(set("b", 2))));
    on(
        all,
        "replace one",
        things ->
            things.replaceOne(
                eq("_id", 1),
                new Document("b", 2),
                new ReplaceOptions()
                    .upsert(true)
                    .hintString("h")
                    .sort(new Document("a", 1))
                    .comment("c")));
    on(
        all,
        "delete one",
        things ->
            things.deleteOne(
                eq("a", 1),
                new DeleteOptions()
                    .hint(new Document("a", 1))
                    .collation(GERMAN)
                    .let(new Document("v", 1))));
    on(all, "delete many", things -> things.deleteMany(eq("a", 1)));
  }

  private static void bulks(Map<String, Consumer<MongoClient>> all) {
    for (boolean ordered : List.of(true, false)) {
      on(
          all,
          ordered ? "an ordered bulk of one kind each" : "an unordered bulk of one kind each",
          things ->
              things.bulkWrite(
                  List.of(
                      new InsertOneModel<>(new Document("_id", 1)),
                      new InsertOneModel<>(new Document("_id", 2)),
                      new UpdateOneModel<>(eq("a", 1), set("b", 1)),
                      new DeleteOneModel<>(eq("a", 1))),
                  new BulkWriteOptions().ordered(ordered).comment("c").let(new Document("v", 1))));
    }
    on(
        all,
        "a bulk of one update",
        things -> things.bulkWrite(List.of(new UpdateManyModel<>(eq("a", 1), set("b", 1)))));
    on(
        all,
        "a bulk of one replacement",
        things ->
            things.bulkWrite(List.of(new ReplaceOneModel<>(eq("a", 1), new Document("b", 1)))));
  }

  private static void findAndModify(Map<String, Consumer<MongoClient>> all) {
    on(
        all,
        "find and delete",
        things ->
            things.findOneAndDelete(
                eq("a", 1),
                new FindOneAndDeleteOptions()
                    .sort(new Document("a", 1))
                    .projection(new Document("b", 1))
                    .collation(GERMAN)
                    .hintString("h")
                    .comment("c")
                    .let(new Document("v", 1))
                    .maxTime(1, TimeUnit.SECONDS)));
    on(
        all,
        "find and replace",
        things ->
            things.findOneAndReplace(
                eq("a", 1),
                new Document("b", 1),
                new FindOneAndReplaceOptions().upsert(true).bypassDocumentValidation(true)));
    on(
        all,
        "find and update",
        things ->
            things.findOneAndUpdate(
                eq("a", 1),
                set("b", 1),
                new FindOneAndUpdateOptions()
                    .returnDocument(ReturnDocument.AFTER)
                    .arrayFilters(List.of(eq("x", 1)))
                    .hint(new Document("a", 1))));
    on(
        all,
        "find and update by a pipeline",
        things -> things.findOneAndUpdate(eq("a", 1), List.of(set("b", 1))));
  }

  private static void administration(Map<String, Consumer<MongoClient>> all) {
    onDatabase(all, "create", database -> database.createCollection("made"));
    onDatabase(
        all,
        "create with options",
        database ->
            database.createCollection(
                "made",
                new CreateCollectionOptions()
                    .capped(true)
                    .sizeInBytes(1 << 20)
                    .maxDocuments(10)
                    .collation(GERMAN)
                    .validationOptions(
                        new ValidationOptions()
                            .validator(eq("a", 1))
                            .validationAction(ValidationAction.WARN)
                            .validationLevel(ValidationLevel.MODERATE))
                    .changeStreamPreAndPostImagesOptions(
                        new ChangeStreamPreAndPostImagesOptions(true))));
    onDatabase(
        all,
        "create a time series and a clustered collection",
        database -> {
          database.createCollection(
              "series",
              new CreateCollectionOptions()
                  .expireAfter(60, TimeUnit.SECONDS)
                  .timeSeriesOptions(
                      new TimeSeriesOptions("t")
                          .metaField("m")
                          .granularity(TimeSeriesGranularity.HOURS)));
          database.createCollection(
              "clustered",
              new CreateCollectionOptions()
                  .clusteredIndexOptions(
                      new ClusteredIndexOptions(new Document("_id", 1), true).name("n")));
        });
    onDatabase(
        all,
        "create a view",
        database ->
            database.createView(
                "v",
                "things",
                List.of(Aggregates.match(eq("a", 1))),
                new CreateViewOptions().collation(GERMAN)));
    onDatabase(
        all,
        "list collections",
        database ->
            database
                .listCollections()
                .filter(eq("name", "x"))
                .batchSize(2)
                .comment("c")
                .maxTime(1, TimeUnit.SECONDS)
                .first());
    onDatabase(
        all,
        "list collection names",
        database ->
            database.listCollectionNames().authorizedCollections(true).into(new ArrayList<>()));
    onDatabase(all, "drop a database", MongoDatabase::drop);
    onDatabase(all, "run a command", database -> database.runCommand(new Document("ping", 1)));
    onDatabase(
        all,
        "run a command near",
        database -> database.runCommand(new Document("ping", 1), ReadPreference.nearest()));
    all.put(
        "list databases",
        client -> client.listDatabases().filter(eq("name", "a")).nameOnly(false).first());
    all.put("list database names", client -> client.listDatabaseNames().into(new ArrayList<>()));
    on(
        all,
        "create an index",
        things ->
            things.createIndex(
                Indexes.compoundIndex(
                    Indexes.ascending("a"), Indexes.descending("b"), Indexes.hashed("h")),
                new IndexOptions()
                    .unique(true)
                    .sparse(true)
                    .hidden(true)
                    .background(true)
                    .expireAfter(9L, TimeUnit.SECONDS)
                    .partialFilterExpression(eq("a", 1))
                    .collation(GERMAN)));
    on(
        all,
        "create a text index",
        things ->
            things.createIndexes(
                List.of(
                    new com.mongodb.client.model.IndexModel(
                        Indexes.text("t"),
                        new IndexOptions()
                            .weights(new Document("t", 2))
                            .defaultLanguage("none")
                            .textVersion(3))),
                new CreateIndexOptions().maxTime(1, TimeUnit.SECONDS)));
    on(
        all,
        "list indexes",
        things -> things.listIndexes().batchSize(3).comment("c").into(new ArrayList<>()));
    on(
        all,
        "drop an index by name and by keys",
        things -> {
          things.dropIndex("a_1", new DropIndexOptions().maxTime(1, TimeUnit.SECONDS));
          things.dropIndex(Indexes.ascending("a"));
          things.dropIndexes();
        });
    on(all, "drop", MongoCollection::drop);
    on(
        all,
        "rename",
        things ->
            things.renameCollection(
                new MongoNamespace("db.other"), new RenameCollectionOptions().dropTarget(true)));
    on(
        all,
        "search indexes",
        things -> {
          things.createSearchIndex("s", new Document("mappings", new Document("dynamic", true)));
          things.updateSearchIndex("s", new Document("mappings", new Document()));
          things.listSearchIndexes().name("s").into(new ArrayList<>());
          things.dropSearchIndex("s");
        });
  }

  private static void inherited(Map<String, Consumer<MongoClient>> all) {
    onDatabase(
        all,
        "concerns of a database",
        database -> {
          MongoCollection<Document> things =
              database
                  .withReadConcern(ReadConcern.MAJORITY)
                  .withWriteConcern(
                      WriteConcern.MAJORITY.withJournal(true).withWTimeout(5, TimeUnit.SECONDS))
                  .getCollection("things");
          things.find().first();
          things.insertOne(new Document("_id", 1));
          things.countDocuments();
          things.findOneAndDelete(eq("a", 1));
          things.createIndex(Indexes.ascending("a"));
          things.aggregate(List.of(Aggregates.out("copy"))).toCollection();
        });
    on(
        all,
        "concerns of a collection",
        things -> {
          MongoCollection<Document> own =
              things
                  .withReadConcern(ReadConcern.LOCAL)
                  .withWriteConcern(WriteConcern.W2)
                  .withReadPreference(ReadPreference.primaryPreferred());
          own.find().first();
          own.updateMany(eq("a", 1), set("b", 1));
        });
    all.put(
        "a session",
        client -> {
          try (ClientSession session = client.startSession()) {
            MongoCollection<Document> things = client.getDatabase("db").getCollection("things");
            things.insertOne(session, new Document("_id", 1));
            things.find(session).into(new ArrayList<>());
            client.getDatabase("db").runCommand(session, new Document("ping", 1));
          }
        });
  }
}
