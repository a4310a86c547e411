// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.health;

import io.fairlead.topology.HostAddress;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything about the servers' health at one moment, for tables and metrics. */
public record HealthView(Map<HostAddress, Server> servers) {
  public HealthView {
    servers = Map.copyOf(servers);
  }

  public enum State {
    WELL,
    EJECTED,
    /** The ejection is over; the next operation that may be retried elsewhere decides. */
    TRIAL_DUE,
    ON_TRIAL
  }

  /**
   * One server's health.
   *
   * @param because why it is ejected or was last; null if it never was
   * @param remaining how long it stays out at least; zero unless ejected
   * @param good outcomes within the window, and {@code faults} and {@code doubtful} ones
   * @param inProgress operations sent and not answered
   */
  public record Server(
      State state,
      @Nullable String because,
      Duration remaining,
      int good,
      int faults,
      int doubtful,
      int inProgress,
      int ejections) {}
}
