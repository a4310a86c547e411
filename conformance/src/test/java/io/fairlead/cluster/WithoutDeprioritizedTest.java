// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import io.fairlead.conformance.retry.AllMongosesKnown;
import io.fairlead.conformance.retry.CommandLog;
import io.fairlead.embedded.EmbeddedCluster;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.readpreference.ReadWish;
import io.fairlead.topology.retry.Retryability;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/**
 * The proof that the deprioritized set is what sends a retry elsewhere: emptied, some retries come
 * back to the same mongos.
 */
final class WithoutDeprioritizedTest {
  private static final int TIMES = 40;

  @Test
  void an_emptied_deprioritized_set_lets_retries_come_back() throws InterruptedException {
    try (EmbeddedCluster embedded = EmbeddedCluster.sharded(1, 1).routers(2).start()) {
      assertThat(cameBack(embedded, UnaryOperator.identity())).as("with the set").isZero();
      assertThat(cameBack(embedded, deprioritized -> Set.of())).as("without it").isPositive();
    }
  }

  /**
   * How many of the failed reads met one mongos twice, or were answered by it at the second time.
   */
  private static int cameBack(
      EmbeddedCluster embedded, UnaryOperator<Set<HostAddress>> deprioritized)
      throws InterruptedException {
    int cameBack = 0;
    for (int i = 0; i < TIMES; i++) {
      CommandLog log = new CommandLog("find");
      AllMongosesKnown known = new AllMongosesKnown(2);
      MongoClientSettings settings =
          MongoClientSettings.builder()
              .applyConnectionString(new ConnectionString(embedded.connectionString()))
              .addCommandListener(log)
              .applyToClusterSettings(builder -> builder.addClusterListener(known))
              .build();
      Cluster.Surroundings surroundings =
          new Cluster.Surroundings(
              InstantSource.system(), System::nanoTime, new ThreadRandom(), deprioritized);
      try (Cluster cluster =
          Cluster.start(ClusterSettings.from(settings, RoutingOptions.defaults()), surroundings)) {
        known.await();
        embedded.routers().forEach(router -> router.failPoint(onceEach()));
        findOnce(cluster);
      }
      Set<String> servers = new HashSet<>(log.started());
      if (log.started().size() == 2 && servers.size() == 1) {
        cameBack++;
      }
    }
    return cameBack;
  }

  private static void findOnce(Cluster cluster) {
    Operation find =
        Operation.builder("test", BsonDocument.parse("{find: 'retry', limit: 1}"))
            .readWish(ReadWish.read(null))
            .retry(Retryability.READ)
            .build();
    try {
      cluster.execute(find);
    } catch (MongoException expected) {
      // both mongoses fail once, so a retry that goes elsewhere fails as well
    }
  }

  private static BsonDocument onceEach() {
    return BsonDocument.parse(
        "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['find'],"
            + " errorCode: 6}}");
  }
}
