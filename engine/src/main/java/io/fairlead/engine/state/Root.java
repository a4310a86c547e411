// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.storage.Tree;
import io.fairlead.engine.storage.TreeCursor;
import io.fairlead.engine.storage.TreeEditor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is stored, as one value.
 *
 * @param version grows with every commit
 * @param collections by database and collection name
 */
record Root(long version, Tree<CollectionState> collections) {
  static final Root EMPTY = new Root(0, Tree.empty());

  @Nullable CollectionState collection(Namespace namespace) {
    return collections.get(key(namespace));
  }

  /** The collections of a database by name; of all databases when it is null. */
  List<CollectionState> collectionsOf(@Nullable String database) {
    List<CollectionState> found = new ArrayList<>();
    TreeCursor<CollectionState> cursor = collections.cursor();
    boolean more =
        database == null
            ? cursor.first()
            : cursor.seek((database + '\0').getBytes(StandardCharsets.UTF_8));
    while (more) {
      CollectionState state = cursor.value();
      if (database != null && !state.namespace().database().equals(database)) {
        break;
      }
      found.add(state);
      more = cursor.next();
    }
    return found;
  }

  /** This value with some collections replaced, or taken out where there is none. */
  Root with(Map<Namespace, Optional<CollectionState>> replaced, long newVersion) {
    TreeEditor<CollectionState> editor = collections.edit();
    replaced.forEach(
        (namespace, state) -> {
          if (state.isPresent()) {
            editor.put(key(namespace), state.get());
          } else {
            editor.remove(key(namespace));
          }
        });
    return new Root(newVersion, editor.tree());
  }

  /** This value, but what {@code kept} holds for is as in {@code now}, which it comes after. */
  Root keeping(Predicate<Namespace> kept, Root now) {
    Map<Namespace, Optional<CollectionState>> asNow = new HashMap<>();
    collectionsOf(null).forEach(state -> asNow.put(state.namespace(), Optional.empty()));
    now.collectionsOf(null).forEach(state -> asNow.put(state.namespace(), Optional.of(state)));
    asNow.keySet().removeIf(kept.negate());
    return with(asNow, now.version + 1);
  }

  private static byte[] key(Namespace namespace) {
    return namespace.key();
  }
}
