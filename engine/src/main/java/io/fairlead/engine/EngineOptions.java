// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What an engine is opened with.
 *
 * @param clock wall-clock time, for generated ids, {@code $$NOW} and TTL
 * @param nanoTime monotonic time, for bounded waits
 * @param random source of collection UUIDs, {@code $sample} and how long a write waits after a
 *     conflict; asked by any thread
 * @param lockWaitMax how long a write waits for its turn on a collection before it is a write
 *     conflict (112)
 */
public record EngineOptions(
    InstantSource clock, LongSupplier nanoTime, RandomGenerator random, Duration lockWaitMax) {
  /** The system's clocks and random source, and waits of at most a minute. */
  public static EngineOptions defaults() {
    return new EngineOptions(
        InstantSource.system(),
        System::nanoTime,
        new java.security.SecureRandom(),
        Duration.ofSeconds(60));
  }
}
