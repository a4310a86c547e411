// SPDX-License-Identifier: Apache-2.0
/**
 * Measurements against peers, one package per subject. Start at {@link io.fairlead.bench.Bench},
 * which {@code bench/run} starts.
 *
 * <pre>
 *   selection  one choice of a server, by JMH
 *   startup    an embedded replica set up to its first majority write
 *   engine     documents, with mongo-java-server as the peer
 *   durability writers that are killed, and what writing to disk costs
 *   report     the table and the JSON file
 * </pre>
 */
@NullMarked
package io.fairlead.bench;

import org.jspecify.annotations.NullMarked;
