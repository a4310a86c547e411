// SPDX-License-Identifier: Apache-2.0
/**
 * Sort orders with MongoDB's rule for arrays. Start at {@link io.fairlead.engine.sort.SortPattern}.
 */
@NullMarked
package io.fairlead.engine.sort;

import org.jspecify.annotations.NullMarked;
