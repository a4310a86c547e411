// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.server.replication.protocol.Event;
import io.fairlead.server.replication.protocol.ReplicaState;

/** The protocol, as those see it who act for it and tell it what came of that. */
interface ProtocolPort {
  ReplicaState state();

  void post(Event event);
}
