// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server;

import io.fairlead.server.replication.ReplicationSettings;
import io.fairlead.wire.listener.ServiceFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a server is to be. Start from {@link #standalone} or {@link #replicaSetMember}.
 *
 * @param host where it listens, and the name by which others reach it; default 127.0.0.1
 * @param port where it listens; 0 takes a free one
 * @param transport by sockets, inside this JVM, or both
 * @param replication how it takes part in a replica set; null for a standalone
 * @param clusterRole what it is in a sharded cluster
 * @param connectionsMax further clients are turned away; default 20,000
 * @param cursorTimeout an idle cursor is closed after this; default 10 minutes
 * @param sessionTimeout a session not used for this long is forgotten with its cursors; default 30
 *     minutes
 * @param clock the time of day
 * @param random jitter of elections, process ids, fail points with a probability
 * @param services wraps what serves the connections, so that an embedding test can delay or cut
 *     them
 */
public record ServerSettings(
    String host,
    int port,
    Transport transport,
    @Nullable ReplicationSettings replication,
    ClusterRole clusterRole,
    int connectionsMax,
    Duration cursorTimeout,
    Duration sessionTimeout,
    InstantSource clock,
    RandomGenerator random,
    UnaryOperator<ServiceFactory> services) {

  /** How clients reach a server. */
  public enum Transport {
    TCP,
    IN_PROCESS,
    /** Sockets for others, and no sockets for clients in this JVM, at one address. */
    BOTH
  }

  /** What a server is in a sharded cluster. */
  public enum ClusterRole {
    NONE,
    SHARD,
    CONFIG
  }

  public ServerSettings {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port must be 0..65535, was " + port);
    }
    if (cursorTimeout.isNegative() || sessionTimeout.isNegative()) {
      throw new IllegalArgumentException("timeouts must not be negative");
    }
  }

  /** A standalone on loopback. */
  public static ServerSettings standalone(int port) {
    return new ServerSettings(
        "127.0.0.1",
        port,
        Transport.TCP,
        null,
        ClusterRole.NONE,
        20_000,
        Duration.ofMinutes(10),
        Duration.ofMinutes(30),
        InstantSource.system(),
        RandomGenerator.getDefault(),
        UnaryOperator.identity());
  }

  /** A member of a set, on loopback. */
  public static ServerSettings replicaSetMember(ReplicationSettings replication, int port) {
    return standalone(port).withReplication(replication);
  }

  /** The same server at another address. */
  public ServerSettings at(String otherHost, int otherPort) {
    return new ServerSettings(
        otherHost,
        otherPort,
        transport,
        replication,
        clusterRole,
        connectionsMax,
        cursorTimeout,
        sessionTimeout,
        clock,
        random,
        services);
  }

  public ServerSettings withTransport(Transport other) {
    return new ServerSettings(
        host,
        port,
        other,
        replication,
        clusterRole,
        connectionsMax,
        cursorTimeout,
        sessionTimeout,
        clock,
        random,
        services);
  }

  public ServerSettings withReplication(@Nullable ReplicationSettings other) {
    return new ServerSettings(
        host,
        port,
        transport,
        other,
        clusterRole,
        connectionsMax,
        cursorTimeout,
        sessionTimeout,
        clock,
        random,
        services);
  }

  public ServerSettings withClusterRole(ClusterRole role) {
    return new ServerSettings(
        host,
        port,
        transport,
        replication,
        role,
        connectionsMax,
        cursorTimeout,
        sessionTimeout,
        clock,
        random,
        services);
  }

  public ServerSettings withTimeouts(Duration cursors, Duration sessions) {
    return new ServerSettings(
        host,
        port,
        transport,
        replication,
        clusterRole,
        connectionsMax,
        cursors,
        sessions,
        clock,
        random,
        services);
  }

  public ServerSettings withClock(InstantSource otherClock, RandomGenerator otherRandom) {
    return new ServerSettings(
        host,
        port,
        transport,
        replication,
        clusterRole,
        connectionsMax,
        cursorTimeout,
        sessionTimeout,
        otherClock,
        otherRandom,
        services);
  }

  public ServerSettings withServices(UnaryOperator<ServiceFactory> wrapping) {
    return new ServerSettings(
        host,
        port,
        transport,
        replication,
        clusterRole,
        connectionsMax,
        cursorTimeout,
        sessionTimeout,
        clock,
        random,
        wrapping);
  }
}
