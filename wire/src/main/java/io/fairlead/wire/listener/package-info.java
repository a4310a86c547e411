// SPDX-License-Identifier: Apache-2.0
/**
 * The accepting side. A {@link io.fairlead.wire.listener.WireListener} (TCP) or {@link
 * io.fairlead.wire.listener.InProcessListener} (inside this JVM) gives every connection a thread
 * and a {@link io.fairlead.wire.listener.ConnectionService} of its own, which answers its requests
 * one after the other.
 */
@NullMarked
package io.fairlead.wire.listener;

import org.jspecify.annotations.NullMarked;
