// SPDX-License-Identifier: Apache-2.0
/**
 * What a data directory promises, tried: {@link io.fairlead.bench.durability.Kills} lets a process
 * write and kills it, again and again, and looks whether everything that was acknowledged is there.
 */
@NullMarked
package io.fairlead.bench.durability;

import org.jspecify.annotations.NullMarked;
