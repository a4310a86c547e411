// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.storage.Tree;
import io.fairlead.engine.storage.TreeDifference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Writes what makes one content of another, as operations:
 *
 * <pre>
 *   1 define  uuid · {ns, options, recordKeyField?, indexes}     a collection is, or is changed
 *   2 drop    uuid
 *   3 in      uuid                                               what follows is in that collection
 *   4 put     length · record id · document
 *   5 remove  length · record id
 * </pre>
 *
 * A collection is known by its UUID, so that a new name moves no document.
 */
@SuppressWarnings("ReferenceEquality") // what nobody has touched is the same object
final class StateWriter {
  static final int DEFINE = 1;
  static final int DROP = 2;
  static final int IN = 3;
  static final int PUT = 4;
  static final int REMOVE = 5;

  private final FrameWriter out;

  StateWriter(FrameWriter out) {
    this.out = out;
  }

  /** Writes the difference; the group is not ended. */
  void difference(Tree<CollectionState> before, Tree<CollectionState> after) throws IOException {
    Map<UUID, CollectionState> gone = new LinkedHashMap<>();
    List<CollectionState> came = new ArrayList<>();
    TreeDifference.between(
        before,
        after,
        (name, was, is) -> {
          if (was != null) {
            gone.put(was.uuid(), was);
          }
          if (is != null) {
            came.add(is);
          }
        });
    try {
      for (CollectionState state : came) {
        collection(gone.remove(state.uuid()), state);
      }
      for (UUID uuid : gone.keySet()) {
        out.one(DROP);
        uuid(uuid);
        out.operation();
      }
    } catch (UncheckedIOException failure) {
      throw failure.getCause();
    }
  }

  private void collection(@Nullable CollectionState was, CollectionState is) throws IOException {
    if (was == null || !sameDefinition(was, is)) {
      out.one(DEFINE);
      uuid(is.uuid());
      out.all(BsonBytes.of(definition(is)));
      out.operation();
    }
    Tree<byte[]> records = was == null ? Tree.empty() : was.records();
    if (records == is.records()) {
      return;
    }
    boolean[] named = {false};
    TreeDifference.between(
        records,
        is.records(),
        (record, old, document) -> {
          try {
            if (!named[0]) {
              named[0] = true;
              in(is.uuid());
            }
            record(record, document);
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        });
  }

  private void in(UUID uuid) {
    out.one(IN);
    uuid(uuid);
  }

  private void record(byte[] record, byte @Nullable [] document) throws IOException {
    out.one(document == null ? REMOVE : PUT);
    out.four(record.length);
    out.all(record);
    if (document != null) {
      out.all(document);
    }
    out.operation();
  }

  private void uuid(UUID uuid) {
    out.eight(uuid.getMostSignificantBits());
    out.eight(uuid.getLeastSignificantBits());
  }

  private static boolean sameDefinition(CollectionState was, CollectionState is) {
    if (was == is) {
      return true;
    }
    if (!was.namespace().equals(is.namespace())
        || was.options() != is.options()
        || was.indexes().size() != is.indexes().size()) {
      return false;
    }
    for (int i = 0; i < is.indexes().size(); i++) {
      if (was.indexes().get(i).definition() != is.indexes().get(i).definition()) {
        return false;
      }
    }
    return true;
  }

  private static BsonDocument definition(CollectionState state) {
    BsonArray indexes = new BsonArray();
    for (IndexState index : state.indexes()) {
      indexes.add(index.definition().declared());
    }
    BsonDocument definition =
        new BsonDocument("ns", new BsonString(state.namespace().toString()))
            .append("options", state.options().declared())
            .append("indexes", indexes);
    String field = state.options().recordKeyField();
    if (field != null) {
      definition.append("recordKeyField", new BsonString(field));
    }
    return definition;
  }
}
