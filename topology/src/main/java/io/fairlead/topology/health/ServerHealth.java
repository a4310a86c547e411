// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.health;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.health.OutcomeWindow.Counts;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is remembered of one server. Changed by {@link Health} alone. */
final class ServerHealth {
  /** Commands beyond so many kinds are counted together. */
  private static final int COMMANDS_MAX = 32;

  private static final String OTHER_COMMANDS = "(other)";

  final HostAddress server;
  private final long windowNanos;
  private final Map<String, OutcomeWindow> windows = new HashMap<>();
  private final Map<String, RecentDurations> durations = new HashMap<>();

  /** Oldest first. */
  final Set<OperationTicket> outstanding = new LinkedHashSet<>();

  HealthView.State state = HealthView.State.WELL;
  @Nullable String because;
  long ejectedUntilNanos;
  long returnedAtNanos;
  int ejectionsInARow;
  int ejections;
  int faultsInARow;
  int doubtfulInARow;
  long lastBrokenGeneration = Outcome.Failed.NO_GENERATION;
  private long[] allowances = new long[0];

  ServerHealth(HostAddress server, long windowNanos) {
    this.server = server;
    this.windowNanos = windowNanos;
  }

  OutcomeWindow window(String command) {
    return windows.computeIfAbsent(known(windows, command), name -> new OutcomeWindow(windowNanos));
  }

  RecentDurations durations(String command) {
    return durations.computeIfAbsent(known(durations, command), name -> new RecentDurations());
  }

  private static String known(Map<String, ?> map, String command) {
    return map.size() < COMMANDS_MAX || map.containsKey(command) ? command : OTHER_COMMANDS;
  }

  Counts counts(long nowNanos) {
    Counts sum = Counts.NONE;
    for (OutcomeWindow window : windows.values()) {
      sum = sum.plus(window.counts(nowNanos));
    }
    return sum;
  }

  Counts counts(String command, long nowNanos) {
    OutcomeWindow window = windows.get(known(windows, command));
    return window == null ? Counts.NONE : window.counts(nowNanos);
  }

  void forgetOutcomes() {
    windows.values().forEach(OutcomeWindow::clear);
    faultsInARow = 0;
    doubtfulInARow = 0;
  }

  /** A failed operation goes on counting as one in progress until then. */
  void allowUntil(long untilNanos, long nowNanos) {
    int live = 0;
    for (long until : allowances) {
      if (until - nowNanos > 0) {
        live++;
      }
    }
    long[] kept = new long[live + 1];
    int next = 0;
    for (long until : allowances) {
      if (until - nowNanos > 0) {
        kept[next++] = until;
      }
    }
    kept[next] = untilNanos;
    allowances = kept;
  }

  int allowances(long nowNanos) {
    int live = 0;
    for (long until : allowances) {
      if (until - nowNanos > 0) {
        live++;
      }
    }
    return live;
  }
}
