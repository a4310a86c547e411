// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientException;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCompressor;
import com.mongodb.ServerAddress;
import com.mongodb.UnixServerAddress;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterType;
import io.fairlead.topology.HostAddress;
import io.fairlead.wire.message.Compressor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Cluster} is started with: the public driver's settings, read whole, and Fairlead's
 * own routing options.
 *
 * <p><b>Honoured here:</b> hosts, {@code directConnection}, {@code replicaSet}, required cluster
 * type, server selector, {@code serverSelectionTimeoutMS}, {@code localThresholdMS}, heartbeat
 * frequency and its minimum, {@code serverMonitoringMode}, connect and read timeouts of operations
 * and of heartbeats, every connection pool setting, {@code retryReads}, {@code retryWrites}, {@code
 * maxAdaptiveRetries}, {@code enableOverloadRetargeting}, {@code timeoutMS}, compressors,
 * application name, server API, logger settings, and every listener.
 *
 * <p><b>Left to who builds the operations:</b> codec registry, UUID representation, read
 * preference, read concern, write concern, context provider.
 *
 * <p><b>Refused by name when set:</b> credentials, TLS, SRV host names, proxies, load balancer
 * mode, automatic encryption, transport settings, socket buffer sizes, a resolver of internet
 * addresses, observability settings, Unix domain sockets. A DNS client serves SRV alone, so without
 * SRV it has nothing to do.
 */
public final class ClusterSettings {
  private final MongoClientSettings client;
  private final RoutingOptions routing;
  private final List<HostAddress> seeds;
  private final List<Compressor> compressors;
  private final int maxAdaptiveRetries;
  private final boolean overloadRetargeting;

  private ClusterSettings(MongoClientSettings client, RoutingOptions routing) {
    refuseUnsupported(client);
    this.client = client;
    this.routing = routing;
    this.seeds = seedsOf(client);
    this.compressors = compressorsOf(client);
    this.maxAdaptiveRetries = NewerSettings.maxAdaptiveRetries(client);
    this.overloadRetargeting = NewerSettings.enableOverloadRetargeting(client);
  }

  /**
   * Reads the public driver's settings.
   *
   * @throws MongoClientException if a setting asks for what is not supported; its message names the
   *     setting
   */
  public static ClusterSettings from(MongoClientSettings client, RoutingOptions routing) {
    return new ClusterSettings(client, routing);
  }

  /**
   * Reads a connection string, with default routing options.
   *
   * @throws MongoClientException if it asks for what is not supported
   */
  public static ClusterSettings from(ConnectionString connectionString) {
    return from(
        MongoClientSettings.builder().applyConnectionString(connectionString).build(),
        RoutingOptions.defaults());
  }

  /** The public driver's settings that these came from. */
  public MongoClientSettings client() {
    return client;
  }

  /** The routing options to begin with. */
  public RoutingOptions routing() {
    return routing;
  }

  /** These settings with other routing options. */
  public ClusterSettings withRouting(RoutingOptions other) {
    return new ClusterSettings(client, other);
  }

  /** The servers to begin discovery with; never forgotten. */
  public List<HostAddress> seeds() {
    return seeds;
  }

  /** Whether only the one named server is talked to, whatever it is. */
  public boolean directConnection() {
    return client.getClusterSettings().getMode() == ClusterConnectionMode.SINGLE;
  }

  /** The replica set's required name; null: any. */
  public @Nullable String replicaSetName() {
    return client.getClusterSettings().getRequiredReplicaSetName();
  }

  /** The compressors to offer, in the order of preference. */
  public List<Compressor> compressors() {
    return compressors;
  }

  /** How often an operation is tried again because the server said it is overloaded. */
  public int maxAdaptiveRetries() {
    return maxAdaptiveRetries;
  }

  /** Whether an overload error makes a retry go elsewhere also outside of sharded deployments. */
  public boolean overloadRetargeting() {
    return overloadRetargeting;
  }

  /** How long an operation waits for a suitable server; negative: without limit. */
  public Duration serverSelectionTimeout() {
    return millis(client.getClusterSettings().getServerSelectionTimeout(TimeUnit.MILLISECONDS));
  }

