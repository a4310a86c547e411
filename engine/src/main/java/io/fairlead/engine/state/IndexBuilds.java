// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexBuild;
import io.fairlead.engine.index.IndexConflicts;
import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.index.IndexRules;
import io.fairlead.engine.index.IndexSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Indexes that are built beside the writers of their collection. A build is prepared on snapshots,
 * round by round, until little is left; the write that creates the index then takes what is
 * prepared, and has only the last few records to look at while others wait for their turn.
 */
final class IndexBuilds {
  /** A round that found no more changed records than this was the last. */
  private static final int FEW = 256;

  /** Writers faster than the build end it after so many rounds; the last then takes longer. */
  private static final int ROUNDS_MAX = 20;

  private final List<IndexBuild> prepared = new CopyOnWriteArrayList<>();

  /**
   * Prepares what a createIndexes will create, as far as the collection has documents.
   *
   * @return to be called when the indexes were created, or were not
   * @throws io.fairlead.engine.error.EngineException what creating them would throw
   */
  Runnable prepare(Namespace namespace, List<IndexSpec> specs, Supplier<Root> newest) {
    CollectionState collection = newest.get().collection(namespace);
    if (collection == null || collection.isView() || collection.records().isEmpty()) {
      return () -> {};
    }
    List<IndexDefinition> known = new ArrayList<>(collection.definitions());
    List<IndexBuild> own = new ArrayList<>();
    for (IndexSpec spec : specs) {
      IndexDefinition wish = IndexRules.parse(spec, collection.rules().collation());
      boolean given = wish.isId() && collection.options().recordKeyField() != null;
      if (!given && !IndexConflicts.exists(wish, known)) {
        own.add(new IndexBuild(collection, wish));
        known.add(wish);
      }
    }
    for (int round = 0; round < ROUNDS_MAX; round++) {
      CollectionState now = newest.get().collection(namespace);
      if (now == null || !now.uuid().equals(collection.uuid())) {
        return () -> {};
      }
      int most = 0;
      for (IndexBuild build : own) {
        most = Math.max(most, build.catchUp(now));
      }
      if (most <= FEW) {
        break;
      }
    }
    prepared.addAll(own);
    return () -> prepared.removeAll(own);
  }

  /** The build that was prepared for an index; null when there is none. */
  @Nullable IndexBuild find(UUID collection, IndexDefinition wish) {
    for (IndexBuild build : prepared) {
      if (build.collection().equals(collection)
          && build.definition().declared().equals(wish.declared())) {
        return build;
      }
    }
    return null;
  }
}
