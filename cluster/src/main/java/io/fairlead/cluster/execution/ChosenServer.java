// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import io.fairlead.cluster.deployment.Server;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.health.OperationTicket;
import io.fairlead.topology.readpreference.EffectiveReadPreference;

/**
 * A server that was chosen, and everything that follows from the topology it was chosen from.
 *
 * @param checkOutUntilNanos when a connection must have been had; {@link Long#MAX_VALUE}: the
 *     pool's own limit holds
 */
record ChosenServer(
    Server server,
    ServerDescription description,
    TopologyType topology,
    EffectiveReadPreference preference,
    OperationTicket ticket,
    long checkOutUntilNanos) {}
