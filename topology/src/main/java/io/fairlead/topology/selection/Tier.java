// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.readpreference.Mode;
import java.util.List;

/**
 * Servers among which an operation has no preference. A mode with a second choice has two tiers,
 * tried in order.
 */
enum Tier {
  NONE,
  THE_SERVER,
  MONGOSES,
  LOAD_BALANCER,
  WRITABLE,
  PRIMARY,
  SECONDARIES,
  MEMBERS;

  static List<Tier> of(TopologyType topology, SelectionRequest request) {
    return switch (topology) {
      case UNKNOWN -> List.of(NONE);
      case SINGLE -> List.of(THE_SERVER);
      case SHARDED -> List.of(MONGOSES);
      case LOAD_BALANCED -> List.of(LOAD_BALANCER);
      case REPLICA_SET_NO_PRIMARY, REPLICA_SET_WITH_PRIMARY ->
          request.kind().needsWritable() ? List.of(WRITABLE) : of(request.preference().mode());
    };
  }

  private static List<Tier> of(Mode mode) {
    return switch (mode) {
      case PRIMARY -> List.of(PRIMARY);
      case PRIMARY_PREFERRED -> List.of(PRIMARY, SECONDARIES);
      case SECONDARY -> List.of(SECONDARIES);
      case SECONDARY_PREFERRED -> List.of(SECONDARIES, PRIMARY);
      case NEAREST -> List.of(MEMBERS);
    };
  }

  /**
   * Whether the read's own max ping is for this client to apply; before mongoses it travels with
   * the command.
   */
  boolean readsByPreference() {
    return this == PRIMARY || this == SECONDARIES || this == MEMBERS;
  }

  /** A primary that is preferred, or fallen back to, is taken whatever its tags. */
  boolean asksForFreshnessAndTags() {
    return this == SECONDARIES || this == MEMBERS;
  }

  /**
   * Whether there is more than one server to choose from, so that a client's max ping has a
   * meaning.
   */
  boolean offersChoice() {
    return this == MONGOSES || this == SECONDARIES || this == MEMBERS;
  }

  boolean holds(ServerDescription server) {
    ServerType type = server.type();
    return switch (this) {
      case NONE -> false;
      case THE_SERVER -> !type.isUnknown();
      case MONGOSES -> type == ServerType.MONGOS;
      case LOAD_BALANCER -> type == ServerType.LOAD_BALANCER;
      case WRITABLE, PRIMARY -> type == ServerType.RS_PRIMARY;
      case SECONDARIES -> type == ServerType.RS_SECONDARY;
      case MEMBERS -> type == ServerType.RS_PRIMARY || type == ServerType.RS_SECONDARY;
    };
  }

  /** Why a server that is not of this tier is not. */
  String refusal(ServerDescription server) {
    if (server.type().isUnknown()) {
      return server.error() == null ? "not checked yet" : "unknown: " + server.error();
    }
    return switch (this) {
      case NONE -> "the kind of deployment is not known yet";
      case THE_SERVER, LOAD_BALANCER -> "not available";
      case MONGOSES -> "not a mongos";
      case WRITABLE, PRIMARY -> "not the primary";
      case SECONDARIES -> notReadable(server) ? unreadable(server) : "not a secondary";
      case MEMBERS -> unreadable(server);
    };
  }

  private static boolean notReadable(ServerDescription server) {
    return !server.isDataBearing();
  }

  private static String unreadable(ServerDescription server) {
    return switch (server.type()) {
      case RS_ARBITER -> "an arbiter holds no documents";
      case RS_OTHER -> "hidden or recovering members are not read from";
      case RS_GHOST -> "not in the replica set's configuration";
      default -> "not a member of a replica set";
    };
  }
}
