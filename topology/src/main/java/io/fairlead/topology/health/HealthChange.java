// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.health;

import io.fairlead.topology.HostAddress;
import java.time.Duration;

/** Something that someone may want to read in a log: one line each. */
public sealed interface HealthChange {
  HostAddress server();

  record Ejected(HostAddress server, Duration length, String because) implements HealthChange {}

  record TrialStarted(HostAddress server) implements HealthChange {}

  record Returned(HostAddress server, String because) implements HealthChange {}
}
