// SPDX-License-Identifier: Apache-2.0
/**
 * BSON values as bytes whose unsigned order is MongoDB's order of the values. Start at {@link
 * io.fairlead.engine.key.KeyWriter}; {@link io.fairlead.engine.key.BsonBytes} reads documents in
 * place, and {@link io.fairlead.engine.key.RecordIds} numbers records.
 */
@NullMarked
package io.fairlead.engine.key;

import org.jspecify.annotations.NullMarked;
