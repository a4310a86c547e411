// SPDX-License-Identifier: Apache-2.0
/**
 * The bytes of a message. {@link io.fairlead.wire.codec.MessageEncoder} writes one, {@link
 * io.fairlead.wire.codec.MessageDecoder} reads one and believes no length that it has not checked.
 * Follows MongoDB's wire protocol, OP_MSG and OP_COMPRESSED specifications.
 */
@NullMarked
package io.fairlead.wire.codec;

import org.jspecify.annotations.NullMarked;
