// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.health;

import java.util.Arrays;

/** How long the last operations of one kind took at one server. */
final class RecentDurations {
  private static final int KEPT = 128;

  private final long[] nanos = new long[KEPT];
  private int size;
  private int next;

  void add(long durationNanos) {
    nanos[next] = durationNanos;
    next = (next + 1) % KEPT;
    size = Math.min(size + 1, KEPT);
  }

  long[] copy() {
    return Arrays.copyOf(nanos, size);
  }
}
