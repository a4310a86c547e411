// SPDX-License-Identifier: Apache-2.0
/**
 * What sums up many values: for {@code $group}, {@code $bucket}, windows, and the expressions of
 * the same names. Start at {@link io.fairlead.engine.accumulator.Accumulator}.
 */
@NullMarked
package io.fairlead.engine.accumulator;

import org.jspecify.annotations.NullMarked;
