// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerApi;
import com.mongodb.ServerApiVersion;
import io.fairlead.cluster.fake.FakeServer;
import io.fairlead.cluster.session.Session;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.topology.readpreference.ReadWish;
import io.fairlead.topology.retry.Retryability;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.Test;

class ClusterTest {
  @Test
  void a_command_runs_on_a_standalone_with_its_database_and_a_session() {
    try (FakeServer server = FakeServer.standalone();
        Cluster cluster = Clients.of(server)) {
      CommandResult result = cluster.execute(Clients.find().build());

      assertThat(result.server()).isEqualTo(server.address());
      assertThat(result.reply().getNumber("ok").intValue()).isEqualTo(1);
      BsonDocument sent = server.received().getFirst();
      assertThat(sent.getFirstKey()).isEqualTo("find");
      assertThat(sent.getString("$db").getValue()).isEqualTo("test");
      assertThat(sent.getDocument("lsid").getBinary("id").getData()).hasSize(16);
      assertThat(sent).doesNotContainKeys("$readPreference", "txnNumber", "$clusterTime");
    }
  }

  @Test
  void a_server_that_knows_only_the_legacy_hello_is_served_too() {
    try (FakeServer server = FakeServer.inProcess().legacyOnly()) {
      BsonDocument hello = FakeServer.standaloneHello();
      hello.remove("helloOk");
      hello.remove("isWritablePrimary");
      hello.remove("logicalSessionTimeoutMinutes");
      server.says(hello.append("ismaster", BsonBoolean.TRUE));
      var settings =
          Clients.settings(server)
              .applyToServerSettings(each -> each.heartbeatFrequency(30, TimeUnit.MILLISECONDS));
      try (Cluster cluster = Clients.start(settings)) {
        cluster.execute(Clients.find().build());
        assertThat(server.received().getFirst()).doesNotContainKey("lsid");
        // checks go on by the legacy name
        Clients.await(() -> server.monitoringConnectionsMax() == 1);
        assertThat(cluster.topology().list().getFirst().type()).isEqualTo(ServerType.STANDALONE);
      }
    }
  }

