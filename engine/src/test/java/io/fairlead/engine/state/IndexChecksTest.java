// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.catalog.IndexCheck;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexChecks;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.storage.Tree;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndexChecksTest {
  private final Store store = new Store();

  private CollectionState state() {
    return ((StoreSnapshot) store.engine.snapshot()).root().collectionsOf(null).getFirst();
  }

  @Test
  void indexes_that_are_kept_by_writes_are_found_right() {
    store.index("{a: 1, tags: 1}");
    store.insert("{_id: 1, a: 1, tags: ['x', 'y']}", "{_id: 2}", "{_id: 3, a: 3}");
    store.updateOne("{_id: 1}", "{$push: {tags: 'z'}}");
    assertThat(store.engine.snapshot().checkIndexes(Store.NS, OperationContext.at(Instant.EPOCH)))
        .containsExactly(new IndexCheck("_id_", 3, 0, 0), new IndexCheck("a_1_tags_1", 5, 0, 0))
        .allMatch(IndexCheck::valid);
  }

  @Test
  void missing_and_extra_entries_are_counted() {
    store.insert("{_id: 1}", "{_id: 2}", "{_id: 3}");
    CollectionState full = state();
    IndexState index = full.indexes().getFirst();
    assertThat(IndexChecks.of(full, IndexState.empty(index.definition())))
        .isEqualTo(new IndexCheck("_id_", 0, 3, 0));
    CollectionState emptied =
        new CollectionState(
            full.namespace(),
            full.uuid(),
            full.options(),
            full.rules(),
            Tree.empty(),
            List.of(index),
            0,
            full.recordNumbers());
    assertThat(IndexChecks.of(emptied, index)).isEqualTo(new IndexCheck("_id_", 3, 0, 3));
  }
}
