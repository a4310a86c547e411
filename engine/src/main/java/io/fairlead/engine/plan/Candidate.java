// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An index and what reading it for a query means.
 *
 * @param entries how many of its entries would be read
 * @param bounded how many of its fields are bounded
 */
record Candidate(QueryPlan plan, long entries, int bounded) {
  /**
   * What reading and comparing one document more costs when a sort is needed, in documents read.
   */
  private static final double SORT_COST = 0.25;

  /** The one that costs the least; null when there is none. */
  static @Nullable Candidate best(List<Candidate> candidates, Planner.Wish wish) {
    long fewest = candidates.stream().mapToLong(Candidate::entries).min().orElse(0);
    Candidate best = null;
    double bestCost = Double.MAX_VALUE;
    for (Candidate candidate : candidates) {
      double cost = cost(candidate, wish, fewest);
      if (best == null
          || cost < bestCost
          || (cost == bestCost && candidate.bounded() > best.bounded())) {
        best = candidate;
        bestCost = cost;
      }
    }
    return best;
  }

  private static double cost(Candidate candidate, Planner.Wish wish, long fewest) {
    double entries = candidate.entries();
    if (candidate.plan().sorted() || wish.sort() == null) {
      if (wish.wanted() > 0 && entries > 0) {
        // Matches lie as dense in this index as they can at most be: the fewest entries of any hold
        // all of them.
        double density = Math.max(1, fewest) / entries;
        return Math.min(entries, wish.wanted() / density);
      }
      return entries;
    }
    return entries + entries * SORT_COST * Math.log(entries + 2);
  }
}
