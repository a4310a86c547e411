// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.deployment;

import com.mongodb.MongoClientSettings;
import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ServerMonitoringMode;
import io.fairlead.cluster.ClusterSettings;
import io.fairlead.cluster.connection.ClientMetadata;
import io.fairlead.cluster.connection.Connector;
import io.fairlead.cluster.connection.Handshake;
import io.fairlead.cluster.connection.OverloadLabels;
import io.fairlead.cluster.event.EventQueue;
import io.fairlead.cluster.event.MonitorEvents;
import io.fairlead.cluster.event.PoolEvents;
import io.fairlead.cluster.monitor.MonitorOptions;
import io.fairlead.cluster.monitor.ServerMonitor;
import io.fairlead.cluster.monitor.TopologyInbox;
import io.fairlead.cluster.pool.ConnectionPool;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.discovery.TopologyEvent;
import io.fairlead.wire.message.ReadTimeoutException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Assembles a monitor and a pool for a server that has become known. */
final class ServerFactory {
  private static final List<String> FUNCTION_PLATFORMS =
      List.of(
          "AWS_LAMBDA_RUNTIME_API",
          "FUNCTIONS_WORKER_RUNTIME",
          "K_SERVICE",
          "FUNCTION_NAME",
          "VERCEL");

  private final ClusterSettings settings;
  private final ClusterId cluster;
  private final EventQueue queue;
  private final LongSupplier nanoTime;
  private final Handshake operationHandshake;
  private final Handshake monitorHandshake;
  private final MonitorOptions monitorOptions;
  private final AtomicLong connectionIds = new AtomicLong();

  ServerFactory(
      ClusterSettings settings,
      ClientMetadata metadata,
      ClusterId cluster,
      EventQueue queue,
      LongSupplier nanoTime) {
    MongoClientSettings client = settings.client();
    this.settings = settings;
    this.cluster = cluster;
    this.queue = queue;
    this.nanoTime = nanoTime;
    this.operationHandshake =
        new Handshake(metadata, settings.compressors(), client.getServerApi());
    // the few bytes of a hello are not worth compressing
    this.monitorHandshake = new Handshake(metadata, List.of(), client.getServerApi());
    this.monitorOptions =
        new MonitorOptions(
            settings.heartbeatFrequency(),
            settings.minHeartbeatFrequency(),
            Duration.ofMillis(
                client.getHeartbeatSocketSettings().getReadTimeout(TimeUnit.MILLISECONDS)),
            isStreaming(client.getServerSettings().getServerMonitoringMode(), System.getenv()),
            client.getServerApi());
  }

  Server make(HostAddress address, TopologyInbox inbox) {
    MongoClientSettings client = settings.client();
    Connector connector =
        new Connector(
            address, cluster, operationHandshake, settings.connectTimeout(), connectionIds);
    Connector monitorConnector =
        new Connector(
            address, cluster, monitorHandshake, settings.heartbeatConnectTimeout(), connectionIds);
    var poolSettings = client.getConnectionPoolSettings();
    ConnectionPool pool =
        new ConnectionPool(
            connector,
            poolSettings,
            new PoolEvents(queue, poolSettings.getConnectionPoolListeners(), connector.serverId()),
            (cause, generation) -> inbox.heard(openingFailed(address, cause, generation)),
            nanoTime);
    ServerMonitor monitor =
        new ServerMonitor(
            address,
            monitorConnector,
            monitorOptions,
            inbox,
            new MonitorEvents(queue, client.getServerSettings().getServerMonitorListeners()));
    return new Server(address, connector.serverId(), pool, monitor);
  }

  /**
   * On platforms that freeze a process between two calls a streamed hello would be found dead each
   * time.
   */
  static boolean isStreaming(ServerMonitoringMode mode, Map<String, String> environment) {
    return switch (mode) {
      case STREAM -> true;
      case POLL -> false;
      case AUTO ->
          FUNCTION_PLATFORMS.stream().noneMatch(environment::containsKey)
              && !environment.getOrDefault("AWS_EXECUTION_ENV", "").startsWith("AWS_Lambda_");
    };
  }

  private static TopologyEvent openingFailed(
      HostAddress server, IOException cause, long generation) {
    if (cause instanceof Handshake.RefusedException refused) {
      return new TopologyEvent.ErrorReply(server, generation, false, refused.reply(), null);
    }
    return new TopologyEvent.NetworkError(
        server,
        generation,
        false,
        cause instanceof ReadTimeoutException,
        String.valueOf(cause.getMessage()),
        OverloadLabels.of(cause),
        null);
  }
}
