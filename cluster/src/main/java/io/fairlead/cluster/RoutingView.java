// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.health.HealthView;
import io.fairlead.topology.readpreference.LatencyWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What routing sees and did, at one moment: the table behind the ping display.
 *
 * @param at when it was taken
 * @param options the routing options in force
 * @param window the default latency window in force
 * @param servers every server of the topology, in the order of their addresses
 */
public record RoutingView(
    Instant at, RoutingOptions options, LatencyWindow window, List<Server> servers) {
  /**
   * One server.
   *
   * @param address its name in the topology
   * @param type what it last said it is
   * @param ping its smoothed round-trip time; null before the first hello
   * @param inWindow whether a read with mode nearest would have it in its latency window now
   * @param operationsInProgress commands sent and not yet answered, and connections being waited
   *     for
   * @param connections open connections of its pool
   * @param attempts commands sent: first attempts and retries
   * @param retries commands sent that were not an operation's first attempt
   * @param succeeded commands answered with {@code ok: 1}
   * @param failed commands that ended in a failure of any kind
   * @param ejections how often health has left it out
   * @param ejection why and until when it is left out; null when it is not
   */
  public record Server(
      HostAddress address,
      ServerType type,
      @Nullable Duration ping,
      boolean inWindow,
      int operationsInProgress,
      int connections,
      long attempts,
      long retries,
      long succeeded,
      long failed,
      long ejections,
      @Nullable Ejection ejection) {}

  /**
   * A server that health leaves out.
   *
   * @param why one sentence: what it did
   * @param state whether it is out, may be tried again, or is being tried
   * @param until when one operation may try it again
   */
  public record Ejection(String why, HealthView.State state, Instant until) {}
}
