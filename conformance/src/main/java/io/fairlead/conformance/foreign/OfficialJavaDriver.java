// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.foreign;

import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.bson.Document;

/** The official Java driver, in this process: the same steps as the scripts. */
final class OfficialJavaDriver implements ForeignClient {
  private static final int KEPT = 200;

  @Override
  public String name() {
    return "official Java driver";
  }

  @Override
  public void run(Deployment deployment, Steps steps) throws InterruptedException {
    String separator = deployment.uri().contains("?") ? "&" : "?";
    try (MongoClient client =
        MongoClients.create(
            deployment.uri() + separator + "appName=foreign-java&serverSelectionTimeoutMS=15000")) {
      MongoDatabase database = client.getDatabase("foreign_java");
      MongoCollection<Document> people = database.getCollection("people");
      step(steps, "connect", () -> connect(client, database));
      step(steps, "insert and find", () -> insertAndFind(people));
      step(steps, "update and delete", () -> updateAndDelete(people));
      step(steps, "bulk write", () -> bulkWrite(people));
      step(steps, "cursor in batches", () -> cursor(database.getCollection("numbers")));
      step(steps, "aggregate", () -> aggregate(database.getCollection("numbers")));
      step(steps, "index", () -> index(people));
      step(steps, "duplicate key", () -> duplicateKey(people));
      step(steps, "step-down", () -> stepDown(deployment, database.getCollection("kept")));
    }
  }

  /** One step; what it throws is its failure. */
  @FunctionalInterface
  private interface Step {
    void run() throws InterruptedException;
  }

  private static void step(Steps steps, String name, Step body) throws InterruptedException {
    try {
      body.run();
      steps.passed(name);
    } catch (MongoException | IllegalStateException | CompletionException failure) {
      steps.failed(name, failure.toString());
    }
  }

  private static void expect(Object actual, Object wanted) {
    if (!actual.equals(wanted)) {
      throw new IllegalStateException("expected " + wanted + ", was " + actual);
    }
  }

  private static void connect(MongoClient client, MongoDatabase database) {
    expect(client.getDatabase("admin").runCommand(new Document("ping", 1)).getDouble("ok"), 1.0);
    database.drop();
  }

  private static void insertAndFind(MongoCollection<Document> people) {
    people.insertOne(person(1, "ada", 1815));
    people.insertMany(List.of(person(2, "grace", 1906), person(3, "alan", 1912)));
    expect(
        String.valueOf(people.find(Filters.eq("name", "ada")).first()),
        String.valueOf(person(1, "ada", 1815)));
    List<String> names =
        people
            .find(Filters.gt("born", 1900))
            .sort(Sorts.descending("born"))
            .map(p -> p.getString("name"))
            .into(new ArrayList<>());
    expect(names, List.of("alan", "grace"));
    expect(people.countDocuments(), 3L);
  }

  private static Document person(int id, String name, int born) {
    return new Document("_id", id).append("name", name).append("born", born);
  }

  private static void updateAndDelete(MongoCollection<Document> people) {
    expect(
        people.updateOne(Filters.eq("_id", 1), Updates.set("died", 1852)).getModifiedCount(), 1L);
    var upserted =
        people.updateOne(
            Filters.eq("_id", 4), Updates.set("name", "edsger"), new UpdateOptions().upsert(true));
    expect(String.valueOf(upserted.getUpsertedId()), "BsonInt32{value=4}");
    expect(people.deleteOne(Filters.eq("_id", 4)).getDeletedCount(), 1L);
  }

  private static void bulkWrite(MongoCollection<Document> people) {
    var result =
        people.bulkWrite(
            List.of(
                new InsertOneModel<>(new Document("_id", 10)),
                new UpdateOneModel<>(Filters.eq("_id", 10), Updates.set("a", 1))));
    expect(result.getInsertedCount(), 1);
    expect(result.getModifiedCount(), 1);
  }

  private static void cursor(MongoCollection<Document> numbers) {
    numbers.insertMany(IntStream.range(0, 500).mapToObj(i -> new Document("_id", i)).toList());
    List<Integer> ids =
        numbers
            .find()
            .sort(Sorts.ascending("_id"))
            .batchSize(70)
            .map(d -> d.getInteger("_id"))
            .into(new ArrayList<>());
    expect(ids, IntStream.range(0, 500).boxed().toList());
  }

  private static void aggregate(MongoCollection<Document> numbers) {
    List<Document> groups =
        numbers
            .aggregate(
                List.of(
                    Document.parse("{$match: {_id: {$lt: 100}}}"),
                    Document.parse("{$group: {_id: {$mod: ['$_id', 2]}, n: {$sum: 1}}}"),
                    Document.parse("{$sort: {_id: 1}}")))
            .into(new ArrayList<>());
    expect(groups, List.of(Document.parse("{_id: 0, n: 50}"), Document.parse("{_id: 1, n: 50}")));
  }

  private static void index(MongoCollection<Document> people) {
    expect(people.createIndex(Indexes.ascending("name")), "name_1");
    expect(people.listIndexes().into(new ArrayList<>()).size(), 2);
  }

  private static void duplicateKey(MongoCollection<Document> people) {
    try {
      people.insertOne(new Document("_id", 1));
    } catch (MongoWriteException duplicate) {
      expect(duplicate.getError().getCode(), 11000);
      return;
    }
    throw new IllegalStateException("a duplicate key was accepted");
  }

  private static void stepDown(Deployment deployment, MongoCollection<Document> collection)
      throws InterruptedException {
    MongoCollection<Document> kept = collection.withWriteConcern(WriteConcern.MAJORITY);
    CompletableFuture<Void> writes =
        CompletableFuture.runAsync(
            () -> IntStream.range(0, KEPT).forEach(i -> kept.insertOne(new Document("_id", i))),
            task -> Thread.ofVirtual().name("foreign java writer").start(task));
    deployment.stepDown().run();
    writes.join();
    IntStream.range(KEPT, KEPT + 20).forEach(i -> kept.insertOne(new Document("_id", i)));
    List<Integer> ids =
        kept.find()
            .sort(Sorts.ascending("_id"))
            .map(d -> d.getInteger("_id"))
            .into(new ArrayList<>());
    expect(ids, IntStream.range(0, KEPT + 20).boxed().toList());
  }
}
