// SPDX-License-Identifier: Apache-2.0
/**
 * Standalone, replica sets and sharded clusters in this process, and their remote control. Start at
 * {@link io.fairlead.embedded.EmbeddedCluster}.
 *
 * <pre>
 *   EmbeddedCluster ┬ EmbeddedReplicaSet ─ EmbeddedMember ─ server.Server on an engine that survives kill()
 *                   └ EmbeddedRouter ─ router.Router
 *   Whims      what a member does to those who talk to it: pause, delay
 *   Links      what the network between members does: cut, delay
 * </pre>
 *
 * It has no protocol of its own: what it does to a cluster is done to connections, or asked by
 * command.
 */
@NullMarked
package io.fairlead.embedded;

import org.jspecify.annotations.NullMarked;
