// SPDX-License-Identifier: Apache-2.0
/**
 * Indexes: {@link io.fairlead.engine.index.IndexSpec} is the parsed wish, checked by the rules of
 * createIndexes.
 */
@NullMarked
package io.fairlead.engine.index;

import org.jspecify.annotations.NullMarked;
