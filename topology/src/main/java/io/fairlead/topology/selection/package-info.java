// SPDX-License-Identifier: Apache-2.0
/**
 * Chooses a server for one operation. Start at {@link
 * io.fairlead.topology.selection.ServerSelector}.
 *
 * <pre>
 *   not avoided → suitable → application's selector → latency window → lesser of two → Selection
 * </pre>
 *
 * Pure: no I/O, no clock, no threads. Follows MongoDB's server-selection and max-staleness
 * specifications.
 */
@NullMarked
package io.fairlead.topology.selection;

import org.jspecify.annotations.NullMarked;
