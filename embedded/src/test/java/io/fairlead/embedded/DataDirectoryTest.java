// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import io.fairlead.engine.durability.DataDirectoryException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataDirectoryTest {
  @TempDir Path temp;

  /** The first of so many ports that are free. */
  private static int freePorts(int count) throws IOException {
    SplittableRandom random = new SplittableRandom(System.nanoTime());
    for (int attempt = 0; attempt < 100; attempt++) {
      int first = 20_000 + random.nextInt(10_000);
      List<ServerSocket> taken = new ArrayList<>();
      try {
        for (int port = first; port < first + count; port++) {
          ServerSocket socket = new ServerSocket();
          taken.add(socket);
          socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
        return first;
      } catch (IOException inUse) {
        assertThat(taken).as("the next attempt draws other ports").isNotEmpty();
      } finally {
        for (ServerSocket socket : taken) {
          socket.close();
        }
      }
    }
    throw new IOException("no " + count + " ports in a row are free");
  }

  private static MongoCollection<Document> orders(MongoClient client) {
    return client.getDatabase("shop").getCollection("orders");
  }

  @Test
  void a_standalone_has_what_was_journaled() throws IOException {
    int port = freePorts(1);
    Path directory = temp.resolve("one");
    for (int run = 0; run < 3; run++) {
      try (EmbeddedCluster cluster =
              EmbeddedCluster.standalone().port(port).dataDirectory(directory).start();
          MongoClient client = MongoClients.create(cluster.connectionString())) {
        assertThat(orders(client).countDocuments()).isEqualTo(run);
        orders(client).withWriteConcern(WriteConcern.JOURNALED).insertOne(new Document("_id", run));
      }
    }
  }

  @Test
  void a_replica_set_goes_on_with_its_data_its_term_and_its_configuration() throws IOException {
    int port = freePorts(3);
    Path directory = temp.resolve("set");
    long term;
    try (EmbeddedCluster cluster =
            EmbeddedCluster.replicaSet(3).port(port).dataDirectory(directory).start();
        MongoClient client = MongoClients.create(cluster.connectionString())) {
      orders(client).createIndex(Indexes.ascending("n"), new IndexOptions().unique(true));
      for (int i = 0; i < 20; i++) {
        orders(client)
            .withWriteConcern(WriteConcern.MAJORITY)
            .insertOne(new Document("_id", i).append("n", i));
      }
      cluster.replicaSet().primary().stepDown();
      cluster.replicaSet().awaitPrimary(java.time.Duration.ofSeconds(30));
      orders(client)
          .withWriteConcern(WriteConcern.MAJORITY)
          .insertOne(new Document("_id", 20).append("n", 20));
      term = cluster.replicaSet().primary().term();
      assertThat(term).isGreaterThan(1);
    }
    try (EmbeddedCluster cluster =
            EmbeddedCluster.replicaSet(3).port(port).dataDirectory(directory).start();
        MongoClient client = MongoClients.create(cluster.connectionString())) {
      assertThat(cluster.replicaSet().primary().term()).isGreaterThan(term);
      assertThat(orders(client).countDocuments()).isEqualTo(21);
      assertThat(orders(client).listIndexes().into(new ArrayList<>())).hasSize(2);
      orders(client)
          .withWriteConcern(WriteConcern.MAJORITY)
          .insertOne(new Document("_id", 21).append("n", 21));
      for (EmbeddedMember member : cluster.members()) {
        assertThat(member.server().engine().isDurable()).isTrue();
      }
    }
  }

  @Test
  void a_sharded_cluster_goes_on_where_it_was() throws IOException {
    int port = freePorts(4);
    Path directory = temp.resolve("sharded");
    for (int run = 0; run < 2; run++) {
      try (EmbeddedCluster cluster =
              EmbeddedCluster.sharded(2, 1).port(port).dataDirectory(directory).start();
          MongoClient client = MongoClients.create(cluster.connectionString())) {
        assertThat(orders(client).countDocuments()).isEqualTo(run);
        orders(client).withWriteConcern(WriteConcern.MAJORITY).insertOne(new Document("_id", run));
      }
    }
  }

  @Test
  void a_directory_that_is_in_use_is_refused_and_nothing_is_left_running() throws IOException {
    Path directory = temp.resolve("shared");
    try (EmbeddedCluster first =
        EmbeddedCluster.standalone().port(freePorts(1)).dataDirectory(directory).start()) {
      ClusterBuilder second =
          EmbeddedCluster.standalone().port(freePorts(1)).dataDirectory(directory);
      assertThatThrownBy(second::start)
          .isInstanceOf(DataDirectoryException.class)
          .hasMessageContaining("open in this process already");
      assertThat(first.server().isRunning()).isTrue();
    }
  }
}
