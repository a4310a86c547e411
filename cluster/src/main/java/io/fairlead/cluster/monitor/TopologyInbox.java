// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.monitor;

import io.fairlead.topology.discovery.TopologyEvent;

/** Takes what was heard about servers; when the call returns, the new description is published. */
@FunctionalInterface
public interface TopologyInbox {
  void heard(TopologyEvent event);
}
