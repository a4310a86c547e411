// SPDX-License-Identifier: Apache-2.0
/**
 * What travels between two peers, and the ways in which travelling fails. Start at {@link
 * io.fairlead.wire.message.Message}; every failure is a {@link
 * io.fairlead.wire.message.WireException}.
 */
@NullMarked
package io.fairlead.wire.message;

import org.jspecify.annotations.NullMarked;
