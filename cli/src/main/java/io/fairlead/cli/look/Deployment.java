// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.look;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import io.fairlead.cluster.Cluster;
import io.fairlead.cluster.ClusterSettings;
import io.fairlead.cluster.RoutingOptions;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyDescription;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The deployment that a command looks at, connected for as long as the look takes. */
final class Deployment {

  @Parameters(
      index = "0",
      paramLabel = "URI",
      description = "The deployment's connection string, such as mongodb://localhost:27017.")
  private String uri = "";

  @Option(
      names = "--wait",
      defaultValue = "5s",
      paramLabel = "TIME",
      converter = Times.class,
      description = "How long to wait for every server to answer (default: ${DEFAULT-VALUE}).")
  private Duration patience = Duration.ofSeconds(5);

  ConnectionString connectionString() {
    try {
      return new ConnectionString(uri);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /** Connects, and returns once every server has answered, or after the wait. */
  Cluster open(RoutingOptions options) {
    MongoClientSettings settings =
        MongoClientSettings.builder()
            .applyConnectionString(connectionString())
            .applyToServerSettings(server -> server.heartbeatFrequency(500, TimeUnit.MILLISECONDS))
            .build();
    Cluster cluster = Cluster.start(ClusterSettings.from(settings, options));
    long deadline = System.nanoTime() + patience.toNanos();
    while (!isSettled(cluster.topology()) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
    return cluster;
  }

  private static boolean isSettled(TopologyDescription topology) {
    return !topology.list().isEmpty() && topology.list().stream().allMatch(Deployment::isKnown);
  }

  private static boolean isKnown(ServerDescription server) {
    return server.type() != ServerType.UNKNOWN && server.type() != ServerType.POSSIBLE_PRIMARY;
  }
}
