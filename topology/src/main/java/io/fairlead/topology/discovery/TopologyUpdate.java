// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.discovery;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.Membership;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.TopologyType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * One step from a topology to the next: the specification's table of topology type by server type,
 * and the subroutines that it names. Mutable while the step is made, used by one thread, then
 * thrown away.
 */
final class TopologyUpdate {
  /** MongoDB 6.0: from here on an election id is compared before the set version. */
  private static final int ELECTION_BEFORE_VERSION = 17;

  private final DiscoverySettings settings;
  private final Map<HostAddress, ServerDescription> servers;
  private final List<Action> actions = new ArrayList<>();
  private TopologyType type;
  private @Nullable String setName;
  private @Nullable ObjectId maxElectionId;
  private @Nullable Long maxSetVersion;

  TopologyUpdate(TopologyDescription before, DiscoverySettings settings) {
    this.settings = settings;
    this.servers = new LinkedHashMap<>(before.servers());
    this.type = before.type();
    this.setName = before.setName();
    this.maxElectionId = before.maxElectionId();
    this.maxSetVersion = before.maxSetVersion();
  }

  TopologyDescription description() {
    return new TopologyDescription(type, setName, servers, maxElectionId, maxSetVersion);
  }

  List<Action> actions() {
    return actions;
  }

  boolean knows(HostAddress address) {
    return servers.containsKey(address);
  }

  boolean isUnknown(HostAddress address) {
    ServerDescription server = servers.get(address);
    return server == null || server.type().isUnknown();
  }

  /**
   * Takes in a server's new description, with everything that follows from it. The server must be
   * known.
   */
  void replace(ServerDescription heard) {
    servers.put(heard.address(), heard);
    switch (type) {
      case SINGLE -> verifySetName(heard);
      case UNKNOWN -> whenUnknown(heard);
      case SHARDED -> whenSharded(heard);
      case REPLICA_SET_NO_PRIMARY -> withoutPrimary(heard);
      case REPLICA_SET_WITH_PRIMARY -> withPrimary(heard);
      case LOAD_BALANCED -> {}
    }
  }

  private void verifySetName(ServerDescription heard) {
    String wanted = settings.setName();
    if (wanted != null && !heard.type().isUnknown() && !wanted.equals(heard.setName())) {
      String error =
          "is of replica set " + heard.setName() + ", not of " + wanted + " as asked for";
      servers.put(heard.address(), failed(heard, error));
    }
  }

  private void whenUnknown(ServerDescription heard) {
    switch (heard.type()) {
      case UNKNOWN, POSSIBLE_PRIMARY, RS_GHOST, LOAD_BALANCER -> {}
      case STANDALONE -> {
        if (settings.seeds().size() == 1) {
          type = TopologyType.SINGLE;
        } else {
          remove(heard.address(), "a standalone among several seeds");
        }
      }
      case MONGOS -> type = TopologyType.SHARDED;
      case RS_PRIMARY -> fromPrimary(heard);
      case RS_SECONDARY, RS_ARBITER, RS_OTHER -> {
        type = TopologyType.REPLICA_SET_NO_PRIMARY;
        fromMemberWithoutPrimary(heard);
      }
    }
  }

  private void whenSharded(ServerDescription heard) {
    if (!heard.type().isUnknown() && heard.type() != ServerType.MONGOS) {
      remove(heard.address(), heard.type() + " among mongoses");
    }
  }

  private void withoutPrimary(ServerDescription heard) {
    switch (heard.type()) {
      case UNKNOWN, POSSIBLE_PRIMARY, RS_GHOST -> {}
      case STANDALONE, MONGOS, LOAD_BALANCER ->
          remove(heard.address(), heard.type() + " in a replica set");
      case RS_PRIMARY -> fromPrimary(heard);
      case RS_SECONDARY, RS_ARBITER, RS_OTHER -> fromMemberWithoutPrimary(heard);
    }
  }

  private void withPrimary(ServerDescription heard) {
    switch (heard.type()) {
      case UNKNOWN, POSSIBLE_PRIMARY, RS_GHOST -> checkIfHasPrimary();
      case STANDALONE, MONGOS, LOAD_BALANCER -> {
        remove(heard.address(), heard.type() + " in a replica set");
        checkIfHasPrimary();
      }
      case RS_PRIMARY -> fromPrimary(heard);
      case RS_SECONDARY, RS_ARBITER, RS_OTHER -> fromMemberWithPrimary(heard);
    }
  }

  private void fromMemberWithoutPrimary(ServerDescription heard) {
    if (!adoptsOrMatchesSetName(heard)) {
      return;
    }
    addAll(heard.membership().all());
    markPossiblePrimary(heard.membership().primary());
    removeIfNamedOtherwise(heard);
  }

