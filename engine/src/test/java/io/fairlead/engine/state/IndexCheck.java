// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.collection.CollectionEditor;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.storage.Tree;
import io.fairlead.engine.storage.TreeCursor;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Compares indexes with ones built anew from the documents. */
final class IndexCheck {
  private IndexCheck() {}

  static void check(CollectionState state) {
    long bytes = 0;
    TreeCursor<byte[]> cursor = state.records().cursor();
    for (boolean more = cursor.first(); more; more = cursor.next()) {
      bytes += cursor.value().length;
    }
    assertThat(state.documentBytes()).as("bytes of %s", state.namespace()).isEqualTo(bytes);
    for (IndexState index : state.indexes()) {
      IndexState fresh = CollectionEditor.build(state, index.definition());
      assertThat(keys(index.entries()))
          .as("index %s of %s", index.definition().name(), state.namespace())
          .isEqualTo(keys(fresh.entries()));
      assertThat(index.keyBytes()).isEqualTo(fresh.keyBytes());
      assertThat(index.multikey() | fresh.multikey()).isEqualTo(index.multikey());
    }
  }

  private static List<String> keys(Tree<Void> entries) {
    List<String> keys = new ArrayList<>(entries.size());
    TreeCursor<Void> cursor = entries.cursor();
    for (boolean more = cursor.first(); more; more = cursor.next()) {
      keys.add(HexFormat.of().formatHex(cursor.key()));
    }
    return keys;
  }
}
