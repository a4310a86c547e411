// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.health;

import java.time.Duration;

/**
 * When a server is ejected, and for how long.
 *
 * @param enabled whether anybody is ever ejected; default true
 * @param consecutiveFaults so many faults in a row eject, default 3, at least 1
 * @param faultPercent that share of a window's outcomes ejects, default 50, 1 to 100
 * @param outcomesMin the least number of outcomes of which a share is taken, default 8, at least 1
 * @param window how far back outcomes count, default 10 s
 * @param ejection how long the first ejection lasts, default 5 s; each further one twice as long
 * @param ejectionMax the longest, default 60 s
 */
public record HealthOptions(
    boolean enabled,
    int consecutiveFaults,
    int faultPercent,
    int outcomesMin,
    Duration window,
    Duration ejection,
    Duration ejectionMax) {
  public static final HealthOptions DEFAULT =
      new HealthOptions(
          true, 3, 50, 8, Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(60));

  public HealthOptions {
    require(
        consecutiveFaults >= 1, "consecutiveFaults must be 1 or more, was " + consecutiveFaults);
    require(
        faultPercent >= 1 && faultPercent <= 100,
        "faultPercent must be 1..100, was " + faultPercent);
    require(outcomesMin >= 1, "outcomesMin must be 1 or more, was " + outcomesMin);
    require(
        window.compareTo(Duration.ofMillis(100)) >= 0,
        "window must be 100 ms or more, was " + window);
    require(ejection.isPositive(), "ejection must be positive, was " + ejection);
    require(
        ejectionMax.compareTo(ejection) >= 0,
        "ejectionMax must be at least ejection, was " + ejectionMax);
  }

  /** Nobody is ever ejected; outcomes are counted all the same. */
  public static HealthOptions disabled() {
    return new HealthOptions(
        false,
        DEFAULT.consecutiveFaults,
        DEFAULT.faultPercent,
        DEFAULT.outcomesMin,
        DEFAULT.window,
        DEFAULT.ejection,
        DEFAULT.ejectionMax);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
