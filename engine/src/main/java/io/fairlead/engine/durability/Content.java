// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.storage.Tree;

/**
 * Everything that is stored at one version. Immutable.
 *
 * @param version grows with every commit
 * @param collections by name
 */
public record Content(long version, Tree<CollectionState> collections) {
  /** Nothing yet. */
  public static final Content EMPTY = new Content(0, Tree.empty());
}
