// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What explain says of each command is what the command does. */
final class ExplainTest {
  private static final int DOCUMENTS = 100;

  private static Server server;
  private static MongoClient client;
  private static MongoCollection<Document> collection;

  @BeforeAll
  static void start() {
    server = Server.start(ServerSettings.standalone(0));
    client =
        MongoClients.create("mongodb://" + server.address() + "/?serverSelectionTimeoutMS=5000");
    collection = client.getDatabase("explained").getCollection("c");
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(
          new Document("_id", i)
              .append("a", i % 10)
              .append("t", "word" + i % 5)
              .append("l", List.of(i * 0.1, i * 0.1)));
    }
    collection.insertMany(documents);
    collection.createIndexes(
        List.of(
            new IndexModel(Indexes.ascending("a")),
            new IndexModel(Indexes.text("t")),
            new IndexModel(Indexes.geo2dsphere("l"))));
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static Document explain(String command, String verbosity) {
    return client
        .getDatabase("explained")
        .runCommand(
            new Document("explain", Document.parse(command)).append("verbosity", verbosity));
  }

  private static Document statistics(String command) {
    return explain(command, "executionStats").get("executionStats", Document.class);
  }

  private static String stages(Document stage) {
    StringBuilder names = new StringBuilder();
    for (Document at = stage; at != null; at = at.get("inputStage", Document.class)) {
      names.append(names.isEmpty() ? "" : " ").append(at.getString("stage"));
    }
    return names.toString();
  }

  private static String plan(String command) {
    Document planner = explain(command, "queryPlanner").get("queryPlanner", Document.class);
    return stages(planner.get("winningPlan", Document.class));
  }

  @Test
  void each_command_shows_its_own_stage_on_top_of_how_it_finds() {
    assertThat(plan("{find: 'c', filter: {a: 3}}")).isEqualTo("FETCH IXSCAN");
    assertThat(plan("{find: 'c', filter: {a: 3}, projection: {a: 1, _id: 0}}"))
        .isEqualTo("PROJECTION_COVERED IXSCAN");
    assertThat(plan("{count: 'c', query: {a: 3}}")).isEqualTo("COUNT COUNT_SCAN");
    assertThat(plan("{count: 'c'}")).isEqualTo("COUNT RECORD_STORE_FAST_COUNT");
    assertThat(plan("{count: 'c', query: {t: 'x'}}")).isEqualTo("COUNT COLLSCAN");
    assertThat(plan("{distinct: 'c', key: 'a', query: {a: {$gt: 3}}}"))
        .isEqualTo("FETCH DISTINCT_SCAN");
    assertThat(plan("{distinct: 'c', key: 't', query: {a: {$gt: 3}}}")).isEqualTo("FETCH IXSCAN");
    assertThat(plan("{update: 'c', updates: [{q: {a: 3}, u: {$set: {b: 1}}}]}"))
        .isEqualTo("UPDATE FETCH IXSCAN");
    assertThat(plan("{delete: 'c', deletes: [{q: {t: 'x'}, limit: 0}]}"))
        .isEqualTo("DELETE COLLSCAN");
    assertThat(plan("{findAndModify: 'c', query: {a: 3}, remove: true}"))
        .isEqualTo("DELETE FETCH IXSCAN");
    assertThat(plan("{find: 'c', filter: {$text: {$search: 'word1'}}}")).isEqualTo("TEXT_MATCH");
    assertThat(plan("{find: 'c', filter: {l: {$nearSphere: [0, 0]}}}"))
        .isEqualTo("GEO_NEAR_2DSPHERE");
    Document staged =
        explain(
            "{aggregate: 'c', pipeline: [{$match: {a: 3}}, {$group: {_id: '$t'}}], cursor: {}}",
            "queryPlanner");
    assertThat(staged.getList("stages", Document.class).getFirst()).containsKey("$cursor");
  }

  @Test
  void the_figures_are_those_of_the_run() {
    Document found = statistics("{find: 'c', filter: {a: 3, t: 'word3'}, limit: 4}");
    assertThat(found.getInteger("nReturned")).isEqualTo(4);
    assertThat(found.getInteger("totalKeysExamined")).isEqualTo(4);
    Document fetch = found.get("executionStages", Document.class).get("inputStage", Document.class);
    assertThat(fetch.getInteger("docsExamined")).isEqualTo(4);
    Document scan = fetch.get("inputStage", Document.class);
    assertThat(scan.getInteger("keysExamined")).isEqualTo(4);
    assertThat(scan.getString("direction")).isEqualTo("forward");
    assertThat(scan.getBoolean("isMultiKey")).isFalse();
    assertThat(scan.get("indexBounds", Document.class)).containsEntry("a", List.of("[3, 3]"));
    Document counted = statistics("{count: 'c', query: {a: 3}}");
    assertThat(counted.getInteger("totalDocsExamined")).isZero();
    assertThat(counted.get("executionStages", Document.class).getInteger("nCounted")).isEqualTo(10);
    Document updated =
        statistics("{update: 'c', updates: [{q: {a: 3}, u: {$set: {b: 1}}, multi: true}]}");
    assertThat(updated.get("executionStages", Document.class).getInteger("nMatched")).isEqualTo(10);
    assertThat(collection.countDocuments(Filters.exists("b"))).isZero();
    Document covered = statistics("{find: 'c', filter: {a: {$lt: 5}}, projection: {a: 1, _id: 0}}");
    assertThat(covered.getInteger("totalDocsExamined")).isZero();
    assertThat(covered.getInteger("nReturned")).isEqualTo(50);
    Document all = explain("{find: 'c', filter: {a: 3}}", "allPlansExecution");
    assertThat(all.get("executionStats", Document.class)).containsKey("allPlansExecution");
    assertThat(all).containsEntry("explainVersion", "1");
  }

  @Test
  void options_of_a_find_are_honoured_or_refused() {
    assertThat(
            collection
                .find()
                .min(new Document("a", 3))
                .max(new Document("a", 5))
                .hint(Indexes.ascending("a")))
        .hasSize(20);
    assertThat(collection.find(Filters.eq("a", 3)).returnKey(true).first())
        .isEqualTo(new Document("a", 3));
    assertThat(collection.find(Filters.eq("_id", 3)).showRecordId(true).first())
        .containsKey("$recordId");
    assertThatExceptionOfType(com.mongodb.MongoQueryException.class)
        .isThrownBy(() -> collection.find().min(new Document("a", 3)).first())
        .satisfies(e -> assertThat(e.getCode()).isEqualTo(51173));
  }

  @Test
  void an_index_that_documents_stand_in_the_way_of_is_not_made() {
    assertThatExceptionOfType(MongoException.class)
        .isThrownBy(
            () -> collection.createIndex(Indexes.descending("a"), new IndexOptions().unique(true)))
        .satisfies(e -> assertThat(e.getCode()).isEqualTo(11000));
    assertThat(collection.listIndexes()).hasSize(4);
  }
}
