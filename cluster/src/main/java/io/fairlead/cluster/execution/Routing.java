// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import io.fairlead.cluster.ClusterSettings;
import io.fairlead.cluster.RoutingOptions;
import io.fairlead.topology.readpreference.LatencyWindow;
import io.fairlead.topology.retry.RetryOptions;
import io.fairlead.topology.retry.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The rules in force: one value, replaced whole when the routing options change.
 *
 * @param options as they were given
 * @param window the default latency window
 * @param maxPing null: no limit
 */
public record Routing(
    RoutingOptions options, LatencyWindow window, @Nullable Duration maxPing, RetryPolicy retries) {

  /** The rules that follow from settings and routing options. */
  public static Routing of(ClusterSettings settings, RoutingOptions options) {
    LatencyWindow window = options.window();
    return new Routing(
        options,
        window == null ? new LatencyWindow.Absolute(settings.localThreshold()) : window,
        options.maxPing(),
        new RetryPolicy(
            new RetryOptions(
                settings.client().getRetryReads(),
                settings.client().getRetryWrites(),
                settings.maxAdaptiveRetries(),
                settings.overloadRetargeting(),
                options.retryServerFaults())));
  }
}
