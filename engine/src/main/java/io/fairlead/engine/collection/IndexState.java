// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.storage.Tree;
import java.time.Instant;

/**
 * An index and its content. Immutable.
 *
 * @param entries the keys, each with the id of its record behind it
 * @param multikey bit {@code i} is set when field {@code i} has ever met an array, bit {@code 32 +
 *     i} when it has ever met a value that its key does not give back
 * @param keyBytes the bytes of all entries together
 * @param use how often it is read, which all states of the index share
 */
public record IndexState(
    IndexDefinition definition, Tree<Void> entries, long multikey, long keyBytes, IndexUse use) {
  /** An index on nothing yet. */
  public static IndexState empty(IndexDefinition definition) {
    return new IndexState(definition, Tree.emptySet(), 0, 0, new IndexUse());
  }

  public boolean isMultikey() {
    return (multikey & 0xFFFF_FFFFL) != 0;
  }

  /** Whether every value that field {@code i} ever had comes back out of its key as it was. */
  public boolean restores(int field) {
    return ((multikey >>> (32 + field)) & 1) == 0;
  }

  /**
   * The same content under a changed definition, whose keys are the same; its use is counted anew.
   */
  public IndexState redefined(IndexDefinition changed, Instant now) {
    IndexUse fresh = new IndexUse();
    fresh.begin(now);
    return new IndexState(changed, entries, multikey, keyBytes, fresh);
  }
}
