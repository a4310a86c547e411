// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.monitor;

import java.time.Duration;

/** Waiting for a thread that was told to end. */
final class Threads {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private Threads() {}

  /** Waits for a thread, two seconds at most; an interrupt ends the wait and stays set. */
  static void joinBriefly(Thread thread) {
    if (thread == Thread.currentThread()) {
      return;
    }
    try {
      thread.join(PATIENCE);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
