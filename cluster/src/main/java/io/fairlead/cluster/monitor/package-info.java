// SPDX-License-Identifier: Apache-2.0
/**
 * Hears from each server how it is. A {@link io.fairlead.cluster.monitor.ServerMonitor} is one loop
 * on a thread of its own; a {@link io.fairlead.cluster.monitor.RoundTripMonitor} beside it measures
 * the network while the first waits on a streamed hello. Together they hold at most two connections
 * to a server. Follows MongoDB's server monitoring specification.
 */
@NullMarked
package io.fairlead.cluster.monitor;

import org.jspecify.annotations.NullMarked;
