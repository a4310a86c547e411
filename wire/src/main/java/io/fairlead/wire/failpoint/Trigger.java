// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.failpoint;

import java.util.random.RandomGenerator;

/** A fail point's mode, and how often it will still act. Used under its owner's lock. */
final class Trigger {
  private FailPointMode mode = new FailPointMode.Off();
  private int remaining;

  void set(FailPointMode wanted) {
    mode = wanted;
    remaining =
        switch (wanted) {
          case FailPointMode.Times times -> times.count();
          case FailPointMode.Skip skip -> skip.count();
          case FailPointMode.Off off -> 0;
          case FailPointMode.AlwaysOn on -> 0;
          case FailPointMode.ActivationProbability chance -> 0;
        };
  }

  boolean isOff() {
    return mode instanceof FailPointMode.Off;
  }

  /** Whether it acts this time; counts. */
  boolean acts(RandomGenerator random) {
    return switch (mode) {
      case FailPointMode.Off off -> false;
      case FailPointMode.AlwaysOn on -> true;
      case FailPointMode.Times times -> {
        if (--remaining == 0) {
          mode = new FailPointMode.Off();
        }
        yield true;
      }
      case FailPointMode.Skip skip -> {
        if (remaining > 0) {
          remaining--;
          yield false;
        }
        yield true;
      }
      case FailPointMode.ActivationProbability chance -> random.nextDouble() < chance.probability();
    };
  }
}
