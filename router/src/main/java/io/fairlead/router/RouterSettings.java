// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router;

import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import io.fairlead.cluster.Cluster;
import io.fairlead.cluster.ClusterSettings;
import io.fairlead.cluster.RoutingOptions;
import io.fairlead.wire.listener.ListenerSettings;
import io.fairlead.wire.listener.ServiceFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * How a router runs.
 *
 * @param listeners where it listens, at least one; a host that ends in {@code .inprocess} is served
 *     inside this JVM
 * @param configHosts the config replica set, {@code set/host:port,host:port}
 * @param routing how it reads unless the config set says otherwise
 * @param poolSize the most connections to each member of a shard; default 100
 * @param selectionTimeout how long a command waits for a member that can run it; default 20 s
 * @param heartbeat the time between two looks at a member, and between two measurements of its
 *     ping; default 10 s, at least 0.5 s
 * @param services wraps what answers connections, for those who put a network's whims before it;
 *     the identity by default
 */
public record RouterSettings(
    List<ListenerSettings> listeners,
    String configHosts,
    RoutingOptions routing,
    int poolSize,
    Duration selectionTimeout,
    Duration heartbeat,
    UnaryOperator<ServiceFactory> services) {

  public RouterSettings {
    listeners = List.copyOf(listeners);
    if (listeners.isEmpty()) {
      throw new IllegalArgumentException("a router listens somewhere");
    }
    if (configHosts.indexOf('/') <= 0) {
      throw new IllegalArgumentException(
          "the config replica set is set/host:port,…, was '" + configHosts + "'");
    }
    if (heartbeat.compareTo(Duration.ofMillis(500)) < 0) {
      throw new IllegalArgumentException("heartbeat must be at least 500 ms, was " + heartbeat);
    }
    if (poolSize < 1) {
      throw new IllegalArgumentException("poolSize must be positive, was " + poolSize);
    }
  }

  /**
   * The defaults, on loopback.
   *
   * @param port 0 takes a free one
   */
  public static RouterSettings loopback(int port, String configHosts) {
    return new RouterSettings(
        List.of(ListenerSettings.loopback(port)),
        configHosts,
        RoutingOptions.defaults().withRetryServerFaults(true),
        100,
        Duration.ofSeconds(20),
        Duration.ofSeconds(10),
        UnaryOperator.identity());
  }

  /** Listens at one more place. */
  public RouterSettings alsoOn(ListenerSettings listener) {
    List<ListenerSettings> more = new ArrayList<>(listeners);
    more.add(listener);
    return withListeners(more);
  }

  public RouterSettings withRouting(RoutingOptions options) {
    return new RouterSettings(
        listeners, configHosts, options, poolSize, selectionTimeout, heartbeat, services);
  }

  public RouterSettings withSelectionTimeout(Duration timeout) {
    return new RouterSettings(
        listeners, configHosts, routing, poolSize, timeout, heartbeat, services);
  }

  public RouterSettings withHeartbeat(Duration between) {
    return new RouterSettings(
        listeners, configHosts, routing, poolSize, selectionTimeout, between, services);
  }

  public RouterSettings withListeners(List<ListenerSettings> others) {
    return new RouterSettings(
        others, configHosts, routing, poolSize, selectionTimeout, heartbeat, services);
  }

  public RouterSettings withServices(UnaryOperator<ServiceFactory> wrapper) {
    return new RouterSettings(
        listeners, configHosts, routing, poolSize, selectionTimeout, heartbeat, wrapper);
  }

  /** The first place it listens, for messages. */
  public String host() {
    return listeners.getFirst().host() + ":" + listeners.getFirst().port();
  }

  /** Starts watching a replica set, given as {@code set/host:port,host:port}. */
  public Cluster connect(String setAndHosts) {
    int slash = setAndHosts.indexOf('/');
    List<ServerAddress> seeds = new ArrayList<>();
    for (String host : setAndHosts.substring(slash + 1).split(",", -1)) {
      seeds.add(new ServerAddress(host));
    }
    MongoClientSettings client =
        MongoClientSettings.builder()
            .applicationName("fairlead-router")
            .applyToClusterSettings(
                cluster ->
                    cluster
                        .hosts(seeds)
                        .requiredReplicaSetName(setAndHosts.substring(0, slash))
                        .serverSelectionTimeout(selectionTimeout.toMillis(), TimeUnit.MILLISECONDS))
            .applyToServerSettings(
                server -> server.heartbeatFrequency(heartbeat.toMillis(), TimeUnit.MILLISECONDS))
            .applyToConnectionPoolSettings(pool -> pool.maxSize(poolSize))
            .retryReads(true)
            .retryWrites(true)
            .build();
    return Cluster.start(ClusterSettings.from(client, routing));
  }
}
