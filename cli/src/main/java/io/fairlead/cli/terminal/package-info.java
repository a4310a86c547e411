// SPDX-License-Identifier: Apache-2.0
/** Tables and durations as text, and as data for {@code --json}. */
@NullMarked
package io.fairlead.cli.terminal;

import org.jspecify.annotations.NullMarked;
