// SPDX-License-Identifier: Apache-2.0
/**
 * Inserts, updates, deletes and DDL. Start at {@link io.fairlead.engine.write.WriteTransaction},
 * which {@link io.fairlead.engine.Engine#write} hands to its caller.
 */
@NullMarked
package io.fairlead.engine.write;

import org.jspecify.annotations.NullMarked;
