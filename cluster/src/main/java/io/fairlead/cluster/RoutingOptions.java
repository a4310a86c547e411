// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import io.fairlead.topology.health.HealthOptions;
import io.fairlead.topology.readpreference.LatencyWindow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a client routes beyond what the official settings say; may be changed while it runs ({@link
 * Cluster#configureRouting}).
 *
 * @param window how much slower than the fastest a server may be and still count as near; null: the
 *     settings' {@code localThresholdMS} (15 ms)
 * @param maxPing servers slower than this are not read from; null: no limit
 * @param health how servers that fail operations are left out; on by default
 * @param retryServerFaults whether every code that health counts as a fault is retried on another
 *     server, where a second application is harmless: reads (not getMore) and writes with a
 *     transaction number. Each server once, at most three attempts. Off by default
 */
public record RoutingOptions(
    @Nullable LatencyWindow window,
    @Nullable Duration maxPing,
    HealthOptions health,
    boolean retryServerFaults) {

  public RoutingOptions {
    if (maxPing != null && (maxPing.isNegative() || maxPing.isZero())) {
      throw new IllegalArgumentException("maxPing is a positive duration, was " + maxPing);
    }
  }

  /**
   * The settings' window, no maximal ping, health on, no retry of server faults beyond the
   * specification's.
   */
  public static RoutingOptions defaults() {
    return new RoutingOptions(null, null, HealthOptions.DEFAULT, false);
  }

  /** These options with another window; null: the settings' own. */
  public RoutingOptions withWindow(@Nullable LatencyWindow other) {
    return new RoutingOptions(other, maxPing, health, retryServerFaults);
  }

  /** These options with another maximal ping; null: none. */
  public RoutingOptions withMaxPing(@Nullable Duration other) {
    return new RoutingOptions(window, other, health, retryServerFaults);
  }

  /** These options with other rules of health. */
  public RoutingOptions withHealth(HealthOptions other) {
    return new RoutingOptions(window, maxPing, other, retryServerFaults);
  }

  /** These options with or without retries of every server fault. */
  public RoutingOptions withRetryServerFaults(boolean on) {
    return new RoutingOptions(window, maxPing, health, on);
  }
}
