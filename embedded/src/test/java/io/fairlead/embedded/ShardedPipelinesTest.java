// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.IndexOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pipelines and views over two shards give the documents that they give where one member has all:
 * the same names and documents stand in a database whose collections are not sharded.
 */
final class ShardedPipelinesTest {
  private static EmbeddedCluster cluster;
  private static MongoClient client;
  private static MongoDatabase divided;
  private static MongoDatabase whole;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.sharded(2, 1).routers(1).start();
    client = ReplicaSetTest.connect(cluster.routers().get(0).connectionString());
    divided = client.getDatabase("divided");
    whole = client.getDatabase("whole");
    shard("divided.orders", new Document("_id", "hashed"));
    shard("divided.items", new Document("sku", "hashed"));
    fill(divided);
    fill(whole);
  }

  private static void shard(String namespace, Document key) {
    client
        .getDatabase("admin")
        .runCommand(new Document("shardCollection", namespace).append("key", key));
  }

  private static void fill(MongoDatabase database) {
    List<Document> orders = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      orders.add(
          new Document("_id", i)
              .append("sku", "s" + i % 7)
              .append("who", i % 5)
              .append("n", (i * 13) % 17)
              .append("tags", i % 3 == 0 ? List.of("a", "b") : List.of("b")));
    }
    List<Document> items = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      items.add(
          new Document("_id", "i" + i)
              .append("sku", "s" + i)
              .append("price", i * 10)
              .append("part", i > 0 ? "s" + (i - 1) : null));
    }
    List<Document> people = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      people.add(new Document("_id", i).append("name", "p" + i).append("boss", i / 2));
    }
    database.getCollection("orders").insertMany(orders);
    database.getCollection("items").insertMany(items);
    database.getCollection("people").insertMany(people);
    database.createView("big", "orders", stages("{$match: {n: {$gte: 8}}}"));
    database.createView("bigger", "big", stages("{$match: {n: {$gte: 12}}}"));
    database.createView(
        "priced",
        "orders",
        stages(
            "{$lookup: {from: 'items', localField: 'sku', foreignField: 'sku', as: 'item'}}",
            "{$set: {price: {$first: '$item.price'}}}",
            "{$unset: 'item'}"));
    database.createView(
        "buyers",
        "people",
        stages(
            "{$lookup: {from: 'orders', localField: '_id', foreignField: 'who', as: 'orders'}}"));
  }

  @AfterAll
  static void stop() {
    client.close();
    cluster.close();
  }

  private static List<Document> stages(String... json) {
    List<Document> stages = new ArrayList<>();
    for (String stage : json) {
      stages.add(Document.parse(stage));
    }
    return stages;
  }

  private static final List<String> JOINS =
      List.of(
          "{$lookup: {from: 'items', localField: 'sku', foreignField: 'sku', as: 'found'}}",
          "{$lookup: {from: 'people', localField: 'who', foreignField: '_id', as: 'found'}}",
          "{$lookup: {from: 'big', localField: 'sku', foreignField: 'sku', as: 'found'}}",
          "{$lookup: {from: 'items', let: {s: '$sku', limit: '$n'}, pipeline: [{$match: {$expr:"
              + " {$and: [{$eq: ['$sku', '$$s']}, {$gte: ['$price', '$$limit']}]}}}], as:"
              + " 'found'}}",
          "{$lookup: {from: 'orders', localField: 'who', foreignField: 'who', pipeline: [{$match:"
              + " {n: {$lt: 5}}}, {$project: {n: 1}}], as: 'found'}}",
          "{$lookup: {from: 'people', localField: 'who', foreignField: '_id', pipeline: [{$lookup:"
              + " {from: 'items', pipeline: [{$match: {price: 30}}], as: 'inner'}}], as: 'found'}}",
          "{$graphLookup: {from: 'items', startWith: '$sku', connectFromField: 'part',"
              + " connectToField: 'sku', as: 'found', maxDepth: 2}}",
          "{$graphLookup: {from: 'people', startWith: '$who', connectFromField: 'boss',"
              + " connectToField: '_id', as: 'found', depthField: 'depth'}}",
          "{$unionWith: 'items'}",
          "{$unionWith: 'people'}",
          "{$unionWith: {coll: 'bigger', pipeline: [{$set: {from: 'bigger'}}]}}",
          "{$unionWith: {coll: 'priced', pipeline: [{$match: {price: {$gt: 20}}}]}}",
          "{$unionWith: 'missing'}",
          "{$facet: {few: [{$match: {n: {$lt: 3}}}], kinds: [{$group: {_id: '$sku', n: {$sum:"
              + " '$n'}}}], joined: [{$limit: 1000}, {$lookup: {from: 'people', pipeline: [], as:"
              + " 'all'}}, {$project: {all: {$size: '$all'}}}]}}");

  private static final List<String> OTHERS =
      List.of(
          "{$match: {n: {$gt: 4}}}",
          "{$match: {_id: 7}}",
          "{$set: {twice: {$multiply: ['$n', 2]}}}",
          "{$unwind: {path: '$tags', preserveNullAndEmptyArrays: true}}",
          "{$project: {sku: 1, who: 1, n: 1, found: 1, tags: 1}}",
          "{$group: {_id: '$sku', n: {$sum: '$n'}, who: {$max: '$who'}, many: {$push: '$n'}}}",
          "{$sort: {n: 1, _id: 1}}",
          "{$match: {sku: 's3'}}");

  private static final List<String> SOURCES =
      List.of("orders", "items", "people", "big", "bigger", "priced", "buyers");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void any_pipeline_gives_the_same_documents_however_its_collections_are_divided(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 25; i++) {
      String source = SOURCES.get(random.nextInt(SOURCES.size()));
      List<Document> pipeline = new ArrayList<>();
      for (int stage = random.nextInt(4) + 1; stage > 0; stage--) {
        List<String> from = random.nextInt(2) == 0 ? JOINS : OTHERS;
        pipeline.add(Document.parse(from.get(random.nextInt(from.size()))));
      }
      requireSame(source, pipeline, "seed " + seed);
    }
  }

  @Test
  void every_join_works_on_every_kind_of_collection() {
    for (String source : SOURCES) {
      for (String join : JOINS) {
        requireSame(source, List.of(Document.parse(join)), "");
      }
    }
  }

  private static void requireSame(String source, List<Document> pipeline, String hint) {
    assertThat(sorted(divided.getCollection(source).aggregate(pipeline)))
        .as("%s on %s: %s", hint, source, pipeline)
        .isEqualTo(sorted(whole.getCollection(source).aggregate(pipeline)));
  }

  /** Neither the order of documents nor that of what was joined is said to be the same. */
  private static List<String> sorted(Iterable<Document> documents) {
    List<String> all = new ArrayList<>();
    documents.forEach(document -> all.add(String.valueOf(normal(document))));
    all.sort(Comparator.naturalOrder());
    return all;
  }

  private static Object normal(Object value) {
    if (value instanceof Document document) {
      TreeMap<String, Object> fields = new TreeMap<>();
      document.forEach((name, field) -> fields.put(name, normal(field)));
      return fields;
    }
    if (value instanceof List<?> list) {
      List<String> elements = new ArrayList<>();
      list.forEach(element -> elements.add(String.valueOf(normal(element))));
      elements.sort(Comparator.naturalOrder());
      return elements;
    }
    return String.valueOf(value);
  }

  @Test
  void views_over_divided_collections_are_found_counted_and_distinct() {
    for (String view : List.of("big", "bigger", "priced", "buyers")) {
      Document filter = Document.parse("{n: {$ne: 9}}");
      assertThat(sorted(divided.getCollection(view).find(filter)))
          .isEqualTo(sorted(whole.getCollection(view).find(filter)));
      assertThat(
              divided
                  .getCollection(view)
                  .find(filter)
                  .sort(new Document("_id", -1))
                  .skip(1)
                  .limit(3)
                  .projection(new Document("sku", 1))
                  .into(new ArrayList<>()))
          .isEqualTo(
              whole
                  .getCollection(view)
                  .find(filter)
                  .sort(new Document("_id", -1))
                  .skip(1)
                  .limit(3)
                  .projection(new Document("sku", 1))
                  .into(new ArrayList<>()));
      Document count = new Document("count", view).append("query", filter);
      assertThat(divided.runCommand(count).get("n")).isEqualTo(whole.runCommand(count).get("n"));
      assertThat(divided.getCollection(view).countDocuments(filter, new CountOptions().limit(5)))
          .isEqualTo(whole.getCollection(view).countDocuments(filter, new CountOptions().limit(5)));
      for (String key : List.of("tags", "sku", "orders.sku", "missing")) {
        Document distinct = new Document("distinct", view).append("key", key);
        assertThat(normal(divided.runCommand(distinct).getList("values", Object.class)))
            .isEqualTo(normal(whole.runCommand(distinct).getList("values", Object.class)));
      }
    }
  }

  @Test
  void a_cursor_of_a_view_goes_on() {
    List<Document> all = new ArrayList<>();
    divided.getCollection("priced").find().batchSize(3).into(all);
    assertThat(all).hasSize(40);
  }

  @Test
  void out_replaces_a_whole_collection_and_keeps_its_indexes() {
    whole.getCollection("target").insertOne(new Document("_id", "old"));
    whole.getCollection("target").createIndex(new Document("n", 1), new IndexOptions().name("n1"));
    List<Document> pipeline =
        stages("{$match: {n: {$gte: 8}}}", "{$out: {db: 'whole', coll: 'target'}}");
    divided.getCollection("orders").aggregate(pipeline).toCollection();
    assertThat(sorted(whole.getCollection("target").find()))
        .isEqualTo(sorted(whole.getCollection("big").find()));
    List<String> indexes = new ArrayList<>();
    whole
        .getCollection("target")
        .listIndexes()
        .forEach(each -> indexes.add(each.getString("name")));
    assertThat(indexes).containsExactlyInAnyOrder("_id_", "n1");
    assertThat(whole.listCollectionNames()).noneMatch(name -> name.startsWith("tmp."));
  }

  @Test
  void out_that_fails_leaves_the_old_collection() {
    whole.getCollection("kept").insertOne(new Document("_id", "old"));
    whole
        .getCollection("kept")
        .createIndex(new Document("who", 1), new IndexOptions().unique(true));
    assertThatExceptionOfType(MongoException.class)
        .isThrownBy(
            () ->
                divided
                    .getCollection("orders")
                    .aggregate(stages("{$out: {db: 'whole', coll: 'kept'}}"))
                    .toCollection())
        .matches(failure -> failure.getCode() == 11000);
    assertThat(whole.getCollection("kept").find()).containsExactly(new Document("_id", "old"));
    assertThat(whole.listCollectionNames()).noneMatch(name -> name.startsWith("tmp."));
  }

  @Test
  void merge_inserts_updates_and_fails_as_told() {
    MongoDatabase other = client.getDatabase("other");
    other.getCollection("sums").insertOne(new Document("_id", "s1").append("kept", true));
    List<Document> pipeline =
        stages(
            "{$group: {_id: '$sku', n: {$sum: '$n'}}}",
            "{$merge: {into: {db: 'other', coll:" + " 'sums'}}}");
    divided.getCollection("orders").aggregate(pipeline).toCollection();
    assertThat(other.getCollection("sums").countDocuments()).isEqualTo(7);
    assertThat(other.getCollection("sums").find(new Document("_id", "s1")).first())
        .containsEntry("kept", true)
        .containsKey("n");
    List<Document> adding =
        stages(
            "{$project: {_id: '$sku', price: 1}}",
            "{$merge: {into: {db: 'other', coll: 'sums'}, whenMatched: [{$set: {price:"
                + " '$$new.price'}}], whenNotMatched: 'discard'}}");
    divided.getCollection("items").aggregate(adding).toCollection();
    assertThat(
            other
                .getCollection("sums")
                .countDocuments(new Document("price", new Document("$gte", 0))))
        .isEqualTo(7);
    assertThatExceptionOfType(MongoException.class)
        .isThrownBy(
            () ->
                divided
                    .getCollection("items")
                    .aggregate(
                        stages(
                            "{$project: {_id: '$sku'}}",
                            "{$merge: {into: {db: 'other', coll: 'sums'}, whenNotMatched:"
                                + " 'fail'}}"))
                    .toCollection())
        .matches(failure -> failure.getCode() == 13113);
  }

  @Test
  void a_divided_collection_is_no_target() {
    for (String stage : List.of("{$out: 'items'}", "{$merge: {into: 'items'}}")) {
      assertThatExceptionOfType(MongoException.class)
          .isThrownBy(() -> divided.getCollection("orders").aggregate(stages(stage)).toCollection())
          .matches(failure -> failure.getCode() == 28769 || failure.getCode() == 115);
    }
    assertThat(divided.getCollection("items").countDocuments()).isEqualTo(9);
  }

  private static Document explained(Document command) {
    return divided.runCommand(
        new Document("explain", command).append("verbosity", "executionStats"));
  }

  @Test
  void explain_tells_the_shards_that_are_asked_and_what_each_does() {
    Document all = explained(new Document("find", "orders").append("sort", new Document("n", 1)));
    Document plan = all.get("queryPlanner", Document.class).get("winningPlan", Document.class);
    assertThat(plan.getString("stage")).isEqualTo("SHARD_MERGE_SORT");
    assertThat(plan.getList("shards", Document.class))
        .hasSize(2)
        .allSatisfy(shard -> assertThat(shard).containsKeys("shardName", "winningPlan"));
    assertThat(all.get("executionStats", Document.class)).containsEntry("nReturned", 40);
    Document one =
        explained(new Document("find", "orders").append("filter", new Document("_id", 7)));
    assertThat(one.get("queryPlanner", Document.class).get("winningPlan", Document.class))
        .containsEntry("stage", "SINGLE_SHARD");
    assertThat(one.get("executionStats", Document.class)).containsEntry("nReturned", 1);
  }

  @Test
  void explain_tells_both_halves_of_a_pipeline() {
    List<Document> pipeline = stages("{$match: {n: {$gt: 4}}}", JOINS.getFirst());
    Document halves =
        explained(
            new Document("aggregate", "orders")
                .append("pipeline", pipeline)
                .append("cursor", new Document()));
    Document split = halves.get("splitPipeline", Document.class);
    assertThat(split.getList("shardsPart", Document.class)).containsExactly(pipeline.getFirst());
    assertThat(split.getList("mergerPart", Document.class)).containsExactly(pipeline.getLast());
    assertThat(halves.get("shards", Document.class)).hasSize(2);
    Document flagged =
        divided.runCommand(
            new Document("aggregate", "orders")
                .append("pipeline", pipeline)
                .append("explain", true));
    assertThat(flagged.get("splitPipeline")).isEqualTo(split);
  }
}
