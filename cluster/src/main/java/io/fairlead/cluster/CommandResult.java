// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerDescription;
import org.bson.RawBsonDocument;

/**
 * The reply to one command, whose {@code ok} was 1.
 *
 * <p>{@code writeErrors} and {@code writeConcernError} inside the reply are its receiver's
 * business. For an unacknowledged operation the reply is {@code {ok: 1}}, made by the client: it
 * says that the bytes were sent and nothing else.
 *
 * @param reply the whole reply
 * @param server who answered: cursors of the reply live there
 * @param description the server as it was known when it was selected; it carries the size limits
 *     that hold for it
 */
public record CommandResult(
    RawBsonDocument reply, HostAddress server, ServerDescription description) {}