  /** An application that gives up on its own thread has met no failure of the server. */
  @Test
  void an_interrupted_caller_leaves_the_other_connections_and_the_server_alone() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    try (FakeServer server = FakeServer.standalone();
        Cluster cluster = Clients.known(Clients.of(server))) {
      server.on(
          "aggregate",
          command -> {
            asked.countDown();
            answer.await();
            return FakeServer.ok();
          });
      cluster.execute(Clients.find().build());
      AtomicReference<Throwable> seen = new AtomicReference<>();
      Thread caller =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      cluster.execute(
                          Operation.builder(
                                  "test", new BsonDocument("aggregate", new BsonString("c")))
                              .readWish(ReadWish.read(null))
                              .retry(Retryability.READ)
                              .build());
                    } catch (MongoException failure) {
                      seen.set(failure);
                    }
                  });
      asked.await();
      caller.interrupt();
      caller.join();
      answer.countDown();
      assertThat(seen.get()).isInstanceOf(MongoInterruptedException.class);
      assertThat(server.count("aggregate")).isEqualTo(1);
      assertThat(cluster.topology().list().getFirst().type()).isEqualTo(ServerType.STANDALONE);
      int connections = server.opened();
      cluster.execute(Clients.find().build());
      cluster.execute(Clients.find().build());
      assertThat(server.opened()).isLessThanOrEqualTo(connections + 1);
    }
  }

  @Test
  void implicit_sessions_are_used_again() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster = Clients.of(server)) {
      cluster.execute(Clients.find().build());
      cluster.execute(Clients.find().build());
      List<BsonDocument> sent = server.received();
      assertThat(sent.get(0).get("lsid")).isEqualTo(sent.get(1).get("lsid"));
    }
  }

  @Test
  void the_sessions_are_ended_when_the_client_closes() {
    try (FakeServer server = FakeServer.mongos()) {
      try (Cluster cluster = Clients.of(server)) {
        cluster.execute(Clients.find().build());
      }
      assertThat(server.count("endSessions")).isEqualTo(1);
      BsonDocument ended = server.received().getLast();
      assertThat(ended.getArray("endSessions")).hasSize(1);
      assertThat(ended).doesNotContainKey("lsid");
    }
  }

  @Test
  void a_write_carries_a_growing_transaction_number_where_it_is_recognised() {
    try (FakeServer mongos = FakeServer.mongos();
        FakeServer standalone = FakeServer.standalone();
        Cluster sharded = Clients.of(mongos);
        Cluster single = Clients.of(standalone)) {
      sharded.execute(Clients.insert().build());
      sharded.execute(Clients.insert().build());
      assertThat(mongos.received())
          .extracting(sent -> sent.getInt64("txnNumber").getValue())
          .containsExactly(1L, 2L);
      single.execute(Clients.insert().build());
      assertThat(standalone.received().getFirst())
          .doesNotContainKey("txnNumber")
          .containsKey("lsid");
    }
  }

  @Test
  void what_a_command_carries_already_is_kept_also_when_it_is_bytes() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster = Clients.of(server)) {
      BsonDocument lsid = new BsonDocument("id", new BsonString("mine"));
      BsonDocument command =
          new BsonDocument("insert", new BsonString("c"))
              .append("lsid", lsid)
              .append("txnNumber", new BsonInt64(77));
      cluster.execute(
          Operation.builder("other", new RawBsonDocument(command, new BsonDocumentCodec()))
              .retry(io.fairlead.topology.retry.Retryability.WRITE)
              .build());
      BsonDocument sent = server.received().getFirst();
      assertThat(sent.getDocument("lsid")).isEqualTo(lsid);
      assertThat(sent.getInt64("txnNumber").getValue()).isEqualTo(77);
      assertThat(sent.getString("$db").getValue()).isEqualTo("other");
    }
  }

  @Test
  void cluster_time_is_gossiped_and_a_causal_session_waits_for_what_it_has_seen() {
    BsonTimestamp time = new BsonTimestamp(100, 7);
    BsonDocument clusterTime = new BsonDocument("clusterTime", time);
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster = Clients.of(server)) {
      server.on(
          "find",
          command ->
              FakeServer.ok().append("$clusterTime", clusterTime).append("operationTime", time));
      try (Session session = cluster.sessions().explicit(true)) {
        cluster.execute(Clients.find().session(session).build());
        cluster.execute(Clients.find().session(session).build());
        assertThat(session.operationTime()).isEqualTo(time);
      }
      List<BsonDocument> sent = server.received();
      assertThat(sent.get(0)).doesNotContainKeys("$clusterTime", "readConcern");
      assertThat(sent.get(1).getDocument("$clusterTime")).isEqualTo(clusterTime);
      assertThat(sent.get(1).getDocument("readConcern").getTimestamp("afterClusterTime"))
          .isEqualTo(time);
      assertThat(cluster.clusterTime().current()).isEqualTo(clusterTime);
    }
  }

  @Test
  void an_unacknowledged_write_waits_for_no_reply_and_has_no_session() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster = Clients.of(server)) {
      CommandResult sent = cluster.execute(Clients.insert().acknowledged(false).build());
      assertThat(sent.reply().getNumber("ok").intValue()).isEqualTo(1);
      Clients.await(() -> server.count("insert") == 1);
      assertThat(server.received().getFirst()).doesNotContainKeys("lsid", "txnNumber");
      cluster.execute(Clients.find().build());
      assertThat(server.count("find")).isEqualTo(1);
    }
  }

  @Test
  void an_explicit_session_is_refused_where_sessions_are_not_supported() {
    BsonDocument hello = FakeServer.standaloneHello();
    hello.remove("logicalSessionTimeoutMinutes");
    try (FakeServer server = FakeServer.inProcess().says(hello);
        Cluster cluster = Clients.of(server);
        Session session = cluster.sessions().explicit(true)) {
      assertThatThrownBy(() -> cluster.execute(Clients.find().session(session).build()))
          .isInstanceOf(MongoClientException.class)
          .hasMessageContaining("Sessions are not supported");
      assertThat(server.count("find")).isZero();
    }
  }

  @Test
  void the_api_version_goes_with_every_command() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster =
            Clients.start(
                Clients.settings(server)
                    .serverApi(
                        ServerApi.builder().version(ServerApiVersion.V1).strict(true).build()))) {
      cluster.execute(Clients.find().build());
      BsonDocument sent = server.received().getFirst();
      assertThat(sent.getString("apiVersion").getValue()).isEqualTo("1");
      assertThat(sent.getBoolean("apiStrict").getValue()).isTrue();
    }
  }

  @Test
  void an_error_reply_becomes_the_public_exception_with_its_labels() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster = Clients.of(server)) {
      server.on("find", command -> FakeServer.error(2, "Odd"));
      assertThatThrownBy(() -> cluster.execute(Clients.find().build()))
          .isInstanceOfSatisfying(
              MongoCommandException.class,
              error -> {
                assertThat(error.getErrorCode()).isEqualTo(2);
                assertThat(error.hasErrorLabel("Odd")).isTrue();
                assertThat(error.getServerAddress().getPort()).isEqualTo(27017);
              });
      assertThat(server.count("find")).isEqualTo(1);
    }
  }

  @Test
  void a_mongos_is_sent_the_preference_and_for_primary_none() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster = Clients.of(server)) {
      ReadPreference nearest =
          ReadPreference.of(Mode.NEAREST)
              .withTagSets(List.of(Map.of("dc", "ams")))
              .withMaxPing(Duration.ofMillis(30));
      cluster.execute(Clients.find().readWish(ReadWish.read(nearest)).build());
      cluster.execute(Clients.find().build());
      assertThat(server.received().get(0).getDocument("$readPreference"))
          .isEqualTo(nearest.toDocument());
      assertThat(server.received().get(1)).doesNotContainKey("$readPreference");
    }
  }

  @Test
  void a_direct_connection_to_a_member_sends_primary_preferred_for_primary() {
    try (FakeServer member = FakeServer.inProcess()) {
      member.says(FakeServer.memberHello(false, null, member));
      var settings =
          Clients.settings(member)
              .applyToClusterSettings(
                  cluster -> cluster.mode(com.mongodb.connection.ClusterConnectionMode.SINGLE));
      try (Cluster cluster = Clients.start(settings)) {
        cluster.execute(Clients.find().build());
        assertThat(cluster.topology().type()).isEqualTo(TopologyType.SINGLE);
        assertThat(
                member
                    .received()
                    .getFirst()
                    .getDocument("$readPreference")
                    .getString("mode")
                    .getValue())
            .isEqualTo("primaryPreferred");
      }
    }
  }

  @Test
  void a_replica_set_is_discovered_from_one_seed_and_reads_go_where_they_should() {
    try (FakeServer one = FakeServer.inProcess();
        FakeServer two = FakeServer.inProcess()) {
      one.says(FakeServer.memberHello(true, one, one, two));
      two.says(FakeServer.memberHello(false, one, one, two));
      try (Cluster cluster = Clients.of(two)) {
        assertThat(cluster.execute(Clients.find(Mode.SECONDARY).build()).server())
            .isEqualTo(two.address());
        assertThat(cluster.execute(Clients.find().build()).server()).isEqualTo(one.address());
        assertThat(cluster.execute(Clients.insert().build()).server()).isEqualTo(one.address());
        assertThat(
                two.received()
                    .getFirst()
                    .getDocument("$readPreference")
                    .getString("mode")
                    .getValue())
            .isEqualTo("secondary");
      }
    }
  }

  @Test
  void when_nobody_is_suitable_the_error_says_what_was_wanted_and_what_was_seen() {
    try (FakeServer one = FakeServer.inProcess()) {
      one.says(FakeServer.memberHello(true, one, one));
      var settings =
          Clients.settings(one)
              .applyToClusterSettings(
                  cluster -> cluster.serverSelectionTimeout(100, TimeUnit.MILLISECONDS));
      try (Cluster cluster = Clients.start(settings)) {
        assertThatThrownBy(() -> cluster.execute(Clients.find(Mode.SECONDARY).build()))
            .isInstanceOf(MongoTimeoutException.class)
            .hasMessageContaining("100 ms")
            .hasMessageContaining("ReadPreference secondary")
            .hasMessageContaining(one.address() + " RSPrimary");
      }
    }
  }

  @Test
  void an_operation_with_a_timeout_tells_the_server_and_ends_in_time() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster = Clients.of(server)) {
      cluster.execute(Clients.find().build()); // finds the server and connects
      server.on("find", command -> null);
      assertThatThrownBy(
              () -> cluster.execute(Clients.find().timeout(Duration.ofMillis(500)).build()))
          .isInstanceOf(com.mongodb.MongoOperationTimeoutException.class);
      assertThat(server.received().getLast().getNumber("maxTimeMS").longValue())
          .isBetween(1L, 500L);
      assertThat(server.count("find")).isEqualTo(2);
    }
  }

  @Test
  void a_pinned_operation_goes_nowhere_else() {
    try (FakeServer one = FakeServer.mongos();
        FakeServer two = FakeServer.mongos();
        Cluster cluster = Clients.known(Clients.of(one, two))) {
      Operation getMore =
          Operation.builder("test", new BsonDocument("getMore", new BsonInt64(1)))
              .readWish(ReadWish.read(null))
              .retry(io.fairlead.topology.retry.Retryability.READ_ONCE)
              .pinnedTo(two.address())
              .build();
      for (int i = 0; i < 10; i++) {
        assertThat(cluster.execute(getMore).server()).isEqualTo(two.address());
      }
      assertThat(one.received()).isEmpty();
    }
  }

  @Test
  void a_closed_client_refuses() {
    try (FakeServer server = FakeServer.mongos()) {
      Cluster cluster = Clients.of(server);
      cluster.close();
      assertThatThrownBy(() -> cluster.execute(Clients.ping()))
          .isInstanceOf(IllegalStateException.class);
      server.says(FakeServer.mongosHello()); // who awaits news is answered, and found to be gone
      Clients.await(() -> server.open() == 0);
    }
  }

  @Test
  void documents_are_cut_to_the_selected_server_once() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster = Clients.of(server)) {
      server.on("insert", FakeServer.times(1, FakeServer.closing()));
      int[] cuts = new int[1];
      cluster.execute(
          Clients.insert()
              .splitter(
                  description -> {
                    cuts[0]++;
                    RawBsonDocument document =
                        new RawBsonDocument(
                            new BsonDocument("_id", new BsonInt32(1)), new BsonDocumentCodec());
                    return List.of(
                        new io.fairlead.wire.message.DocumentSequence(
                            "documents", List.of(document)));
                  })
              .build());
      assertThat(cuts[0]).isEqualTo(1);
      assertThat(server.received())
          .hasSize(2)
          .allSatisfy(sent -> assertThat(sent.getArray("documents")).hasSize(1));
    }
  }
}