  private void fromMemberWithPrimary(ServerDescription heard) {
    if (!adoptsOrMatchesSetName(heard) || removeIfNamedOtherwise(heard)) {
      checkIfHasPrimary();
      return;
    }
    checkIfHasPrimary(); // had this member been the primary?
    if (type == TopologyType.REPLICA_SET_NO_PRIMARY) {
      markPossiblePrimary(heard.membership().primary());
    }
  }

  private void fromPrimary(ServerDescription heard) {
    if (!adoptsOrMatchesSetName(heard)) {
      checkIfHasPrimary();
      return;
    }
    if (isStalePrimary(heard)) {
      String error = "primary marked stale due to electionId/setVersion mismatch";
      servers.put(heard.address(), failed(heard, error));
      checkIfHasPrimary();
      return;
    }
    for (ServerDescription other : List.copyOf(servers.values())) {
      if (other.type() == ServerType.RS_PRIMARY && !other.address().equals(heard.address())) {
        String error = "primary marked stale due to discovery of newer primary " + heard.address();
        servers.put(other.address(), failed(other, heard.lastUpdateTime(), error));
        actions.add(new Action.RequestCheck(other.address()));
      }
    }
    Set<HostAddress> members = heard.membership().all();
    addAll(members);
    removeAllBut(members, "not in the configuration of primary " + heard.address());
    checkIfHasPrimary();
  }

  /** Compares with the newest election seen, and remembers this one if it is newer. */
  private boolean isStalePrimary(ServerDescription heard) {
    Membership member = heard.membership();
    ObjectId electionId = member.electionId();
    Long setVersion = member.setVersion();
    if (heard.limits().maxWireVersion() >= ELECTION_BEFORE_VERSION) {
      int election = compare(electionId, maxElectionId);
      if (election > 0 || (election == 0 && compare(setVersion, maxSetVersion) >= 0)) {
        maxElectionId = electionId;
        maxSetVersion = setVersion;
        return false;
      }
      return true;
    }
    if (setVersion != null && electionId != null) {
      if (maxSetVersion != null && maxElectionId != null) {
        int version = maxSetVersion.compareTo(setVersion);
        if (version > 0 || (version == 0 && maxElectionId.compareTo(electionId) > 0)) {
          return true;
        }
      }
      maxElectionId = electionId;
    }
    if (setVersion != null && (maxSetVersion == null || setVersion > maxSetVersion)) {
      maxSetVersion = setVersion;
    }
    return false;
  }

  /** Null is less than anything. */
  private static <T extends Comparable<T>> int compare(@Nullable T one, @Nullable T other) {
    if (one == null || other == null) {
      return (one == null ? 0 : 1) - (other == null ? 0 : 1);
    }
    return one.compareTo(other);
  }

  /** Takes a first set name over; removes a server of another set. */
  private boolean adoptsOrMatchesSetName(ServerDescription heard) {
    if (setName == null) {
      setName = heard.setName();
      return true;
    }
    if (!setName.equals(heard.setName())) {
      remove(heard.address(), "is of replica set " + heard.setName() + ", not of " + setName);
      return false;
    }
    return true;
  }

  private boolean removeIfNamedOtherwise(ServerDescription heard) {
    HostAddress me = heard.membership().me();
    if (me == null || me.equals(heard.address())) {
      return false;
    }
    remove(heard.address(), "its replica set calls it " + me);
    return true;
  }

  private void markPossiblePrimary(@Nullable HostAddress primary) {
    ServerDescription named = primary == null ? null : servers.get(primary);
    if (named != null && named.type() == ServerType.UNKNOWN) {
      servers.put(named.address(), named.withType(ServerType.POSSIBLE_PRIMARY));
    }
  }

  private void checkIfHasPrimary() {
    boolean has =
        servers.values().stream().anyMatch(server -> server.type() == ServerType.RS_PRIMARY);
    type = has ? TopologyType.REPLICA_SET_WITH_PRIMARY : TopologyType.REPLICA_SET_NO_PRIMARY;
  }

  void addAll(Collection<HostAddress> addresses) {
    for (HostAddress address : addresses) {
      if (!servers.containsKey(address)) {
        servers.put(address, ServerDescription.unknown(address));
        actions.add(new Action.StartMonitor(address));
      }
    }
  }

  void removeAllBut(Set<HostAddress> kept, String because) {
    for (HostAddress address : List.copyOf(servers.keySet())) {
      if (!kept.contains(address)) {
        remove(address, because);
      }
    }
  }

  private void remove(HostAddress address, String because) {
    servers.remove(address);
    actions.add(new Action.StopMonitor(address, because));
  }

  private static ServerDescription failed(ServerDescription heard, String error) {
    return failed(heard, heard.lastUpdateTime(), error);
  }

  private static ServerDescription failed(
      ServerDescription server, @Nullable Instant now, String error) {
    return ServerDescription.failed(
        server.address(), error, null, now == null ? Instant.EPOCH : now);
  }
}
