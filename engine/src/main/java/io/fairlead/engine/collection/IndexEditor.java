// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.index.IndexKeys;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.storage.Tree;
import io.fairlead.engine.storage.TreeEditor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An index while it is edited. */
final class IndexEditor {
  final IndexDefinition definition;
  private @Nullable IndexKeys reader;
  final TreeEditor<Void> entries;
  private IndexState shown;
  long multikey;
  long keyBytes;

  // Of the record under way.
  List<byte[]> adding = List.of();
  List<byte[]> removing = List.of();
  long newMultikey;

  IndexEditor(IndexState state) {
    definition = state.definition();
    entries = state.entries().edit();
    multikey = state.multikey();
    keyBytes = state.keyBytes();
    shown = state;
  }

  List<byte[]> keys(byte[] document) {
    newMultikey = 0;
    Matcher filter = definition.filter();
    if (filter != null && !filter.matches(document, 0)) {
      return List.of();
    }
    IndexKeys keyReader = reader();
    List<byte[]> keys = keyReader.keys(document);
    newMultikey = keyReader.multikey();
    return keys;
  }

  /** Made only when a key is read: many changes touch no key of an index. */
  IndexKeys reader() {
    IndexKeys made = reader;
    if (made == null) {
      made = definition.reader();
      reader = made;
    }
    return made;
  }

  /** The record under way has the keys that it had. */
  void keep() {
    adding = List.of();
    removing = List.of();
  }

  /** The record under way has nothing to do with this index. */
  void passOver() {
    keep();
    newMultikey = 0;
  }

  @SuppressWarnings("ReferenceEquality") // an untouched tree is the same tree
  IndexState state() {
    Tree<Void> tree = entries.tree();
    if (shown.entries() != tree || shown.multikey() != multikey) {
      shown = new IndexState(definition, tree, multikey, keyBytes, shown.use());
    }
    return shown;
  }
}
