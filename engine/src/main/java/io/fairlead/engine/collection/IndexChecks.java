// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import io.fairlead.engine.catalog.IndexCheck;
import io.fairlead.engine.storage.Tree;
import io.fairlead.engine.storage.TreeCursor;
import java.util.Arrays;

/** Compares an index with what it would be, were it built of the documents as they are. */
public final class IndexChecks {
  private IndexChecks() {}

  /**
   * Checks one index of a state; takes as long as building it.
   *
   * @throws io.fairlead.engine.error.EngineException when the documents cannot be in such an index
   *     at all: 11000, 171 …
   */
  public static IndexCheck of(CollectionState state, IndexState index) {
    Tree<Void> wanted = CollectionEditor.build(state, index.definition()).entries();
    TreeCursor<Void> left = wanted.cursor();
    TreeCursor<Void> right = index.entries().cursor();
    boolean due = left.first();
    boolean there = right.first();
    long missing = 0;
    long extra = 0;
    while (due || there) {
      int order = !due ? 1 : !there ? -1 : Arrays.compareUnsigned(left.key(), right.key());
      missing += order < 0 ? 1 : 0;
      extra += order > 0 ? 1 : 0;
      due = order <= 0 ? left.next() : due;
      there = order >= 0 ? right.next() : there;
    }
    return new IndexCheck(index.definition().name(), index.entries().size(), missing, extra);
  }
}