  /** The default latency window. */
  public Duration localThreshold() {
    return millis(client.getClusterSettings().getLocalThreshold(TimeUnit.MILLISECONDS));
  }

  /** How often a server is checked when nothing happens. */
  public Duration heartbeatFrequency() {
    return millis(client.getServerSettings().getHeartbeatFrequency(TimeUnit.MILLISECONDS));
  }

  /** The least time between two checks of a server. */
  public Duration minHeartbeatFrequency() {
    return millis(client.getServerSettings().getMinHeartbeatFrequency(TimeUnit.MILLISECONDS));
  }

  /** How long opening a connection may take; zero: as long as the operating system tries. */
  public Duration connectTimeout() {
    return millis(client.getSocketSettings().getConnectTimeout(TimeUnit.MILLISECONDS));
  }

  /** How long a reply may take; zero: without limit. */
  public Duration readTimeout() {
    return millis(client.getSocketSettings().getReadTimeout(TimeUnit.MILLISECONDS));
  }

  /** How long a monitor's connection may take to open. */
  public Duration heartbeatConnectTimeout() {
    return millis(client.getHeartbeatSocketSettings().getConnectTimeout(TimeUnit.MILLISECONDS));
  }

  /** The client's bound on every operation; null: none. */
  public @Nullable Duration timeout() {
    Long timeout = client.getTimeout(TimeUnit.MILLISECONDS);
    return timeout == null || timeout == 0 ? null : millis(timeout);
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  private static List<HostAddress> seedsOf(MongoClientSettings client) {
    List<HostAddress> seeds = new ArrayList<>();
    for (ServerAddress host : client.getClusterSettings().getHosts()) {
      if (host instanceof UnixServerAddress) {
        throw unsupported("the Unix domain socket " + host.getHost());
      }
      HostAddress seed = new HostAddress(host.getHost(), host.getPort());
      if (!seeds.contains(seed)) {
        seeds.add(seed);
      }
    }
    return List.copyOf(seeds);
  }

  private static List<Compressor> compressorsOf(MongoClientSettings client) {
    List<Compressor> compressors = new ArrayList<>();
    for (MongoCompressor asked : client.getCompressorList()) {
      Compressor compressor = Compressor.named(asked.getName());
      if (compressor == null || !compressor.isAvailable()) {
        throw unsupported(
            "the compressor " + asked.getName() + " (is its library on the class path?)");
      }
      compressors.add(compressor);
    }
    return List.copyOf(compressors);
  }

  private static void refuseUnsupported(MongoClientSettings client) {
    var cluster = client.getClusterSettings();
    refuse(client.getCredential() != null, "authentication (credential)");
    refuse(client.getSslSettings().isEnabled(), "TLS (tls, ssl)");
    refuse(cluster.getSrvHost() != null, "an SRV host name (mongodb+srv, srvHost)");
    refuse(
        cluster.getMode() == ClusterConnectionMode.LOAD_BALANCED,
        "load balancer mode (loadBalanced)");
    refuse(
        cluster.getRequiredClusterType() == ClusterType.LOAD_BALANCED,
        "load balancer mode (required cluster type)");
    refuse(
        client.getAutoEncryptionSettings() != null,
        "automatic encryption (autoEncryptionSettings)");
    refuse(client.getTransportSettings() != null, "another transport (transportSettings)");
    refuse(client.getInetAddressResolver() != null, "a resolver of its own (inetAddressResolver)");
    refuse(NewerSettings.hasObservability(client), "tracing (observabilitySettings)");
    for (var socket : List.of(client.getSocketSettings(), client.getHeartbeatSocketSettings())) {
      refuse(socket.getProxySettings().isProxyEnabled(), "a proxy (proxyHost)");
      refuse(
          socket.getReceiveBufferSize() != 0, "a socket's receive buffer size (receiveBufferSize)");
      refuse(socket.getSendBufferSize() != 0, "a socket's send buffer size (sendBufferSize)");
    }
  }

  private static void refuse(boolean asked, String what) {
    if (asked) {
      throw unsupported(what);
    }
  }

  private static MongoClientException unsupported(String what) {
    return new MongoClientException(
        "not supported: " + what + "; remove it from the client's settings");
  }
}
