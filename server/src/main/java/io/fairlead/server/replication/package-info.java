// SPDX-License-Identifier: Apache-2.0
/**
 * This server as a member of a replica set, or as a standalone. Commands know {@link
 * io.fairlead.server.replication.ReplicationCoordinator} and nothing below it.
 *
 * <pre>
 *   commands → ReplicationCoordinator ┬ StandaloneCoordinator      no peers, no log
 *                                     └ ReplicaSetMember           one thread owns a protocol.ReplicaState; sockets at its edge
 *                                          Peers                   commands to the other members, bounded and backing off
 *                                          LogPuller               pulls and applies the log of the sync source; initial sync; rollback
 *                                          CommittedViews          the root after each log entry since the commit point
 * </pre>
 *
 * The rules (elections, commit point, sync source) are the pure machine in {@code protocol}.
 */
@NullMarked
package io.fairlead.server.replication;

import org.jspecify.annotations.NullMarked;
