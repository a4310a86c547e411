// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.collection.CollectionEditor;
import io.fairlead.engine.collection.CollectionRules;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.WriteGuard;
import io.fairlead.engine.key.BsonBytes;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * {@code system.views} of a database: the definitions of its views as documents. It is made from
 * the views when it is read; create, collMod and drop are the ways to change it.
 */
final class SystemViews {
  static final String NAME = "system.views";

  private SystemViews() {}

  static boolean is(Namespace namespace) {
    return namespace.collection().equals(NAME);
  }

  /** As a collection, or null when the database has no views. */
  static @Nullable CollectionState of(Root root, Namespace namespace) {
    UUID uuid = UUID.nameUUIDFromBytes(namespace.toString().getBytes(StandardCharsets.UTF_8));
    CollectionEditor editor =
        new CollectionEditor(
            CollectionState.create(namespace, uuid, CollectionOptions.none()), WriteGuard.FREE);
    for (CollectionState state : root.collectionsOf(namespace.database())) {
      CollectionRules.View view = state.rules().view();
      if (view != null) {
        BsonDocument definition =
            new BsonDocument("_id", new BsonString(state.namespace().toString()))
                .append("viewOn", new BsonString(view.on()))
                .append("pipeline", new BsonArray(view.pipeline()));
        if (state.options().declared().containsKey("collation")) {
          definition.append("collation", state.options().declared().get("collation"));
        }
        editor.insert(BsonBytes.of(definition));
      }
    }
    return editor.size() == 0 ? null : editor.state();
  }
}
