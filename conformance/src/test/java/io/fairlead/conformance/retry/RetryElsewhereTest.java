// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.fairlead.driver.FairleadClients;
import io.fairlead.embedded.EmbeddedCluster;
import io.fairlead.embedded.EmbeddedRouter;
import java.util.List;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.TestInstance;

/**
 * The four prose tests of retryable reads and writes on a sharded cluster (A7): on a different
 * mongos when one is available, on the same when none is.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RetryElsewhereTest {
  private static final int TIMES = 50;

  private final EmbeddedCluster cluster = EmbeddedCluster.sharded(1, 1).routers(2).start();

  @BeforeAll
  void fill() {
    try (MongoClient client = FairleadClients.create(cluster.connectionString())) {
      client.getDatabase("test").getCollection("retry").insertOne(new Document("a", 1));
    }
  }

  @AfterEach
  void healRouters() {
    BsonDocument off = BsonDocument.parse("{configureFailPoint: 'failCommand', mode: 'off'}");
    cluster.routers().forEach(router -> router.failPoint(off));
  }

  @AfterAll
  void close() {
    cluster.close();
  }

  @RepeatedTest(TIMES)
  void reads_are_retried_on_a_different_mongos_when_one_is_available() throws InterruptedException {
    cluster.routers().forEach(router -> router.failPoint(once("find", "")));
    CommandLog log = new CommandLog("find");
    try (MongoClient client = clientOf(cluster.routers(), log)) {
      assertThatThrownBy(() -> collection(client).find().first())
          .isInstanceOf(MongoCommandException.class);
    }
    assertThat(log.failed()).hasSize(2).doesNotHaveDuplicates();
  }

  @RepeatedTest(TIMES)
  void reads_are_retried_on_the_same_mongos_when_no_other_is_available()
      throws InterruptedException {
    EmbeddedRouter only = cluster.routers().getFirst();
    only.failPoint(once("find", ""));
    CommandLog log = new CommandLog("find");
    try (MongoClient client = clientOf(List.of(only), log)) {
      assertThat(collection(client).find().first()).isNotNull();
    }
    assertThat(log.failed()).hasSize(1).isEqualTo(log.succeeded());
  }

  @RepeatedTest(TIMES)
  void writes_are_retried_on_a_different_mongos_when_one_is_available()
      throws InterruptedException {
    cluster
        .routers()
        .forEach(
            router -> router.failPoint(once("insert", ", errorLabels: ['RetryableWriteError']")));
    CommandLog log = new CommandLog("insert");
    try (MongoClient client = clientOf(cluster.routers(), log)) {
      assertThatThrownBy(() -> collection(client).insertOne(new Document("b", 1)))
          .isInstanceOf(com.mongodb.MongoException.class);
    }
    assertThat(log.failed()).hasSize(2).doesNotHaveDuplicates();
  }

  @RepeatedTest(TIMES)
  void writes_are_retried_on_the_same_mongos_when_no_other_is_available()
      throws InterruptedException {
    EmbeddedRouter only = cluster.routers().getFirst();
    only.failPoint(once("insert", ", errorLabels: ['RetryableWriteError']"));
    CommandLog log = new CommandLog("insert");
    try (MongoClient client = clientOf(List.of(only), log)) {
      collection(client).insertOne(new Document("b", 1));
    }
    assertThat(log.failed()).hasSize(1).isEqualTo(log.succeeded());
  }

  private static BsonDocument once(String command, String labels) {
    return BsonDocument.parse(
        "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['"
            + command
            + "'], errorCode: 6"
            + labels
            + "}}");
  }

  private static MongoClient clientOf(List<EmbeddedRouter> routers, CommandLog log)
      throws InterruptedException {
    AllMongosesKnown known = new AllMongosesKnown(routers.size());
    String hosts = routers.stream().map(EmbeddedRouter::address).collect(Collectors.joining(","));
    MongoClientSettings settings =
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString("mongodb://" + hosts))
            .addCommandListener(log)
            .applyToClusterSettings(builder -> builder.addClusterListener(known))
            .build();
    MongoClient client = FairleadClients.create(settings);
    known.await();
    return client;
  }

  private static MongoCollection<Document> collection(MongoClient client) {
    return client.getDatabase("test").getCollection("retry");
  }
}
