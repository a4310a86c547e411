// SPDX-License-Identifier: Apache-2.0
/**
 * One connection that carries whole messages. {@link io.fairlead.wire.channel.Dialer} opens one to
 * a host and port: inside this JVM when the address is registered there ({@link
 * io.fairlead.wire.channel.InProcessAddresses}), else over TCP. Both kinds behave the same to their
 * users.
 */
@NullMarked
package io.fairlead.wire.channel;

import org.jspecify.annotations.NullMarked;
