// SPDX-License-Identifier: Apache-2.0
/**
 * How this router reads: the options of the cluster-wide setting {@code config.settings {_id:
 * "fairlead.routing"}} picked up while it runs ({@link io.fairlead.router.status.LiveRouting}),
 * what it sees of every member ({@link io.fairlead.router.status.RoutingStatus}), and one log line
 * when a member loses its reads ({@link io.fairlead.router.status.ReadLosses}).
 */
@NullMarked
package io.fairlead.router.status;

import org.jspecify.annotations.NullMarked;
