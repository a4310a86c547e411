// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.readpreference.EffectiveReadPreference;
import io.fairlead.topology.readpreference.LatencyWindow;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.readpreference.ReadPreference;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an operation needs of a server, and which servers it would rather not meet.
 *
 * @param deprioritized servers that this operation has tried already; an empty set says that none
 *     is to be avoided
 * @param ejected servers that fail what they are asked, by health's judgement
 * @param selector the application's own, asked after suitability and before the latency window
 * @param window of this client, unless the read brings its own
 * @param maxPing of this client, unless the read brings its own; null: no limit. It limits where
 *     there is a choice: reads other than of the primary, and mongoses
 * @param heartbeat how often servers are checked, which bounds how well staleness can be estimated
 */
public record SelectionRequest(
    OperationKind kind,
    ReadPreference preference,
    Set<HostAddress> deprioritized,
    Set<HostAddress> ejected,
    @Nullable ApplicationSelector selector,
    LatencyWindow window,
    @Nullable Duration maxPing,
    Duration heartbeat) {
  public static final Duration DEFAULT_HEARTBEAT = Duration.ofSeconds(10);

  public static SelectionRequest read(ReadPreference preference) {
    return of(OperationKind.READ, preference);
  }

  public static SelectionRequest write() {
    return of(OperationKind.WRITE, ReadPreference.PRIMARY);
  }

  public static SelectionRequest of(EffectiveReadPreference effective) {
    return of(effective.kind(), effective.preference());
  }

  public static SelectionRequest of(OperationKind kind, ReadPreference preference) {
    return new SelectionRequest(
        kind, preference, Set.of(), Set.of(), null, LatencyWindow.DEFAULT, null, DEFAULT_HEARTBEAT);
  }

  /**
   * The same, after these servers have been tried.
   *
   * @param servers null and empty alike: none
   */
  public SelectionRequest deprioritizing(@Nullable Set<HostAddress> servers) {
    return new SelectionRequest(
        kind,
        preference,
        servers == null ? Set.of() : servers,
        ejected,
        selector,
        window,
        maxPing,
        heartbeat);
  }

  public SelectionRequest ejecting(Set<HostAddress> servers) {
    return new SelectionRequest(
        kind, preference, deprioritized, servers, selector, window, maxPing, heartbeat);
  }

  public SelectionRequest through(@Nullable ApplicationSelector changed) {
    return new SelectionRequest(
        kind, preference, deprioritized, ejected, changed, window, maxPing, heartbeat);
  }

  public SelectionRequest within(LatencyWindow changed) {
    return new SelectionRequest(
        kind, preference, deprioritized, ejected, selector, changed, maxPing, heartbeat);
  }

  public SelectionRequest withMaxPing(@Nullable Duration changed) {
    return new SelectionRequest(
        kind, preference, deprioritized, ejected, selector, window, changed, heartbeat);
  }

  public SelectionRequest withHeartbeat(Duration changed) {
    return new SelectionRequest(
        kind, preference, deprioritized, ejected, selector, window, maxPing, changed);
  }

  /** {@code a write}, or {@code ReadPreference secondary {dc: "ams"}}. */
  public String wanted() {
    return kind.needsWritable() ? "a write" : "ReadPreference " + preference;
  }
}
