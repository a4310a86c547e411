// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.cursor;

/**
 * Asked every few dozen steps of long work whether to go on. Implementations must be cheap (a
 * comparison with {@code nanoTime}, a volatile read) and throw an {@code EngineException}, such as
 * 50 MaxTimeMSExpired or 11601 Interrupted, to stop the work.
 */
@FunctionalInterface
public interface Interruption {
  /** Work that is never interrupted. */
  Interruption NEVER = () -> {};

  /** Returns when the work may go on, throws when it may not. */
  void check();
}
