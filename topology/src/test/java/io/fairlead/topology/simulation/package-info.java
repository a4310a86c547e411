// SPDX-License-Identifier: Apache-2.0
/**
 * Selection, retries and health together, in simulated time: whole workloads in milliseconds, every
 * run the same.
 */
@NullMarked
package io.fairlead.topology.simulation;

import org.jspecify.annotations.NullMarked;
