// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.failpoint;

import org.jspecify.annotations.Nullable;

/**
 * What a fail point may look at in a command that has arrived.
 *
 * @param command the command's own name, as the table of commands spells it
 * @param namespace {@code database.collection}, or the database alone where the command names no
 *     collection
 * @param applicationName {@code client.application.name} of the connection's handshake
 * @param threadName name of the connection's thread, such as {@code conn7}
 * @param internalClient whether another member or a router sent it: those fail only when {@code
 *     failInternalCommands} asks
 */
public record CommandFacts(
    String command,
    String namespace,
    @Nullable String applicationName,
    @Nullable String threadName,
    boolean internalClient) {}
