// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.event;

import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterSettings;
import com.mongodb.connection.ClusterType;
import com.mongodb.connection.ServerConnectionState;
import com.mongodb.connection.ServerDescription;
import com.mongodb.connection.ServerSettings;
import com.mongodb.connection.ServerType;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.Membership;
import io.fairlead.topology.RoundTripTime;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.TopologyVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The topology in the public driver's words. */
public final class Descriptions {
  private final ClusterConnectionMode mode;
  private final ClusterSettings clusterSettings;
  private final ServerSettings serverSettings;

  public Descriptions(ClusterSettings clusterSettings, ServerSettings serverSettings) {
    this.mode = clusterSettings.getMode();
    this.clusterSettings = clusterSettings;
    this.serverSettings = serverSettings;
  }

  /** The whole deployment. */
  public ClusterDescription of(TopologyDescription topology) {
    List<ServerDescription> servers = new ArrayList<>();
    topology.list().forEach(server -> servers.add(of(server)));
    return of(topology, servers);
  }

  /** The deployment with only these of its servers: what an application's selector is shown. */
  public ClusterDescription of(TopologyDescription topology, List<ServerDescription> servers) {
    return new ClusterDescription(mode, typeOf(topology), servers, clusterSettings, serverSettings);
  }

  /** One server. */
  public static ServerDescription of(io.fairlead.topology.ServerDescription server) {
    Membership member = server.membership();
    boolean unknown = server.type().isUnknown();
    ServerDescription.Builder builder =
        ServerDescription.builder()
            .address(addressOf(server.address()))
            .type(typeOf(server.type()))
            .state(unknown ? ServerConnectionState.CONNECTING : ServerConnectionState.CONNECTED)
            .ok(!unknown)
            .hosts(names(member.hosts()))
            .passives(names(member.passives()))
            .arbiters(names(member.arbiters()))
            .tagSet(tagSetOf(server))
            .maxDocumentSize(server.limits().maxBsonObjectSize())
            .minWireVersion(server.limits().minWireVersion())
            .maxWireVersion(server.limits().maxWireVersion());
    HostAddress me = member.me();
    if (me != null) {
      builder.canonicalAddress(me.toString());
    }
    HostAddress primary = member.primary();
    if (primary != null) {
      builder.primary(primary.toString());
    }
    builder.setName(member.setName());
    builder.electionId(member.electionId());
    Long setVersion = member.setVersion();
    builder.setVersion(setVersion == null ? null : Integer.valueOf(setVersion.intValue()));
    TopologyVersion version = server.topologyVersion();
    if (version != null) {
      builder.topologyVersion(
          new com.mongodb.connection.TopologyVersion(version.processId(), version.counter()));
    }
    RoundTripTime ping = server.ping();
    if (ping != null) {
      builder.roundTripTime(ping.average().toNanos(), TimeUnit.NANOSECONDS);
      builder.minRoundTripTime(ping.minimum().toNanos(), TimeUnit.NANOSECONDS);
    }
    Instant lastWrite = server.lastWriteDate();
    if (lastWrite != null) {
      builder.lastWriteDate(Date.from(lastWrite));
    }
    builder.logicalSessionTimeoutMinutes(server.logicalSessionTimeoutMinutes());
    String error = server.error();
    if (error != null) {
      builder.exception(new MongoException(error));
    }
    return builder.build();
  }

  /** A server's name in the public driver's type. */
  public static ServerAddress addressOf(HostAddress address) {
    return new ServerAddress(address.host(), address.port());
  }

  private static TagSet tagSetOf(io.fairlead.topology.ServerDescription server) {
    List<Tag> tags = new ArrayList<>();
    server.tags().forEach((name, value) -> tags.add(new Tag(name, value)));
    return new TagSet(tags);
  }

  private static Set<String> names(Set<HostAddress> addresses) {
    Set<String> names = new LinkedHashSet<>();
    addresses.forEach(address -> names.add(address.toString()));
    return names;
  }

  private static ServerType typeOf(io.fairlead.topology.ServerType type) {
    return switch (type) {
      case UNKNOWN, POSSIBLE_PRIMARY -> ServerType.UNKNOWN;
      case STANDALONE -> ServerType.STANDALONE;
      case MONGOS -> ServerType.SHARD_ROUTER;
      case RS_PRIMARY -> ServerType.REPLICA_SET_PRIMARY;
      case RS_SECONDARY -> ServerType.REPLICA_SET_SECONDARY;
      case RS_ARBITER -> ServerType.REPLICA_SET_ARBITER;
      case RS_OTHER -> ServerType.REPLICA_SET_OTHER;
      case RS_GHOST -> ServerType.REPLICA_SET_GHOST;
      case LOAD_BALANCER -> ServerType.LOAD_BALANCER;
    };
  }

  private static ClusterType typeOf(TopologyDescription topology) {
    return switch (topology.type()) {
      case UNKNOWN -> ClusterType.UNKNOWN;
      case SINGLE -> singleTypeOf(topology);
      case SHARDED -> ClusterType.SHARDED;
      case REPLICA_SET_NO_PRIMARY, REPLICA_SET_WITH_PRIMARY -> ClusterType.REPLICA_SET;
      case LOAD_BALANCED -> ClusterType.LOAD_BALANCED;
    };
  }

  private static ClusterType singleTypeOf(TopologyDescription topology) {
    io.fairlead.topology.@Nullable ServerDescription only =
        topology.list().isEmpty() ? null : topology.list().getFirst();
    return only == null ? ClusterType.UNKNOWN : typeOf(only.type()).getClusterType();
  }
}
