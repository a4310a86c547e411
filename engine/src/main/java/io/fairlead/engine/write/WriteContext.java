// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.write;

import io.fairlead.engine.context.OperationContext;
import org.jspecify.annotations.Nullable;

/**
 * On whose behalf a write runs.
 *
 * @param participates whether the commit participant takes part; not so when replicated operations
 *     are applied
 * @param bypassValidation whether documents that a validator refuses are written all the same
 * @param attachment what the commit participant wants to know of the writer (its session and
 *     statement, …); the engine passes it on
 * @param operation time, variables and interruption of the writing operation; null: the engine's
 *     present time, and never interrupted
 */
public record WriteContext(
    boolean participates,
    boolean bypassValidation,
    @Nullable Object attachment,
    @Nullable OperationContext operation) {
  private static final WriteContext PLAIN = new WriteContext(true, false, null, null);

  /** A write that replicates, belongs to no session and is not interrupted. */
  public static WriteContext plain() {
    return PLAIN;
  }

  /** A write that the commit participant does not see. */
  public static WriteContext unreplicated() {
    return new WriteContext(false, true, null, null);
  }

  public WriteContext withAttachment(@Nullable Object value) {
    return new WriteContext(participates, bypassValidation, value, operation);
  }

  public WriteContext withOperation(@Nullable OperationContext value) {
    return new WriteContext(participates, bypassValidation, attachment, value);
  }

  public WriteContext withBypassValidation(boolean value) {
    return new WriteContext(participates, value, attachment, operation);
  }
}
