// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.discovery;

import io.fairlead.topology.HostAddress;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** What ought to be done about an event, in order, after the new description has been published. */
public sealed interface Action {
  HostAddress address();

  /** Start checking a server that has just become known, and give it a pool. */
  record StartMonitor(HostAddress address) implements Action {}

  /** Stop checking a server that is no longer part of the deployment, and close its pool. */
  record StopMonitor(HostAddress address, String because) implements Action {}

  /** A check succeeded: the server's pool may make connections. */
  record ReadyPool(HostAddress address) implements Action {}

  /**
   * Connections made before this are not to be used again.
   *
   * @param serviceId behind a load balancer only this service's connections; null for all
   * @param generation what connections made from now on carry
   * @param interruptInUse whether operations that are waiting on an old connection should be woken
   *     as well
   */
  record ClearPool(
      HostAddress address,
      @Nullable ObjectId serviceId,
      long generation,
      boolean interruptInUse,
      String because)
      implements Action {}

  /** Check the server now rather than at the next heartbeat. */
  record RequestCheck(HostAddress address) implements Action {}

  /** A check in progress waits on a connection that is probably dead: close it. */
  record CancelCheck(HostAddress address) implements Action {}
}
