// SPDX-License-Identifier: Apache-2.0
/**
 * MongoDB's replication protocol version 1 as a pure state machine. Start at {@link
 * io.fairlead.server.replication.protocol.Protocol}.
 *
 * <pre>
 *   (ReplicaState, Event, now, random) → Step(next ReplicaState, Actions)
 *
 *   ReplicaSetConfig, MemberConfig   who belongs to the set, who votes, who may lead
 *   ReplicaState, Peer, Role         what one member knows: its term and vote, its role, what it heard of each peer
 *   Event → Action                   what happened; what the shell ought to do about it
 * </pre>
 *
 * Pure: no I/O, no clock, no threads. The shell in {@code io.fairlead.server.replication} and the
 * simulation in the tests are its two users.
 */
@NullMarked
package io.fairlead.server.replication.protocol;

import org.jspecify.annotations.NullMarked;
