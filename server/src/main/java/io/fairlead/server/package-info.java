// SPDX-License-Identifier: Apache-2.0
/**
 * One mongod: commands on an engine, replica-set member. Start at {@link
 * io.fairlead.server.Server}.
 *
 * <pre>
 *   Listeners → command.ConnectionHandler → command.Dispatcher → a command of crud, admin, handshake, sessions, …
 *                                                                  │
 *                                            engine.Snapshot ← ReplicationCoordinator → engine.WriteTransaction
 * </pre>
 */
@NullMarked
package io.fairlead.server;

import org.jspecify.annotations.NullMarked;
