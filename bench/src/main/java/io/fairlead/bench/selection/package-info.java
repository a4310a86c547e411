// SPDX-License-Identifier: Apache-2.0
/** What one choice of a server costs, in time and memory, with and without a trace. */
@NullMarked
package io.fairlead.bench.selection;

import org.jspecify.annotations.NullMarked;
