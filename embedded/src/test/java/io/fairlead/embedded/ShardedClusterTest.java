// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoWriteException;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.bulk.ClientBulkWriteOptions;
import com.mongodb.client.model.bulk.ClientBulkWriteResult;
import com.mongodb.client.model.bulk.ClientNamespacedWriteModel;
import com.mongodb.client.model.bulk.ClientUpdateOneOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two shards behind two routers, as the official driver sees them. */
final class ShardedClusterTest {

  private static EmbeddedCluster cluster;
  private static MongoClient first;
  private static MongoClient second;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.sharded(2, 1).routers(2).start();
    first = ReplicaSetTest.connect(cluster.routers().get(0).connectionString());
    second = ReplicaSetTest.connect(cluster.routers().get(1).connectionString());
  }

  @AfterAll
  static void stop() {
    first.close();
    second.close();
    cluster.close();
  }

  private static MongoDatabase admin() {
    return first.getDatabase("admin");
  }

  private static MongoCollection<Document> hashed(String database, int documents) {
    admin()
        .runCommand(
            new Document("shardCollection", database + ".c")
                .append("key", new Document("_id", "hashed")));
    MongoCollection<Document> collection = first.getDatabase(database).getCollection("c");
    List<Document> all = new ArrayList<>();
    for (int i = 0; i < documents; i++) {
      all.add(new Document("_id", i).append("v", i % 10).append("w", documents - i));
    }
    collection.insertMany(all);
    return collection;
  }

  private static long onShard(int shard, String database) {
    try (MongoClient direct =
        ReplicaSetTest.connect(cluster.shards().get(shard).connectionString())) {
      return direct.getDatabase(database).getCollection("c").countDocuments();
    }
  }

  @Test
  void an_unsharded_collection_is_read_and_written_through_any_router() {
    MongoCollection<Document> collection = first.getDatabase("plain").getCollection("c");
    collection.insertMany(
        List.of(new Document("_id", 1).append("a", 1), new Document("_id", 2).append("a", 2)));
    assertThat(second.getDatabase("plain").getCollection("c").countDocuments()).isEqualTo(2);
    assertThat(collection.updateOne(Filters.eq("a", 1), Updates.set("b", 5)).getModifiedCount())
        .isEqualTo(1);
    assertThat(collection.findOneAndUpdate(Filters.eq("_id", 2), Updates.inc("a", 10)))
        .containsEntry("a", 2);
    assertThat(
            collection
                .aggregate(List.of(Aggregates.group(null, Accumulators.sum("s", "$a"))))
                .first())
        .containsEntry("s", 13);
    assertThat(first.getDatabase("plain").listCollectionNames()).containsExactly("c");
  }

  @Test
  void a_hashed_collection_is_spread_and_reads_as_one() {
    MongoCollection<Document> collection = hashed("spread", 500);
    assertThat(onShard(0, "spread")).isBetween(150L, 350L);
    assertThat(onShard(0, "spread") + onShard(1, "spread")).isEqualTo(500);
    assertThat(collection.find().batchSize(50).into(new ArrayList<>())).hasSize(500);
    List<Document> page =
        collection
            .find()
            .sort(Sorts.ascending("w"))
            .skip(10)
            .limit(20)
            .projection(Projections.include("_id"))
            .into(new ArrayList<>());
    assertThat(page).hasSize(20).startsWith(new Document("_id", 489), new Document("_id", 488));
    assertThat(collection.countDocuments()).isEqualTo(500);
    assertThat(collection.estimatedDocumentCount()).isEqualTo(500);
    assertThat(collection.distinct("v", Integer.class).into(new ArrayList<>())).hasSize(10);
    assertThat(
            collection
                .aggregate(
                    List.of(
                        Aggregates.match(Filters.lt("v", 3)),
                        Aggregates.group("$v", Accumulators.sum("n", 1)),
                        Aggregates.sort(Sorts.descending("_id")),
                        Aggregates.limit(2)))
                .into(new ArrayList<>()))
        .containsExactly(
            new Document("_id", 2).append("n", 50), new Document("_id", 1).append("n", 50));
    assertThat(second.getDatabase("spread").getCollection("c").countDocuments()).isEqualTo(500);
  }

  @Test
  void writes_of_a_batch_go_to_their_shards_and_errors_have_the_clients_indexes() {
    MongoCollection<Document> collection = hashed("writes", 100);
    assertThat(collection.updateMany(Filters.eq("v", 3), Updates.set("x", 2)).getModifiedCount())
        .isEqualTo(10);
    assertThat(collection.deleteMany(Filters.eq("v", 9)).getDeletedCount()).isEqualTo(10);
    assertThat(
            collection
                .updateOne(
                    Filters.eq("_id", 1000), Updates.set("y", 1), new UpdateOptions().upsert(true))
                .getUpsertedId())
        .isNotNull();
    BulkWriteResult bulk =
        collection.bulkWrite(
            List.of(
                new InsertOneModel<>(new Document("_id", 2000)),
                new InsertOneModel<>(new Document("_id", 2001)),
                new UpdateOneModel<>(Filters.eq("_id", 2000), Updates.set("q", 1)),
                new DeleteOneModel<>(Filters.eq("_id", 2001))));
    assertThat(bulk.getInsertedCount()).isEqualTo(2);
    assertThat(bulk.getModifiedCount()).isEqualTo(1);
    assertThat(bulk.getDeletedCount()).isEqualTo(1);
    List<Document> repeated =
        List.of(
            new Document("_id", 1),
            new Document("_id", 600),
            new Document("_id", 2),
            new Document("_id", 601));
    assertThatExceptionOfType(MongoBulkWriteException.class)
        .isThrownBy(() -> collection.insertMany(repeated, new InsertManyOptions().ordered(false)))
        .satisfies(
            error -> {
              assertThat(error.getWriteErrors())
                  .extracting(BulkWriteError::getIndex)
                  .containsExactly(0, 2);
              assertThat(error.getWriteErrors())
                  .extracting(BulkWriteError::getCode)
                  .containsOnly(11000);
              assertThat(error.getWriteResult().getInsertedCount()).isEqualTo(2);
            });
    assertThatExceptionOfType(MongoWriteException.class)
        .isThrownBy(() -> collection.updateOne(Filters.eq("v", 1), Updates.set("y", 1)))
        .satisfies(error -> assertThat(error.getCode()).isEqualTo(61));
  }

  @Test
  void a_ranged_collection_is_split_and_its_empty_chunks_are_moved() {
    Document onC = new Document("shardCollection", "ranged.c").append("key", new Document("k", 1));
    admin().runCommand(onC);
    admin().runCommand(new Document("split", "ranged.c").append("middle", new Document("k", 7)));
    Document upper =
        first.getDatabase("config").getCollection("chunks").find(Filters.eq("min.k", 7)).first();
    boolean onFirst = java.util.Objects.requireNonNull(upper).getString("shard").equals("shard0");
    MongoCollection<Document> other = second.getDatabase("ranged").getCollection("c");
    assertThat(other.countDocuments()).isZero();
    Document move = new Document("moveChunk", "ranged.c").append("find", new Document("k", 7));
    admin().runCommand(move.append("to", onFirst ? "shard1" : "shard0"));
    for (int i = 0; i < 20; i++) {
      other.insertOne(new Document("_id", i).append("k", i));
    }
    assertThat(onShard(onFirst ? 1 : 0, "ranged")).isEqualTo(13);
    assertThat(other.countDocuments(Filters.and(Filters.gte("k", 5), Filters.lt("k", 15))))
        .isEqualTo(10);
    assertThatExceptionOfType(MongoCommandException.class)
        .isThrownBy(() -> admin().runCommand(move.append("to", onFirst ? "shard0" : "shard1")))
        .satisfies(error -> assertThat(error.getCode()).isEqualTo(115));
    assertThat(first.getDatabase("ranged").getCollection("c").countDocuments()).isEqualTo(20);
  }

  @Test
  void a_router_that_has_missed_a_change_finds_out_before_it_answers() {
    first.getDatabase("late").getCollection("c").insertOne(new Document("_id", 0));
    assertThat(second.getDatabase("late").getCollection("c").countDocuments()).isEqualTo(1);
    first.getDatabase("late").getCollection("c").drop();
    hashed("late", 100);
    MongoCollection<Document> other = second.getDatabase("late").getCollection("c");
    assertThat(other.countDocuments()).isEqualTo(100);
    assertThat(other.find(Filters.eq("_id", 57)).first()).isNotNull();
    first.getDatabase("late").drop();
    assertThat(other.countDocuments()).isZero();
    other.insertOne(new Document("_id", 1));
    assertThat(first.getDatabase("late").getCollection("c").countDocuments()).isEqualTo(1);
  }

  @Test
  void nothing_is_lost_while_a_collection_becomes_sharded() throws Exception {
    Queue<Integer> acknowledged = new ConcurrentLinkedQueue<>();
    Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger next = new AtomicInteger();
    CountDownLatch some = new CountDownLatch(20);
    List<Thread> writers = new ArrayList<>();
    for (MongoClient client : List.of(first, second, first, second)) {
      MongoCollection<Document> collection = client.getDatabase("race").getCollection("c");
      writers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (!stop.get()) {
                      int id = next.incrementAndGet();
                      try {
                        collection.insertOne(new Document("_id", id));
                        acknowledged.add(id);
                      } catch (RuntimeException failed) {
                        failures.add(failed);
                      }
                      some.countDown();
                    }
                  }));
    }
    some.await();
    Document onC =
        new Document("shardCollection", "race.c").append("key", new Document("_id", "hashed"));
    admin().runCommand(onC);
    stop.set(true);
    for (Thread writer : writers) {
      writer.join();
    }
    MongoCollection<Document> collection = second.getDatabase("race").getCollection("c");
    assertThat(failures).isEmpty();
    assertThat(acknowledged)
        .allSatisfy(id -> assertThat(collection.find(Filters.eq("_id", id)).first()).isNotNull());
    assertThat(collection.countDocuments()).isEqualTo(acknowledged.size());
  }

  @Test
  void the_cluster_wide_routing_setting_reaches_every_router_while_it_runs() {
    MongoCollection<Document> settings = first.getDatabase("config").getCollection("settings");
    settings.updateOne(
        Filters.eq("_id", "fairlead.routing"),
        Updates.set("latencyWindow", new Document("percent", 20)),
        new UpdateOptions().upsert(true));
    for (MongoClient client : List.of(first, second)) {
      ReplicaSetTest.await(
          () ->
              client
                  .getDatabase("admin")
                  .runCommand(new Document("routingStatus", 1))
                  .get("window", Document.class)
                  .containsKey("percent"),
          "the window of " + client);
    }
  }

  @Test
  void a_setting_that_nobody_reads_is_refused_when_it_is_written() {
    MongoCollection<Document> settings = first.getDatabase("config").getCollection("settings");
    for (String unknown :
        List.of(
            "{_id: 'audit'}",
            "{_id: 'balancer', mode: 'full'}",
            "{_id: 'autosplit', enabled: true}",
            "{_id: 'chunksize', value: 0}",
            "{_id: 'fairlead.routing', latencyWindow: {ms: 1, percent: 5}}",
            "{_id: 'fairlead.routing', window: {ms: 1}}")) {
      assertThatThrownBy(() -> settings.insertOne(Document.parse(unknown)))
          .as(unknown)
          .isInstanceOfSatisfying(
              MongoWriteException.class,
              refused -> assertThat(refused.getError().getCode()).isEqualTo(121));
    }
    for (String known :
        List.of("{_id: 'balancer', mode: 'off', stopped: true}", "{_id: 'chunksize', value: 64}")) {
      settings.insertOne(Document.parse(known));
    }
    settings.deleteMany(Filters.in("_id", "balancer", "chunksize"));
  }

  @Test
  void a_clients_bulk_write_reaches_sharded_and_whole_collections_and_tells_each_result() {
    MongoCollection<Document> sharded = hashed("bulk", 20);
    MongoNamespace spread = sharded.getNamespace();
    MongoNamespace whole = new MongoNamespace("bulk", "whole");
    ClientBulkWriteResult result =
        first.bulkWrite(
            List.of(
                ClientNamespacedWriteModel.insertOne(whole, new Document("_id", 1)),
                ClientNamespacedWriteModel.insertOne(spread, new Document("_id", 100)),
                ClientNamespacedWriteModel.updateMany(
                    spread, Filters.lt("_id", 5), Updates.set("touched", true)),
                ClientNamespacedWriteModel.updateOne(
                    whole,
                    Filters.eq("_id", 2),
                    Updates.set("a", 1),
                    ClientUpdateOneOptions.clientUpdateOneOptions().upsert(true)),
                ClientNamespacedWriteModel.deleteMany(spread, Filters.gte("_id", 15))),
            ClientBulkWriteOptions.clientBulkWriteOptions().verboseResults(true));
    assertThat(result.getInsertedCount()).isEqualTo(2);
    assertThat(result.getModifiedCount()).isEqualTo(5);
    assertThat(result.getUpsertedCount()).isEqualTo(1);
    assertThat(result.getDeletedCount()).isEqualTo(6);
    ClientBulkWriteResult.VerboseResults each = result.getVerboseResults().orElseThrow();
    assertThat(requireNonNull(each.getUpdateResults().get(2)).getModifiedCount()).isEqualTo(5);
    assertThat(requireNonNull(each.getUpdateResults().get(3)).getUpsertedId())
        .contains(new BsonInt32(2));
    assertThat(requireNonNull(each.getDeleteResults().get(4)).getDeletedCount()).isEqualTo(6);
    assertThat(sharded.countDocuments()).isEqualTo(15);
    assertThat(second.getDatabase("bulk").getCollection("whole").countDocuments()).isEqualTo(2);
  }
}
