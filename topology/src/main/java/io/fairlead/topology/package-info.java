// SPDX-License-Identifier: Apache-2.0
/**
 * What a deployment looks like and who may serve an operation. Pure: no I/O, no thread, no clock;
 * time and chance are arguments.
 *
 * <pre>
 *   discovery       hello replies and errors → TopologyDescription and what is to be done about it
 *   readpreference  what a read asks for, what it is really performed with, how it travels
 *   selection       TopologyDescription + request → one server, or what is missing
 *   retry           which failures are retried, after which pause, away from whom
 *   health          which servers fail what they are asked although they say hello
 * </pre>
 *
 * This package holds the values that all of them share: {@link
 * io.fairlead.topology.ServerDescription} and {@link io.fairlead.topology.TopologyDescription}.
 */
@NullMarked
package io.fairlead.topology;

import org.jspecify.annotations.NullMarked;
