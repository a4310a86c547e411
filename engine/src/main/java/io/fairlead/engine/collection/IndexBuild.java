// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.storage.TreeDifference;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * An index under way: built over one state of a collection, and brought up to later ones by what
 * changed in between. The long part needs no turn on the collection; only the last, short step
 * does. Used by one thread at a time.
 */
public final class IndexBuild {
  private CollectionState base;
  private IndexState built;

  /**
   * Builds over the documents of a state.
   *
   * @throws io.fairlead.engine.error.EngineException 11000, 171 …
   */
  public IndexBuild(CollectionState base, IndexDefinition definition) {
    this.base = base;
    this.built = CollectionEditor.build(base, definition);
  }

  public UUID collection() {
    return base.uuid();
  }

  public IndexDefinition definition() {
    return built.definition();
  }

  /**
   * Takes in what was written up to a later state of the same collection.
   *
   * @return how many records had changed
   * @throws io.fairlead.engine.error.EngineException 11000, 171 … and then the build is of no use
   */
  public int catchUp(CollectionState now) {
    List<CollectionEditor.Changed> changes = new ArrayList<>();
    TreeDifference.between(
        base.records(),
        now.records(),
        (record, before, after) ->
            changes.add(new CollectionEditor.Changed(record, before, after)));
    if (!changes.isEmpty()) {
      built = CollectionEditor.caughtUp(now, built, changes);
    }
    base = now;
    return changes.size();
  }

  /** The index as of the state that was caught up with last. */
  public IndexState state() {
    return built;
  }
}
