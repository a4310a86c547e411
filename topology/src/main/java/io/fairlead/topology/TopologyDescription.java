// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * All that a client knows about a deployment at one moment. Immutable.
 *
 * <p>Derived from the servers, always consistent with them: {@link #compatibilityError()}, {@link
 * #logicalSessionTimeoutMinutes()}, {@link #primary()}.
 */
public final class TopologyDescription {
  /** Fairlead speaks to MongoDB 4.2 and newer. */
  public static final int CLIENT_MIN_WIRE_VERSION = 8;

  public static final int CLIENT_MAX_WIRE_VERSION = 29;

  private static final String OLDEST_RELEASE = "4.2";

  private final TopologyType type;
  private final @Nullable String setName;
  private final Map<HostAddress, ServerDescription> servers;
  private final List<ServerDescription> list;
  private final @Nullable ObjectId maxElectionId;
  private final @Nullable Long maxSetVersion;
  private final @Nullable String compatibilityError;
  private final @Nullable Integer logicalSessionTimeoutMinutes;
  private final @Nullable ServerDescription primary;

  public TopologyDescription(
      TopologyType type,
      @Nullable String setName,
      Map<HostAddress, ServerDescription> servers,
      @Nullable ObjectId maxElectionId,
      @Nullable Long maxSetVersion) {
    this.type = type;
    this.setName = setName;
    this.servers = Collections.unmodifiableMap(new LinkedHashMap<>(servers));
    this.list = List.copyOf(servers.values());
    this.maxElectionId = maxElectionId;
    this.maxSetVersion = maxSetVersion;
    this.compatibilityError = compatibilityErrorOf(list);
    this.logicalSessionTimeoutMinutes = sessionTimeoutOf(list);
    this.primary = primaryOf(list);
  }

  /** A topology of these servers, for callers that have no set name or election to tell of. */
  public static TopologyDescription of(TopologyType type, Collection<ServerDescription> servers) {
    Map<HostAddress, ServerDescription> map = new LinkedHashMap<>();
    servers.forEach(server -> map.put(server.address(), server));
    return new TopologyDescription(type, null, map, null, null);
  }

  public TopologyType type() {
    return type;
  }

  public @Nullable String setName() {
    return setName;
  }

  /** In the order in which they became known. */
  public Map<HostAddress, ServerDescription> servers() {
    return servers;
  }

  /** The same servers as a list with constant-time access, for selection. */
  public List<ServerDescription> list() {
    return list;
  }

  public Optional<ServerDescription> server(HostAddress address) {
    return Optional.ofNullable(servers.get(address));
  }

  public Optional<ServerDescription> primary() {
    return Optional.ofNullable(primary);
  }

  public @Nullable ObjectId maxElectionId() {
    return maxElectionId;
  }

  public @Nullable Long maxSetVersion() {
    return maxSetVersion;
  }

  /**
   * Why this client and a server of the deployment have no wire version in common; null if all are
   * compatible.
   */
  public @Nullable String compatibilityError() {
    return compatibilityError;
  }

  public boolean isCompatible() {
    return compatibilityError == null;
  }

  /**
   * The smallest among data-bearing servers; null if one of them, or nobody, announces sessions.
   */
  public @Nullable Integer logicalSessionTimeoutMinutes() {
    return logicalSessionTimeoutMinutes;
  }

  /** The same with one server's description replaced; the address must be known already. */
  public TopologyDescription with(ServerDescription server) {
    if (!servers.containsKey(server.address())) {
      throw new IllegalArgumentException(server.address() + " is not in the topology");
    }
    Map<HostAddress, ServerDescription> changed = new LinkedHashMap<>(servers);
    changed.put(server.address(), server);
    return new TopologyDescription(type, setName, changed, maxElectionId, maxSetVersion);
  }

  private static @Nullable String compatibilityErrorOf(List<ServerDescription> servers) {
    for (ServerDescription server : servers) {
      ServerLimits limits = server.limits();
      if (server.type().isUnknown() || server.type() == ServerType.LOAD_BALANCER) {
        continue;
      }
      if (limits.minWireVersion() > CLIENT_MAX_WIRE_VERSION) {
        return "Server at "
            + server.address()
            + " requires wire version "
            + limits.minWireVersion()
            + ", but this version of Fairlead only supports up to "
            + CLIENT_MAX_WIRE_VERSION
            + ".";
      }
      if (limits.maxWireVersion() < CLIENT_MIN_WIRE_VERSION) {
        return "Server at "
            + server.address()
            + " reports wire version "
            + limits.maxWireVersion()
            + ", but this version of Fairlead requires at least "
            + CLIENT_MIN_WIRE_VERSION
            + " (MongoDB "
            + OLDEST_RELEASE
            + ").";
      }
    }
    return null;
  }

  private static @Nullable Integer sessionTimeoutOf(List<ServerDescription> servers) {
    Integer smallest = null;
    for (ServerDescription server : servers) {
      if (server.isDataBearing() && server.type() != ServerType.LOAD_BALANCER) {
        Integer minutes = server.logicalSessionTimeoutMinutes();
        if (minutes == null) {
          return null;
        }
        smallest = smallest == null ? minutes : Integer.valueOf(Math.min(smallest, minutes));
      }
    }
    return smallest;
  }

  private static @Nullable ServerDescription primaryOf(List<ServerDescription> servers) {
    for (ServerDescription server : servers) {
      if (server.type() == ServerType.RS_PRIMARY) {
        return server;
      }
    }
    return null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TopologyDescription that
        && type == that.type
        && java.util.Objects.equals(setName, that.setName)
        && servers.equals(that.servers)
        && java.util.Objects.equals(maxElectionId, that.maxElectionId)
        && java.util.Objects.equals(maxSetVersion, that.maxSetVersion);
  }

  @Override
  public int hashCode() {
    return java.util.Objects.hash(type, setName, servers);
  }

  /** {@code ReplicaSetWithPrimary(rs0): a:27017 RSPrimary; b:27017 RSSecondary}. */
  public String summary() {
    List<String> each = new ArrayList<>();
    list.forEach(server -> each.add(server.summary()));
    return type + (setName == null ? "" : "(" + setName + ")") + ": " + String.join("; ", each);
  }

  @Override
  public String toString() {
    return summary();
  }
}
