// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.driver;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Updates.inc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ReadPreference;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.connection.ClusterType;
import io.fairlead.driver.FairleadClients;
import io.fairlead.embedded.EmbeddedCluster;
import io.fairlead.embedded.EmbeddedMember;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaSetClientTest {
  private static EmbeddedCluster tcp;
  private static EmbeddedCluster inProcess;

  private final Heard heard = new Heard();

  @BeforeAll
  static void start() {
    tcp =
        EmbeddedCluster.replicaSet(3)
            .tags(1, Map.of("dc", "ams"))
            .tags(2, Map.of("dc", "fra"))
            .start();
    inProcess = EmbeddedCluster.replicaSet(3).inProcess().start();
  }

  @AfterAll
  static void stop() {
    tcp.close();
    inProcess.close();
  }

  @BeforeEach
  void ready() {
    tcp.replicaSet().awaitPrimary(java.time.Duration.ofSeconds(20));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void documents_go_in_and_out_over_sockets_and_in_process(boolean withinThisJvm) {
    try (MongoClient client = client((withinThisJvm ? inProcess : tcp).connectionString())) {
      MongoCollection<Document> things =
          client.getDatabase("db").getCollection("things").withWriteConcern(WriteConcern.MAJORITY);
      things.drop();

      things.insertMany(
          IntStream.range(0, 300)
              .mapToObj(i -> new Document("_id", i).append("g", i % 3))
              .toList());
      assertThat(things.updateMany(eq("g", 0), inc("n", 5)).getModifiedCount()).isEqualTo(100);
      assertThat(things.deleteMany(gte("_id", 200)).getDeletedCount()).isEqualTo(100);
      assertThat(
              things.findOneAndUpdate(
                  eq("_id", 3),
                  inc("n", 1),
                  new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER)))
          .containsEntry("n", 6);
      assertThat(things.find().batchSize(30).into(new ArrayList<>())).hasSize(200);
      assertThat(things.countDocuments(eq("g", 1))).isEqualTo(67);
      assertThat(
              things
                  .aggregate(
                      List.of(
                          Aggregates.group("$g", Accumulators.sum("count", 1)),
                          Aggregates.sort(new Document("_id", 1))))
                  .map(each -> each.get("count", Number.class).intValue())
                  .into(new ArrayList<>()))
          .containsExactly(67, 67, 66);
      assertThat(things.distinct("g", Integer.class).into(new ArrayList<>()))
          .containsExactlyInAnyOrder(0, 1, 2);
      assertThat(client.getClusterDescription().getType()).isEqualTo(ClusterType.REPLICA_SET);
    }
  }

  @Test
  void an_unconfigured_client_reads_from_the_primary_and_sends_no_preference() {
    try (MongoClient client = client(tcp.connectionString())) {
      client.getDatabase("db").getCollection("things").find().first();

      Heard.Sent find = heard.take("find").get(0);
      assertThat(find.server()).isEqualTo(tcp.replicaSet().primary().address());
      assertThat(find.command()).doesNotContainKey("$readPreference");
    }
  }

  @Test
  void what_selection_used_is_what_the_command_says() {
    try (MongoClient client = client(tcp.connectionString())) {
      MongoCollection<Document> things = client.getDatabase("db").getCollection("things");
      EmbeddedMember fra = tcp.replicaSet().members().get(2);
      List<EmbeddedMember> secondaries = tcp.replicaSet().awaitSecondaries(Duration.ofSeconds(10));

      things.withReadPreference(ReadPreference.secondary()).find().first();
      Heard.Sent anywhere = heard.take("find").get(0);
      assertThat(secondaries).extracting(EmbeddedMember::address).contains(anywhere.server());
      assertThat(anywhere.command().getDocument("$readPreference"))
          .isEqualTo(BsonDocument.parse("{mode: 'secondary'}"));

      things
          .withReadPreference(ReadPreference.nearest(new TagSet(new Tag("dc", "fra"))))
          .countDocuments();
      Heard.Sent tagged = heard.take("aggregate").get(0);
      assertThat(tagged.server()).isEqualTo(fra.address());
      assertThat(tagged.command().getDocument("$readPreference"))
          .isEqualTo(BsonDocument.parse("{mode: 'nearest', tags: [{dc: 'fra'}]}"));
    }
  }

  @Test
  void a_direct_connection_to_a_secondary_reads_and_may_not_write() {
    EmbeddedMember secondary = tcp.replicaSet().secondaries().get(0);
    try (MongoClient client = client(secondary.connectionString())) {
      MongoCollection<Document> things = client.getDatabase("db").getCollection("things");

      things.find().first();

      Heard.Sent find = heard.take("find").get(0);
      assertThat(find.server()).isEqualTo(secondary.address());
      assertThat(find.command().getDocument("$readPreference"))
          .isEqualTo(BsonDocument.parse("{mode: 'primaryPreferred'}"));
      assertThatThrownBy(() -> things.insertOne(new Document()))
          .isInstanceOf(MongoNotPrimaryException.class);
    }
  }

  @Test
  void a_cursor_on_a_secondary_fetches_there_and_is_killed_there() {
    try (MongoClient client = client(tcp.connectionString())) {
      MongoCollection<Document> things = client.getDatabase("db").getCollection("many");
      things.drop();
      things
          .withWriteConcern(new WriteConcern(3))
          .insertMany(IntStream.range(0, 100).mapToObj(i -> new Document("_id", i)).toList());

      MongoCursor<Document> cursor =
          things.withReadPreference(ReadPreference.secondary()).find().batchSize(10).cursor();
      IntStream.range(0, 25).forEach(i -> assertThat(cursor.next()).containsEntry("_id", i));
      String server = cursor.getServerAddress().toString();
      assertThat(heard.take("getMore")).extracting(Heard.Sent::server).containsOnly(server);
      cursor.close();
      assertThat(heard.take("killCursors")).extracting(Heard.Sent::server).containsExactly(server);
    }
  }

  @Test
  void a_causally_consistent_session_reads_its_own_write_on_a_secondary() {
    try (MongoClient client = client(tcp.connectionString());
        ClientSession session = client.startSession()) {
      MongoCollection<Document> things = client.getDatabase("db").getCollection("causal");
      MongoCollection<Document> secondary = things.withReadPreference(ReadPreference.secondary());
      for (int i = 0; i < 20; i++) {
        things.insertOne(session, new Document("n", i));

        assertThat(secondary.find(session, eq("n", i)).first()).isNotNull();
      }
      assertThat(heard.take("find"))
          .allSatisfy(
              each ->
                  assertThat(each.command().getDocument("readConcern"))
                      .containsKey("afterClusterTime"));
    }
  }

  @Test
  void what_no_member_can_serve_is_told_with_what_was_looked_for() {
    try (MongoClient client =
        FairleadClients.create(
            MongoClientSettings.builder(settings(tcp.connectionString()))
                .applyToClusterSettings(
                    cluster -> cluster.serverSelectionTimeout(300, TimeUnit.MILLISECONDS))
                .build())) {
      MongoCollection<Document> nowhere =
          client
              .getDatabase("db")
              .getCollection("things")
              .withReadPreference(ReadPreference.secondary(new TagSet(new Tag("dc", "nowhere"))));

      assertThatThrownBy(() -> nowhere.find().first())
          .isInstanceOf(MongoTimeoutException.class)
          .hasMessageContaining("nowhere");
    }
  }

  private MongoClient client(String uri) {
    return FairleadClients.create(settings(uri));
  }

  private MongoClientSettings settings(String uri) {
    return MongoClientSettings.builder()
        .applyConnectionString(new ConnectionString(uri))
        .addCommandListener(heard)
        .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(20, TimeUnit.SECONDS))
        .applyToServerSettings(
            server ->
                server
                    .heartbeatFrequency(500, TimeUnit.MILLISECONDS)
                    .minHeartbeatFrequency(20, TimeUnit.MILLISECONDS))
        .build();
  }
}
