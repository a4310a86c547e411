// SPDX-License-Identifier: Apache-2.0
/**
 * Server Discovery And Monitoring as a state machine. Start at {@link
 * io.fairlead.topology.discovery.Discovery#on(TopologyEvent, java.time.Instant)}.
 *
 * <pre>
 *   (Discovery, TopologyEvent, now) → Transition(next Discovery, actions)
 * </pre>
 *
 * The shell publishes {@code next} first and performs the actions then; it is the only writer.
 * Pure: no I/O, no clock, no threads. Follows MongoDB's specification of the same name.
 */
@NullMarked
package io.fairlead.topology.discovery;

import org.jspecify.annotations.NullMarked;
