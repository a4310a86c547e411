// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server;

import io.fairlead.engine.Engine;
import io.fairlead.server.replication.ReplicaSetMember;
import io.fairlead.server.replication.ReplicationCoordinator;
import io.fairlead.server.replication.ReplicationSettings;
import io.fairlead.server.replication.StandaloneCoordinator;
import org.bson.types.ObjectId;

/** Starts the replication that the settings ask for. */
final class Coordinators {
  private Coordinators() {}

  static ReplicationCoordinator start(ServerSettings settings, Engine engine) {
    ReplicationSettings replication = settings.replication();
    if (replication == null) {
      return new StandaloneCoordinator(engine, new ObjectId());
    }
    return ReplicaSetMember.start(
        engine, replication, settings.clock(), settings.random(), new ObjectId());
  }
}
