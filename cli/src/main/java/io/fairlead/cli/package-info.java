// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code fairlead} command. Start at {@link io.fairlead.cli.Main}.
 *
 * <pre>
 *   up         starts an embedded cluster and leaves it running
 *   demo       the scenarios: proves on an embedded cluster what the README says
 *   look       topology and select: what selection sees and would do
 *   terminal   tables and durations as text
 * </pre>
 *
 * Owns no state and invents no second vocabulary: it renders what the other modules publish.
 */
@NullMarked
package io.fairlead.cli;

import org.jspecify.annotations.NullMarked;
