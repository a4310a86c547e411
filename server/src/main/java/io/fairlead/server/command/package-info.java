// SPDX-License-Identifier: Apache-2.0
/**
 * From a message to an answer. One table says what commands there are; dispatch, {@code
 * listCommands}, privileges and whether a secondary answers all follow from it. Start at {@link
 * io.fairlead.server.command.CommandTable}.
 *
 * <pre>
 *   Message → GenericArguments → CommandSpec → fail points → may this member run it? → Command.run → reply or error
 * </pre>
 *
 * Families of commands live beside: {@code crud}, {@code admin}, {@code handshake}, {@code
 * sessions}, {@code diagnostics}, and the replication's own in {@code replication}.
 */
@NullMarked
package io.fairlead.server.command;

import org.jspecify.annotations.NullMarked;
