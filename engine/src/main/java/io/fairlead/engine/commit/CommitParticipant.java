// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.commit;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import java.util.List;

/**
 * Takes part in every commit, one commit at a time over the whole engine: it sees the ordered
 * changes and may write to its own collections (the oplog, the records of retryable writes) in the
 * same atomic swap.
 *
 * <p>Both methods run while the engine holds its commit lock. They must be short, must not wait,
 * and must not call the engine but through their arguments.
 */
public interface CommitParticipant {
  /**
   * Whether a collection is the participant's own. Ordinary writes to such a collection take the
   * commit lock at once, so that they and the participant never miss each other's. The answer for a
   * name never changes.
   */
  boolean owns(Namespace namespace);

  /**
   * Before the swap. What it throws is thrown to the writer, and nothing is committed.
   *
   * @param context what the writer gave
   * @param changes what the writer did, not empty; changes to the participant's own collections
   *     included, when the writer made them itself
   * @param own writes to owned collections only; they are reported to nobody
   */
  void beforeCommit(WriteContext context, List<Change> changes, WriteTransaction own);

  /**
   * After the swap, in commit order: {@code committed} is what every reader sees from now on. Must
   * not throw.
   */
  void afterCommit(WriteContext context, List<Change> changes, Snapshot committed);
}
