// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import java.time.Duration;

/** Waiting for a thread that was told to end. */
public final class Threads {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private Threads() {}

  /**
   * Waits for a thread, two seconds at most; an interrupt ends the wait and stays set. Does not
   * wait for itself, nor for a thread that was never started.
   */
  public static void joinBriefly(Thread thread) {
    if (thread == Thread.currentThread() || thread.getState() == Thread.State.NEW) {
      return;
    }
    try {
      thread.join(PATIENCE);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
