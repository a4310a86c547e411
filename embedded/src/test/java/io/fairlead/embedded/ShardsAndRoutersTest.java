// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Shards behind routers as the official driver sees them. */
final class ShardsAndRoutersTest {

  @Test
  void documents_of_a_hashed_collection_are_spread_and_found_through_every_router() {
    try (EmbeddedCluster cluster = EmbeddedCluster.sharded(2, 1).routers(2).start()) {
      EmbeddedRouter first = cluster.routers().getFirst();
      try (MongoClient client = ReplicaSetTest.connect(first.connectionString())) {
        client.getDatabase("admin").runCommand(new Document("enableSharding", "test"));
        client
            .getDatabase("admin")
            .runCommand(
                new Document("shardCollection", "test.things")
                    .append("key", new Document("_id", "hashed")));
        MongoCollection<Document> things = client.getDatabase("test").getCollection("things");
        List<Document> many = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          many.add(new Document("_id", i).append("n", i));
        }
        things.insertMany(many);
        things.updateOne(Filters.eq("_id", 7), Updates.set("n", 700));
        things.deleteOne(Filters.eq("_id", 8));
      }
      for (EmbeddedRouter router : cluster.routers()) {
        try (MongoClient client = ReplicaSetTest.connect(router.connectionString())) {
          MongoCollection<Document> things = client.getDatabase("test").getCollection("things");
          assertThat(things.countDocuments()).isEqualTo(99);
          assertThat(things.find(Filters.eq("_id", 7)).first()).containsEntry("n", 700);
        }
      }
      for (EmbeddedReplicaSet shard : cluster.shards()) {
        try (MongoClient direct = ReplicaSetTest.connect(shard.connectionString())) {
          assertThat(direct.getDatabase("test").getCollection("things").countDocuments())
              .as("documents on " + shard.name())
              .isBetween(10L, 90L);
        }
      }
    }
  }

  @Test
  void a_router_survives_the_loss_of_a_shards_primary() {
    try (EmbeddedCluster cluster = EmbeddedCluster.sharded(1, 3).start();
        MongoClient client = ReplicaSetTest.connect(cluster.connectionString())) {
      MongoCollection<Document> things = client.getDatabase("test").getCollection("things");
      things.insertOne(new Document("_id", 1));
      EmbeddedReplicaSet shard = cluster.shards().getFirst();
      shard.primary().kill();
      things.insertOne(new Document("_id", 2));
      assertThat(shard.awaitPrimary(Duration.ofSeconds(10)).isRunning()).isTrue();
      assertThat(things.countDocuments()).isEqualTo(2);
    }
  }

  @Test
  void a_router_can_be_killed_and_comes_back_at_its_address() {
    try (EmbeddedCluster cluster = EmbeddedCluster.sharded(1, 1).routers(1).start()) {
      EmbeddedRouter router = cluster.routers().getFirst();
      router.kill();
      assertThat(router.isRunning()).isFalse();
      router.restart();
      try (MongoClient client = ReplicaSetTest.connect(router.connectionString())) {
        client.getDatabase("test").getCollection("things").insertOne(new Document("_id", 1));
      }
    }
  }

  @Test
  void a_standalone_takes_writes() {
    try (EmbeddedCluster cluster = EmbeddedCluster.standalone().start();
        MongoClient client = ReplicaSetTest.connect(cluster.connectionString())) {
      client.getDatabase("test").getCollection("things").insertOne(new Document("_id", 1));
      assertThat(client.getDatabase("test").getCollection("things").countDocuments()).isEqualTo(1);
    }
  }
}
