// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.health;

import io.fairlead.topology.retry.FaultKind;

/** How an operation ended, as far as its server's health is concerned. */
public sealed interface Outcome {
  Outcome GOOD = new Good();
  Outcome ABANDONED = new Abandoned();

  static Outcome failed(FaultKind kind) {
    return new Failed(kind, Failed.NO_GENERATION);
  }

  /** The server did what it was asked. */
  record Good() implements Outcome {}

  /** Nothing can be said: the caller went away before the server could answer. */
  record Abandoned() implements Outcome {}

  /**
   * The server did not do what it was asked.
   *
   * @param generation of the pool whose connection broke; several operations that fail with one
   *     generation are one fault. {@link #NO_GENERATION} if each failure stands for itself
   */
  record Failed(FaultKind kind, long generation) implements Outcome {
    public static final long NO_GENERATION = -1;
  }
}
