// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Engine;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import java.util.Set;

/**
 * The part of a write concern that is about this member's own disk. Without a data directory there
 * is nothing to wait for, as with MongoDB's in-memory storage engine.
 */
final class Journaling {
  private Journaling() {}

  /**
   * Whether a write concern asks for this member's journal: {@code j: true}, and a majority, which
   * counts what is on disk.
   */
  static boolean isAsked(WriteConcern concern) {
    return concern.journal() || concern.w() instanceof WriteConcern.W.Majority;
  }

  /** Waits until what is committed now is on disk, where the write concern asks for it. */
  static WriteConcernResult await(Engine engine, WriteConcern concern, WriteConcernWait wait)
      throws InterruptedException {
    if (!isAsked(concern)) {
      return new WriteConcernResult.Satisfied();
    }
    try {
      return engine.awaitDurable(wait.left()) ? new WriteConcernResult.Satisfied() : wait.over();
    } catch (EngineException failure) {
      return new WriteConcernResult.Failed(
          failure.code(),
          ErrorCodes.nameOf(failure.code()),
          String.valueOf(failure.getMessage()),
          Set.of(),
          concern);
    }
  }
}
