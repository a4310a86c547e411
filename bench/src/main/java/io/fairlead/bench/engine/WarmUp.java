// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.engine;

/**
 * Tells when a side is warm: when its latest turns are no quicker than those before, so that what
 * its compiler does no longer shows. Bounded, for on a busy machine figures never come to rest.
 */
final class WarmUp {
  private static final int TURNS_MIN = 8;
  private static final int TURNS_MAX = 40;

  /** How many turns in a row have to bring nothing. */
  private static final int WITHOUT_GAIN = 4;

  private static final double GAIN = 1.03;

  private int turns;
  private int lastGain;
  private double best;

  /** Notes the rate of one more turn. */
  void add(double perSecond) {
    turns++;
    if (perSecond > best * GAIN) {
      best = perSecond;
      lastGain = turns;
    }
  }

  boolean isOver() {
    return turns >= TURNS_MAX || (turns >= TURNS_MIN && turns - lastGain >= WITHOUT_GAIN);
  }

  int turns() {
    return turns;
  }
}
