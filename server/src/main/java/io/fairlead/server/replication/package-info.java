// SPDX-License-Identifier: Apache-2.0
/**
 * This server as a member of a replica set, or as a standalone. Commands know {@link
 * io.fairlead.server.replication.ReplicationCoordinator} and nothing below it.
 *
 * <pre>
 *   commands → ReplicationCoordinator ┬ StandaloneCoordinator      no peers, no log
 *                                     └ ReplicaSetMember           one thread owns a protocol.ReplicaState; sockets at its edge
 *                                          MemberEffects           does what the protocol decides: PeerCalls asks the others, WriteGate lets writes in
 *                                          LogPuller               pulls the log of the sync source, on PullOrders; InitialSync copies everything
 *                                          FollowerData            applies what was pulled, rolls back, takes in a copy: one commit each
 *                                          PositionReporter        tells the sync source how far this member is
 *                                          CommittedViews          the root after each log entry since the commit point; ReadStates gives it to reads
 * </pre>
 *
 * The rules (elections, commit point, sync source) are the pure machine in {@code protocol}.
 */
@NullMarked
package io.fairlead.server.replication;

import org.jspecify.annotations.NullMarked;
