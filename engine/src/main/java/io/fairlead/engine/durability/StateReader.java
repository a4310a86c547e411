// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.collection.CollectionEditor;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.index.IndexRules;
import io.fairlead.engine.key.RecordIds;
import io.fairlead.engine.storage.Tree;
import io.fairlead.engine.storage.TreeCursor;
import io.fairlead.engine.storage.TreeEditor;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Does again what a {@link StateWriter} wrote, and builds the indexes at the end. Used by one
 * thread.
 */
final class StateReader {
  private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

  private final Map<UUID, Loading> loading = new LinkedHashMap<>();
  private @Nullable Loading current;

  private static final class Loading {
    BsonDocument definition;
    final TreeEditor<byte[]> records = Tree.<byte[]>empty().edit();
    long documentBytes;

    Loading(BsonDocument definition) {
      this.definition = definition;
    }

    void put(byte[] record, byte[] document) {
      byte[] before = records.put(record, document);
      documentBytes += document.length - (before == null ? 0 : before.length);
    }

    void remove(byte[] record) {
      byte[] before = records.remove(record);
      documentBytes -= before == null ? 0 : before.length;
    }
  }

  /**
   * Does the operations of one frame.
   *
   * @throws DataDirectoryException when they make no sense; their CRC was right, so this is a
   *     mistake of whoever wrote them
   */
  void apply(byte[] content) {
    ByteBuffer in = ByteBuffer.wrap(content);
    while (in.hasRemaining()) {
      int operation = in.get();
      switch (operation) {
        case StateWriter.DEFINE -> define(uuid(in), document(in));
        case StateWriter.DROP -> loading.remove(uuid(in));
        case StateWriter.IN -> current = loading.get(uuid(in));
        case StateWriter.PUT -> {
          byte[] record = record(in);
          current().put(record, document(in));
        }
        case StateWriter.REMOVE -> current().remove(record(in));
        default -> throw new DataDirectoryException("unknown operation " + operation);
      }
    }
  }

  private void define(UUID uuid, byte[] document) {
    BsonDocument definition = new RawBsonDocument(document).decode(DOCUMENTS);
    Loading known = loading.get(uuid);
    if (known == null) {
      loading.put(uuid, new Loading(definition));
    } else {
      known.definition = definition;
    }
  }

  private Loading current() {
    Loading known = current;
    if (known == null) {
      throw new DataDirectoryException("a document of a collection that was not defined");
    }
    return known;
  }

  private static UUID uuid(ByteBuffer in) {
    return new UUID(in.getLong(), in.getLong());
  }

  private static byte[] record(ByteBuffer in) {
    return bytes(in, in.getInt());
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static byte[] document(ByteBuffer in) {
    if (in.remaining() < Integer.BYTES) {
      throw new BufferUnderflowException();
    }
    int length = in.order(ByteOrder.LITTLE_ENDIAN).getInt(in.position());
    in.order(ByteOrder.BIG_ENDIAN);
    return bytes(in, length);
  }

  /** The content that all operations together made. */
  Tree<CollectionState> collections() {
    TreeEditor<CollectionState> collections = Tree.<CollectionState>empty().edit();
    loading.forEach(
        (uuid, each) -> {
          CollectionState state = state(uuid, each);
          collections.put(state.namespace().key(), state);
        });
    return collections.tree();
  }

  private static CollectionState state(UUID uuid, Loading loaded) {
    BsonDocument definition = loaded.definition;
    Namespace namespace = Namespace.parse(definition.getString("ns").getValue());
    CollectionOptions options =
        CollectionOptions.of(definition.getDocument("options")).withUuid(uuid);
    if (definition.containsKey("recordKeyField")) {
      options = options.withRecordKeyField(definition.getString("recordKeyField").getValue());
    }
    CollectionState empty = CollectionState.create(namespace, uuid, options);
    Tree<byte[]> records = loaded.records.tree();
    if (options.recordKeyField() == null) {
      empty.recordNumbers().set(lastNumber(records));
    }
    CollectionState state =
        new CollectionState(
            namespace,
            uuid,
            options,
            empty.rules(),
            records,
            empty.indexes(),
            loaded.documentBytes,
            empty.recordNumbers());
    return state.withIndexes(indexes(state, definition));
  }

  private static long lastNumber(Tree<byte[]> records) {
    TreeCursor<byte[]> cursor = records.cursor();
    if (!cursor.last()) {
      return 0;
    }
    byte[] last = cursor.key();
    return RecordIds.number(last, 0, last.length);
  }

  private static List<IndexState> indexes(CollectionState state, BsonDocument definition) {
    List<IndexState> indexes = new ArrayList<>();
    for (BsonValue declared : definition.getArray("indexes")) {
      indexes.add(CollectionEditor.build(state, IndexRules.restored(declared.asDocument())));
    }
    return indexes;
  }
}
