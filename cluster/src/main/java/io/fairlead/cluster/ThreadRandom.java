// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** Randomness that any number of threads can draw from at once: each thread's own. */
final class ThreadRandom implements RandomGenerator {
  @Override
  public long nextLong() {
    return ThreadLocalRandom.current().nextLong();
  }
}
