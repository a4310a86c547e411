// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** What may be done to members, and what it does to others. */
final class RemoteControlTest {

  @Test
  void a_paused_primary_is_replaced_and_follows_when_it_is_resumed() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start()) {
      EmbeddedReplicaSet set = cluster.replicaSet();
      EmbeddedMember paused = set.primary();
      paused.pause();
      EmbeddedMember next = set.awaitPrimary(Duration.ofSeconds(10));
      assertThat(next).isNotEqualTo(paused);
      paused.resume();
      ReplicaSetTest.await(() -> set.secondaries().contains(paused), "the resumed member follows");
      assertThat(set.awaitPrimary(Duration.ofSeconds(5))).isEqualTo(next);
    }
  }

  @Test
  void a_delay_shows_to_clients_and_does_not_slow_the_set_down() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start();
        MongoClient client = ReplicaSetTest.connect(cluster.connectionString())) {
      EmbeddedMember far = cluster.replicaSet().secondaries().getFirst();
      far.delay(Duration.ofMillis(200));
      long asked = System.nanoTime();
      try (AdminConnection connection = new AdminConnection(far.address())) {
        connection.run(new BsonDocument("ping", new BsonInt32(1)));
      }
      assertThat(Duration.ofNanos(System.nanoTime() - asked)).isGreaterThan(Duration.ofMillis(200));
      MongoCollection<Document> things =
          client.getDatabase("test").getCollection("things").withWriteConcern(new WriteConcern(3));
      things.insertOne(new Document());
      long writing = System.nanoTime();
      for (int i = 0; i < 10; i++) {
        things.insertOne(new Document());
      }
      assertThat(Duration.ofNanos(System.nanoTime() - writing)).isLessThan(Duration.ofMillis(1900));
    }
  }

  @Test
  void tags_priority_and_arbiters_are_as_configured() {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.replicaSet(4)
            .tags(1, Map.of("dc", "ams"))
            .hidden(2)
            .arbiter(3)
            .inProcess()
            .start()) {
      BsonDocument tagged = cluster.replicaSet().members().get(1).coordinator().hello().fields();
      assertThat(tagged.getDocument("tags").getString("dc").getValue()).isEqualTo("ams");
      assertThat(tagged.getArray("hosts")).hasSize(2);
      assertThat(tagged.getArray("arbiters")).hasSize(1);
      BsonDocument hidden = cluster.replicaSet().members().get(2).coordinator().hello().fields();
      assertThat(hidden.getBoolean("hidden").getValue()).isTrue();
    }
  }

  @Test
  void clients_commands_are_counted_and_those_of_members_are_not() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start()) {
      EmbeddedMember primary = cluster.replicaSet().primary();
      try (AdminConnection connection = new AdminConnection(primary.address())) {
        connection.run(new BsonDocument("ping", new BsonInt32(1)));
      }
      assertThat(primary.commandsServed("ping")).isEqualTo(1);
      assertThat(primary.commandsServed("replSetHeartbeat")).isZero();
    }
  }

  @Test
  void a_source_that_says_leadership_is_changing_is_not_hammered() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start();
        MongoClient client = ReplicaSetTest.connect(cluster.connectionString())) {
      EmbeddedMember primary = cluster.replicaSet().primary();
      long entered = primary.server().failPoints().timesEntered();
      primary.failPoint(
          BsonDocument.parse(
              "{configureFailPoint: 'failCommand', mode: 'alwaysOn',"
                  + " data: {failCommands: ['_fairleadFetchOplog'], errorCode: 13435,"
                  + " failInternalCommands: true}}"));
      long until = System.nanoTime() + Duration.ofSeconds(3).toNanos();
      ReplicaSetTest.await(() -> System.nanoTime() > until, "three seconds pass");
      assertThat(primary.server().failPoints().timesEntered() - entered).isBetween(1L, 12L);
      assertThat(primary.isPrimary()).isTrue();
      primary.failPoint(BsonDocument.parse("{configureFailPoint: 'failCommand', mode: 'off'}"));
      client
          .getDatabase("test")
          .getCollection("things")
          .withWriteConcern(new WriteConcern(3))
          .insertOne(new Document());
    }
  }
}
