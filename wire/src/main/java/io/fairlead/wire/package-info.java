// SPDX-License-Identifier: Apache-2.0
/**
 * Messages over connections. This module knows no topology: it moves whole messages between two
 * peers and says in its own words when that fails.
 *
 * <pre>
 *   message    what travels: Message, DocumentSequence, and the errors of travelling (WireException)
 *   codec      bytes of a message: OP_MSG, OP_QUERY commands and OP_REPLY, OP_COMPRESSED; doubts every length
 *   channel    one connection: MessageChannel over TCP or inside this JVM; Dialer opens one
 *   listener   the accepting side: a thread per connection that runs a ConnectionService
 * </pre>
 */
@NullMarked
package io.fairlead.wire;

import org.jspecify.annotations.NullMarked;
