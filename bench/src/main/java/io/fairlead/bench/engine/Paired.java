// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Figures of the same thing on both sides, round by round. */
final class Paired {
  private final List<Double> ours = new ArrayList<>();
  private final List<Double> peers = new ArrayList<>();

  void add(double mine, double theirs) {
    ours.add(mine);
    peers.add(theirs);
  }

  double ours() {
    return median(ours);
  }

  double peer() {
    return median(peers);
  }

  /** The median over the rounds of ours divided by the peer's of the same round. */
  double ratio() {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      ratios.add(ours.get(i) / peers.get(i));
    }
    return median(ratios);
  }

  private static double median(List<Double> figures) {
    double[] sorted = figures.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
