// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import io.fairlead.cluster.fake.FakeServer;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.topology.readpreference.ReadWish;
import io.fairlead.topology.retry.Retryability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** Clients of fake servers, and the operations that tests run on them. */
final class Clients {
  private Clients() {}

  static MongoClientSettings.Builder settings(FakeServer... servers) {
    List<ServerAddress> hosts = new ArrayList<>();
    for (FakeServer server : servers) {
      hosts.add(new ServerAddress(server.address().host(), server.address().port()));
    }
    return MongoClientSettings.builder()
        .applyToClusterSettings(
            cluster ->
                cluster
                    .hosts(hosts)
                    .mode(com.mongodb.connection.ClusterConnectionMode.MULTIPLE)
                    .serverSelectionTimeout(5, TimeUnit.SECONDS))
        .applyToServerSettings(
            server ->
                server
                    .heartbeatFrequency(10, TimeUnit.SECONDS)
                    .minHeartbeatFrequency(20, TimeUnit.MILLISECONDS));
  }

  static Cluster start(MongoClientSettings.Builder settings) {
    return start(settings, RoutingOptions.defaults());
  }

  static Cluster start(MongoClientSettings.Builder settings, RoutingOptions routing) {
    return Cluster.start(ClusterSettings.from(settings.build(), routing));
  }

  /**
   * A client whose retries avoid nobody: what the deprioritized set is good for shows in its
   * absence.
   */
  static Cluster forgetful(MongoClientSettings.Builder settings) {
    Cluster.Surroundings real = Cluster.Surroundings.REAL;
    UnaryOperator<Set<io.fairlead.topology.HostAddress>> nobody = avoided -> Set.of();
    return Cluster.start(
        ClusterSettings.from(settings.build(), RoutingOptions.defaults()),
        new Cluster.Surroundings(real.time(), real.nanoTime(), real.random(), nobody));
  }

  static Cluster of(FakeServer... servers) {
    return start(settings(servers));
  }

  /** Waits until all servers of the topology are known to be something. */
  static Cluster known(Cluster cluster) {
    await(
        () ->
            !cluster.topology().list().isEmpty()
                && cluster.topology().list().stream()
                    .noneMatch(server -> server.type().isUnknown()));
    return cluster;
  }

  static void awaitTopology(Cluster cluster, Predicate<TopologyDescription> wanted) {
    await(() -> wanted.test(cluster.topology()));
  }

  /** Looks again and again, five seconds at most. */
  static void await(BooleanSupplier wanted) {
    long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
    while (!wanted.getAsBoolean()) {
      if (System.nanoTime() - until > 0) {
        throw new AssertionError("did not come about within 5 s");
      }
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
  }

  static Operation.Builder find() {
    return Operation.builder("test", new BsonDocument("find", new BsonString("c")))
        .readWish(ReadWish.read(null))
        .retry(Retryability.READ)
        .afterClusterTime(true);
  }

  static Operation.Builder find(Mode mode) {
    return find().readWish(ReadWish.read(ReadPreference.of(mode)));
  }

  static Operation.Builder insert() {
    return Operation.builder("test", new BsonDocument("insert", new BsonString("c")))
        .retry(Retryability.WRITE);
  }

  static Operation ping() {
    return Operation.builder("admin", new BsonDocument("ping", new BsonInt32(1)))
        .readWish(ReadWish.read(null))
        .retry(Retryability.READ)
        .build();
  }
}
