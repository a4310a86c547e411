// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.TopologyDescription;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;

/**
 * One server for one operation, in these steps:
 *
 * <ol>
 *   <li>take out the servers that are avoided: deprioritized by this operation, or ejected by
 *       health; if nothing suitable is left, first let the ejected back in, then the deprioritized
 *       too;
 *   <li>suitable servers for topology type, operation kind and mode, then max staleness, tag sets,
 *       max ping;
 *   <li>the application's own selector, if any;
 *   <li>the latency window;
 *   <li>two at random, the one with fewer operations in progress.
 * </ol>
 *
 * A mode with a second choice asks for its tiers one after the other: ejection chooses within a
 * tier and never moves a read to the next one, deprioritization does.
 */
public final class ServerSelector {
  private ServerSelector() {}

  /**
   * Chooses.
   *
   * @param load operations in progress at a server, health's allowance for fast failures included
   */
  public static Selection select(
      TopologyDescription topology,
      SelectionRequest request,
      ToIntFunction<HostAddress> load,
      RandomGenerator random) {
    return new Choice(topology, request, null).choose(load, random);
  }

  /** The same choice, told step by step. For people: costs what {@link #select} spares. */
  public static SelectionTrace trace(
      TopologyDescription topology,
      SelectionRequest request,
      ToIntFunction<HostAddress> load,
      RandomGenerator random) {
    Recorder recorder = new Recorder();
    Selection selection = new Choice(topology, request, recorder).choose(load, random);
    return recorder.trace(topology, request, selection);
  }

  /**
   * Whether some server outside of {@code tried} is suitable now: what a retry that must go
   * elsewhere needs to know.
   */
  public static boolean hasSuitableOutside(
      TopologyDescription topology, SelectionRequest request, Set<HostAddress> tried) {
    return new Choice(topology, request, null).anySuitableOutside(tried);
  }
}
