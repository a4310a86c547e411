// SPDX-License-Identifier: Apache-2.0
/**
 * One handshaken connection to one server: {@link io.fairlead.cluster.connection.Connector} opens
 * it, {@link io.fairlead.cluster.connection.Connection} runs one command at a time on it. A reply
 * is taken only when it answers the command that was sent.
 */
@NullMarked
package io.fairlead.cluster.connection;

import org.jspecify.annotations.NullMarked;
