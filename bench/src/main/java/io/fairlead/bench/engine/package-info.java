// SPDX-License-Identifier: Apache-2.0
/**
 * The engine against mongo-java-server, and by itself. Start at {@link
 * io.fairlead.bench.engine.EngineMeasure}.
 *
 * <pre>
 *   EngineMeasure ── Duel: one Workload on both sides, warm first (WarmUp), round by round (Paired)
 *        │              └── Side ── ServerProcess: a JVM for each server, whose CPU and heap can
 *        │                     │          be told apart; ServedChild is what runs in it
 *        │                     └── ClosedLoop: threads, through the official driver
 *        └── EngineRates ── EngineBenchmark: one core, no network, by JMH
 * </pre>
 *
 * For whoever looks closer, as system properties: {@code bench.workloads}, names of {@link
 * io.fairlead.bench.engine.Workload} with commas, measures these alone; {@code bench.child.ours}
 * and {@code bench.child.peer} are options for the servers' JVMs, such as those of a profiler.
 */
@NullMarked
package io.fairlead.bench.engine;

import org.jspecify.annotations.NullMarked;
