// SPDX-License-Identifier: Apache-2.0
/**
 * Finds servers that say hello and fail what they are asked. Start at {@link
 * io.fairlead.topology.health.Health}.
 *
 * <pre>
 *   outcomes of operations → sliding window per server → ejected → one trial → back, or out for twice as long
 * </pre>
 *
 * Pure: no I/O, no clock, no threads; {@code nowNanos} is an argument and only differences of it
 * count.
 */
@NullMarked
package io.fairlead.topology.health;

import org.jspecify.annotations.NullMarked;
