// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Topologies for tests, written down in the order of their servers. */
public final class Topologies {
  private final TopologyType type;
  private final List<ServerDescription> servers = new ArrayList<>();

  private Topologies(TopologyType type) {
    this.type = type;
  }

  public static HostAddress address(String host) {
    return new HostAddress(host, 27017);
  }

  public static Topologies of(TopologyType type) {
    return new Topologies(type);
  }

  /** As many equal mongoses, named m0, m1, … */
  public static TopologyDescription mongoses(int count) {
    Topologies topology = of(TopologyType.SHARDED);
    for (int i = 0; i < count; i++) {
      topology.server(ServerType.MONGOS, "m" + i, 1);
    }
    return topology.build();
  }

  public static Topologies replicaSet() {
    return of(TopologyType.REPLICA_SET_WITH_PRIMARY);
  }

  public Topologies primary(String host, double pingMillis) {
    return server(ServerType.RS_PRIMARY, host, pingMillis);
  }

  public Topologies secondary(String host, double pingMillis) {
    return server(ServerType.RS_SECONDARY, host, pingMillis);
  }

  public Topologies secondary(String host, double pingMillis, Map<String, String> tags) {
    return server(ServerType.RS_SECONDARY, host, pingMillis, tags);
  }

  public Topologies server(ServerType serverType, String host, double pingMillis) {
    return server(serverType, host, pingMillis, Map.of());
  }

  public Topologies server(
      ServerType serverType, String host, double pingMillis, Map<String, String> tags) {
    ServerDescription bare = ServerDescription.of(address(host), serverType);
    servers.add(
        new ServerDescription(
            bare.address(),
            serverType,
            RoundTripTime.of(Duration.ofNanos(Math.round(pingMillis * 1e6))),
            tags,
            Membership.NONE,
            new ServerLimits(0, 25, 16 << 20, 48_000_000, 100_000),
            null,
            null,
            30,
            null,
            null));
    return this;
  }

  public Topologies unknown(String host, String error) {
    servers.add(ServerDescription.failed(address(host), error, null, java.time.Instant.EPOCH));
    return this;
  }

  public TopologyDescription build() {
    return TopologyDescription.of(type, servers);
  }
}
