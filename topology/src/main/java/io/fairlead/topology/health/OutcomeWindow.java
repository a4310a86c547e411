// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.health;

/**
 * Counts of the outcomes of the last seconds, in slices of a twentieth of the window, oldest
 * overwritten.
 */
final class OutcomeWindow {
  private static final int SLICES = 20;

  private final long sliceNanos;
  private final long[] sliceNumbers = new long[SLICES];
  private final int[] good = new int[SLICES];
  private final int[] faults = new int[SLICES];
  private final int[] doubtful = new int[SLICES];

  OutcomeWindow(long windowNanos) {
    this.sliceNanos = Math.max(1, windowNanos / SLICES);
    clear();
  }

  void clear() {
    java.util.Arrays.fill(sliceNumbers, Long.MIN_VALUE);
  }

  void addGood(long nowNanos) {
    good[slice(nowNanos)]++;
  }

  void addFault(long nowNanos) {
    faults[slice(nowNanos)]++;
  }

  void addDoubtful(long nowNanos) {
    doubtful[slice(nowNanos)]++;
  }

  private int slice(long nowNanos) {
    long number = Math.floorDiv(nowNanos, sliceNanos);
    int index = (int) Math.floorMod(number, (long) SLICES);
    if (sliceNumbers[index] != number) {
      sliceNumbers[index] = number;
      good[index] = 0;
      faults[index] = 0;
      doubtful[index] = 0;
    }
    return index;
  }

  Counts counts(long nowNanos) {
    long newest = Math.floorDiv(nowNanos, sliceNanos);
    int goodSum = 0;
    int faultSum = 0;
    int doubtfulSum = 0;
    for (int i = 0; i < SLICES; i++) {
      if (sliceNumbers[i] != Long.MIN_VALUE && newest - sliceNumbers[i] < SLICES) {
        goodSum += good[i];
        faultSum += faults[i];
        doubtfulSum += doubtful[i];
      }
    }
    return new Counts(goodSum, faultSum, doubtfulSum);
  }

  record Counts(int good, int faults, int doubtful) {
    static final Counts NONE = new Counts(0, 0, 0);

    int total() {
      return good + faults + doubtful;
    }

    Counts plus(Counts other) {
      return new Counts(good + other.good, faults + other.faults, doubtful + other.doubtful);
    }

    /** How probable a doubtful outcome is, taken cautiously: never quite zero. */
    double doubtfulRate() {
      return (doubtful + 0.5) / (total() + 1);
    }
  }
}
