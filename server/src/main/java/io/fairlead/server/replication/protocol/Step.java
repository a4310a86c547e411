// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.util.List;

/** The outcome of one event: the next state, and what is to be done about it. */
public record Step(ReplicaState next, List<Action> actions) {
  public Step {
    actions = List.copyOf(actions);
  }
}
