// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import io.fairlead.driver.FairleadClients;
import io.fairlead.engine.durability.DataDirectoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataDirectoryTest {
  @TempDir Path temp;

  /** In process nobody else can take an address, and the next run has the same ones. */
  private static final AtomicInteger PORTS = new AtomicInteger();

  private static MongoCollection<Document> orders(MongoClient client) {
    return client.getDatabase("shop").getCollection("orders");
  }

  @Test
  void a_standalone_has_what_was_journaled() throws IOException {
    Path directory = temp.resolve("one");
    for (int run = 0; run < 3; run++) {
      try (EmbeddedCluster cluster = EmbeddedCluster.standalone().dataDirectory(directory).start();
          MongoClient client = FairleadClients.create(cluster.connectionString())) {
        assertThat(orders(client).countDocuments()).isEqualTo(run);
        orders(client).withWriteConcern(WriteConcern.JOURNALED).insertOne(new Document("_id", run));
      }
    }
  }

  @Test
  void a_replica_set_goes_on_with_its_data_its_term_and_its_configuration() throws IOException {
    int port = PORTS.incrementAndGet();
    Path directory = temp.resolve("set");
    long term;
    try (EmbeddedCluster cluster =
            EmbeddedCluster.replicaSet(3).inProcess().port(port).dataDirectory(directory).start();
        MongoClient client = FairleadClients.create(cluster.connectionString())) {
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
            EmbeddedCluster.replicaSet(3).inProcess().port(port).dataDirectory(directory).start();
        MongoClient client = FairleadClients.create(cluster.connectionString())) {
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
    int port = PORTS.incrementAndGet();
    Path directory = temp.resolve("sharded");
    for (int run = 0; run < 2; run++) {
      try (EmbeddedCluster cluster =
              EmbeddedCluster.sharded(2, 1)
                  .inProcess()
                  .port(port)
                  .dataDirectory(directory)
                  .start();
          MongoClient client = FairleadClients.create(cluster.connectionString())) {
        assertThat(orders(client).countDocuments()).isEqualTo(run);
        orders(client).withWriteConcern(WriteConcern.MAJORITY).insertOne(new Document("_id", run));
      }
    }
  }

  @Test
  void members_whose_data_was_taken_away_copy_that_of_the_one_who_has_it() throws IOException {
    int port = PORTS.incrementAndGet();
    Path directory = temp.resolve("set");
    for (int run = 0; run < 2; run++) {
      try (EmbeddedCluster cluster =
              EmbeddedCluster.replicaSet(3)
                  .inProcess()
                  .port(port)
                  .dataDirectory(directory)
                  .start();
          MongoClient client = FairleadClients.create(cluster.connectionString())) {
        assertThat(orders(client).countDocuments()).isEqualTo(run);
        orders(client)
            .withWriteConcern(new WriteConcern(3).withWTimeout(20, TimeUnit.SECONDS))
            .insertOne(new Document("_id", run));
      }
      for (String member : List.of("rs0-0", "rs0-1")) {
        for (String file : List.of("lock", "format", "checkpoint-1", "journal-1")) {
          Files.delete(directory.resolve(member).resolve(file));
        }
      }
    }
  }

  @Test
  void a_directory_belongs_to_one_deployment() throws IOException {
    Path directory = temp.resolve("owned");
    int port = PORTS.incrementAndGet();
    EmbeddedCluster.replicaSet(1).inProcess().port(port).dataDirectory(directory).start().close();
    for (ClusterBuilder other :
        List.of(
            EmbeddedCluster.standalone(),
            EmbeddedCluster.replicaSet(3).inProcess().port(port),
            EmbeddedCluster.replicaSet(1).inProcess().port(PORTS.incrementAndGet()),
            EmbeddedCluster.sharded(1, 1).inProcess().port(port))) {
      assertThatThrownBy(other.dataDirectory(directory)::start)
          .isInstanceOf(DataDirectoryException.class)
          .hasMessageContaining("deployment says ")
          .hasMessageContaining("a replica set of 1, the first at rs0-0.");
    }
    assertThat(directory.resolve("standalone")).doesNotExist();
    Path photos = Files.createDirectories(temp.resolve("photos"));
    Files.writeString(photos.resolve("holiday.jpg"), "");
    assertThatThrownBy(EmbeddedCluster.standalone().dataDirectory(photos)::start)
        .isInstanceOf(DataDirectoryException.class)
        .hasMessageContaining("is not empty and not a data directory");
    assertThatThrownBy(
            EmbeddedCluster.standalone().dataDirectory(photos.resolve("holiday.jpg"))::start)
        .isInstanceOf(DataDirectoryException.class)
        .hasMessage(photos.resolve("holiday.jpg") + " is not a directory");
  }

  @Test
  void a_directory_that_is_in_use_is_refused_and_nothing_is_left_running() throws IOException {
    Path directory = temp.resolve("shared");
    try (EmbeddedCluster first = EmbeddedCluster.standalone().dataDirectory(directory).start()) {
      ClusterBuilder second = EmbeddedCluster.standalone().dataDirectory(directory);
      assertThatThrownBy(second::start)
          .isInstanceOf(DataDirectoryException.class)
          .hasMessageContaining("open in this process already");
      assertThat(first.server().isRunning()).isTrue();
    }
  }
}
