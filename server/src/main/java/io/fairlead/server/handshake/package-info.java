// SPDX-License-Identifier: Apache-2.0
/**
 * How a client gets to know the server: {@link io.fairlead.server.handshake.Hello} under its three
 * names, and the commands about who is connected and what is running.
 */
@NullMarked
package io.fairlead.server.handshake;

import org.jspecify.annotations.NullMarked;
