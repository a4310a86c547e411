// SPDX-License-Identifier: Apache-2.0
/**
 * BSON values in place: slices over bytes, the total order, field paths. Start at {@link
 * io.fairlead.engine.value.Slice} and {@link io.fairlead.engine.value.BsonOrder}.
 */
@NullMarked
package io.fairlead.engine.value;

import org.jspecify.annotations.NullMarked;
