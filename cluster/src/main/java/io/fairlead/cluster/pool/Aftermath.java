// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is left to do once the pool's lock is released, in order; usually nothing. Whatever a step
 * throws, the steps behind it are taken.
 */
final class Aftermath {
  private @Nullable List<Runnable> steps;

  void then(Runnable step) {
    List<Runnable> all = steps;
    if (all == null) {
      all = new ArrayList<>();
      steps = all;
    }
    all.add(step);
  }

  void happen() {
    if (steps != null) {
      happenFrom(0, steps);
    }
  }

  private static void happenFrom(int first, List<Runnable> all) {
    int next = first;
    try {
      while (next < all.size()) {
        all.get(next++).run();
      }
    } finally {
      if (next < all.size()) {
        happenFrom(next, all); // the last one threw
      }
    }
  }
}
