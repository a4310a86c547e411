// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.discovery;

import java.util.List;

/**
 * One step of discovery.
 *
 * @param next the state to be published before any action is performed
 * @param actions in the order in which they are to be performed
 */
public record Transition(Discovery next, List<Action> actions) {
  public Transition {
    actions = List.copyOf(actions);
  }
}
