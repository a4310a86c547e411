// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import java.util.Set;
import java.util.TreeSet;

/** The names of replication's commands. */
final class ReplicationCommands {

  /** Commands of administrators, which a standalone knows by name and refuses. */
  static final Set<String> PUBLIC =
      Set.of(
          "replSetGetStatus",
          "replSetGetConfig",
          "replSetInitiate",
          "replSetReconfig",
          "replSetStepDown",
          "replSetStepUp",
          "replSetFreeze");

  /** Commands that members send each other. */
  static final Set<String> PEER =
      Set.of(
          "replSetHeartbeat",
          "replSetRequestVotes",
          "replSetUpdatePosition",
          "_fairleadFetchOplog",
          "_fairleadFindCommonPoint",
          "appendOplogNote",
          "_fairleadCloneCollections",
          "_fairleadCloneDocuments",
          "_fairleadEndClone");

  static final Set<String> ALL = union();

  private ReplicationCommands() {}

  private static Set<String> union() {
    Set<String> all = new TreeSet<>(PUBLIC);
    all.addAll(PEER);
    return Set.copyOf(all);
  }
}
