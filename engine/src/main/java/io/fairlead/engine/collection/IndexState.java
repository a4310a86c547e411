// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.storage.Tree;

/**
 * An index and its content. Immutable.
 *
 * @param entries the keys, each with the id of its record behind it
 * @param multikey bit {@code i} is set when field {@code i} has ever met an array, bit {@code 32 +
 *     i} when it has ever met a value that its key does not give back
 * @param keyBytes the bytes of all entries together
 */
public record IndexState(
    IndexDefinition definition, Tree<Void> entries, long multikey, long keyBytes) {
  /** An index on nothing yet. */
  public static IndexState empty(IndexDefinition definition) {
    return new IndexState(definition, Tree.emptySet(), 0, 0);
  }

  public boolean isMultikey() {
    return (multikey & 0xFFFF_FFFFL) != 0;
  }

  /** Whether every value that field {@code i} ever had comes back out of its key as it was. */
  public boolean restores(int field) {
    return ((multikey >>> (32 + field)) & 1) == 0;
  }

  /** The same content under a changed definition, whose keys are the same. */
  public IndexState redefined(IndexDefinition changed) {
    return new IndexState(changed, entries, multikey, keyBytes);
  }
}
