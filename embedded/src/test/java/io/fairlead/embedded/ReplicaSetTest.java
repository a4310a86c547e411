// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.fairlead.server.replication.protocol.MemberState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.junit.jupiter.api.Test;

/** A replica set as the official driver sees it. */
final class ReplicaSetTest {

  static MongoClient connect(String uri) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(uri))
            .uuidRepresentation(UuidRepresentation.STANDARD)
            .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(15, TimeUnit.SECONDS))
            .applyToServerSettings(
                server ->
                    server
                        .heartbeatFrequency(500, TimeUnit.MILLISECONDS)
                        .minHeartbeatFrequency(20, TimeUnit.MILLISECONDS))
            .build());
  }

  static void await(BooleanSupplier held, String what) {
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (!held.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(2_000_000);
    }
  }

  static MongoCollection<Document> majority(MongoClient client, String name) {
    return client.getDatabase("test").getCollection(name).withWriteConcern(WriteConcern.MAJORITY);
  }

  @Test
  void a_new_set_takes_writes_and_all_members_have_them() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start();
        MongoClient client = connect(cluster.connectionString())) {
      MongoCollection<Document> things =
          majority(client, "things").withWriteConcern(new WriteConcern(3));
      for (int i = 0; i < 50; i++) {
        things.insertOne(new Document("_id", i).append("n", i));
      }
      things.updateOne(Filters.eq("_id", 1), Updates.set("n", 100));
      things.deleteOne(Filters.eq("_id", 2));
      things.createIndex(new Document("n", 1));
      assertThat(things.countDocuments()).isEqualTo(49);
      for (EmbeddedMember member : cluster.replicaSet().members()) {
        try (MongoClient direct = connect(member.connectionString())) {
          MongoCollection<Document> there = direct.getDatabase("test").getCollection("things");
          await(() -> there.countDocuments() == 49, member.name() + " has all documents");
          assertThat(there.find(Filters.eq("_id", 1)).first())
              .isEqualTo(new Document("_id", 1).append("n", 100));
          await(
              () -> there.listIndexes().into(new ArrayList<>()).size() == 2, "the index is there");
        }
      }
    }
  }

  @Test
  void a_secondary_answers_a_primary_read_with_13435_and_others_with_data() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start();
        MongoClient client = connect(cluster.connectionString())) {
      majority(client, "things")
          .withWriteConcern(new WriteConcern(3))
          .insertOne(new Document("_id", 1));
      EmbeddedMember secondary = cluster.replicaSet().secondaries().getFirst();
      try (AdminConnection connection = new AdminConnection(secondary.address())) {
        BsonDocument find = new BsonDocument("find", new BsonString("things"));
        assertThatThrownBy(() -> connection.run(find.clone())).hasMessageContaining("13435");
        assertThatThrownBy(
                () ->
                    connection.run(
                        find.clone()
                            .append(
                                "$readPreference",
                                new BsonDocument("mode", new BsonString("primary")))))
            .hasMessageContaining("13435");
        connection.run(
            find.clone()
                .append(
                    "$readPreference",
                    new BsonDocument("mode", new BsonString("primaryPreferred"))));
      }
      assertThat(
              client
                  .getDatabase("test")
                  .getCollection("things")
                  .withReadPreference(ReadPreference.secondary())
                  .find()
                  .first())
          .isEqualTo(new Document("_id", 1));
    }
  }

  @Test
  void a_step_down_hands_over_quickly_and_no_write_fails() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start();
        MongoClient client = connect(cluster.connectionString())) {
      MongoCollection<Document> things = majority(client, "things");
      things.insertOne(new Document("_id", 0));
      EmbeddedMember first = cluster.replicaSet().primary();
      first.stepDown();
      things.insertOne(new Document("_id", 1));
      EmbeddedMember second = cluster.replicaSet().awaitPrimary(Duration.ofSeconds(5));
      assertThat(second).isNotEqualTo(first);
      assertThat(things.countDocuments()).isEqualTo(2);
    }
  }

  @Test
  void a_repeated_retryable_write_is_answered_from_the_record_also_by_a_new_primary() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start()) {
      BsonDocument lsid = new BsonDocument("id", new BsonBinary(UUID.randomUUID()));
      BsonDocument insert =
          retryable("insert", "things", lsid, 1)
              .append(
                  "documents", new BsonArray(List.of(new BsonDocument("_id", new BsonInt32(1)))));
      BsonDocument increment =
          retryable("findAndModify", "things", lsid, 2)
              .append("query", new BsonDocument("_id", new BsonInt32(1)))
              .append("update", new BsonDocument("$inc", new BsonDocument("n", new BsonInt32(1))))
              .append("new", org.bson.BsonBoolean.TRUE);
      EmbeddedMember first = cluster.replicaSet().primary();
      BsonDocument inserted = run(first, insert);
      assertThat(run(first, insert).getNumber("n")).isEqualTo(inserted.getNumber("n"));
      BsonDocument modified = run(first, increment);
      assertThat(modified.getDocument("value").getInt32("n").getValue()).isEqualTo(1);
      first.stepDown();
      EmbeddedMember second = cluster.replicaSet().awaitPrimary(Duration.ofSeconds(5));
      assertThat(second).isNotEqualTo(first);
      BsonDocument again = run(second, increment);
      assertThat(again.getDocument("value")).isEqualTo(modified.getDocument("value"));
      assertThatThrownBy(() -> run(second, insert)).hasMessageContaining("225");
    }
  }

  private static BsonDocument retryable(
      String command, String collection, BsonDocument lsid, long number) {
    return new BsonDocument(command, new BsonString(collection))
        .append("lsid", lsid)
        .append("txnNumber", new BsonInt64(number))
        .append("writeConcern", new BsonDocument("w", new BsonString("majority")));
  }

  private static BsonDocument run(EmbeddedMember member, BsonDocument command) {
    try (AdminConnection connection = new AdminConnection(member.address())) {
      return connection.run(command.clone());
    }
  }

  @Test
  void a_partitioned_primary_rolls_back_what_no_majority_had() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start();
        MongoClient client = connect(cluster.connectionString())) {
      EmbeddedReplicaSet set = cluster.replicaSet();
      majority(client, "things").insertOne(new Document("_id", "kept"));
      EmbeddedMember cutOff = set.primary();
      set.partition(cutOff);
      try (MongoClient direct = connect(cutOff.connectionString())) {
        direct
            .getDatabase("test")
            .getCollection("things")
            .withWriteConcern(WriteConcern.W1)
            .insertOne(new Document("_id", "lost"));
      }
      await(
          () -> set.findPrimary().filter(primary -> primary != cutOff).isPresent(),
          "another leads");
      majority(client, "things").insertOne(new Document("_id", "later"));
      set.heal();
      try (MongoClient direct = connect(cutOff.connectionString())) {
        MongoCollection<Document> there = direct.getDatabase("test").getCollection("things");
        await(
            () ->
                cutOff.state() == MemberState.SECONDARY
                    && there.find(Filters.eq("_id", "lost")).first() == null
                    && there.find(Filters.eq("_id", "later")).first() != null,
            "the cut-off member takes back what no majority had, and follows");
        assertThat(there.find(Filters.eq("_id", "kept")).first()).isNotNull();
      }
    }
  }

  @Test
  void a_killed_member_comes_back_with_its_data_and_follows() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start();
        MongoClient client = connect(cluster.connectionString())) {
      MongoCollection<Document> things = majority(client, "things");
      things.insertOne(new Document("_id", 0));
      EmbeddedMember killed = cluster.replicaSet().primary();
      killed.kill();
      things.insertOne(new Document("_id", 1));
      killed.restart();
      await(() -> killed.state() == MemberState.SECONDARY, "it follows");
      things.withWriteConcern(new WriteConcern(3)).insertOne(new Document("_id", 2));
      assertThat(things.countDocuments()).isEqualTo(3);
    }
  }

  @Test
  void a_lagging_secondary_shows_the_past_and_majority_writes_do_not_wait_for_it() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start();
        MongoClient client = connect(cluster.connectionString())) {
      MongoCollection<Document> things = majority(client, "things");
      things
          .withWriteConcern(new WriteConcern(3))
          .insertOne(new Document("_id", 1).append("v", "old"));
      EmbeddedMember lagging = cluster.replicaSet().secondaries().getFirst();
      lagging.lag(Duration.ofSeconds(30));
      things.updateOne(Filters.eq("_id", 1), Updates.set("v", "new"));
      try (MongoClient direct = connect(lagging.connectionString())) {
        MongoCollection<Document> there = direct.getDatabase("test").getCollection("things");
        assertThat(there.find().first()).containsEntry("v", "old");
        lagging.lag(Duration.ZERO);
        await(() -> there.find(Filters.eq("v", "new")).first() != null, "it catches up");
      }
    }
  }

  @Test
  void a_majority_read_sees_what_a_majority_write_wrote() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start();
        MongoClient client = connect(cluster.connectionString())) {
      MongoDatabase database = client.getDatabase("test");
      for (int i = 0; i < 50; i++) {
        majority(client, "things").insertOne(new Document("_id", i));
        for (ReadConcern concern :
            List.of(ReadConcern.MAJORITY, ReadConcern.LINEARIZABLE, ReadConcern.LOCAL)) {
          assertThat(
                  database
                      .getCollection("things")
                      .withReadConcern(concern)
                      .find(Filters.eq("_id", i))
                      .first())
              .as(concern.toString())
              .isNotNull();
        }
      }
    }
  }

  @Test
  void a_write_concern_that_is_not_met_in_time_is_reported_and_the_write_stands() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start();
        MongoClient client = connect(cluster.connectionString())) {
      cluster
          .replicaSet()
          .awaitSecondaries(Duration.ofSeconds(10))
          .forEach(secondary -> secondary.lag(Duration.ofSeconds(30)));
      MongoCollection<Document> things = majority(client, "things");
      assertThatThrownBy(
              () ->
                  things
                      .withWriteConcern(
                          WriteConcern.MAJORITY.withWTimeout(50, TimeUnit.MILLISECONDS))
                      .insertOne(new Document("_id", 1)))
          .hasMessageContaining("waiting for replication timed out");
      assertThat(things.find().first()).isNotNull();
    }
  }

  @Test
  void a_set_inside_the_process_needs_no_sockets() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).inProcess().start()) {
      BsonDocument insert =
          new BsonDocument("insert", new BsonString("things"))
              .append(
                  "documents", new BsonArray(List.of(new BsonDocument("_id", new BsonInt32(1)))));
      assertThat(run(cluster.replicaSet().primary(), insert).getNumber("n").intValue())
          .isEqualTo(1);
    }
  }
}
