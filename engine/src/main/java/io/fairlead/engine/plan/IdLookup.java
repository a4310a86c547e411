// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.RawBytes;
import java.util.Arrays;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Filters that say nothing but which {@code _id}: one entry of its index leads to the document, and
 * nothing is compiled or planned. MongoDB 8.0 calls it an express plan; {@link Planner} gives the
 * same one to who wants to see it.
 */
public final class IdLookup {
  // with the zero that ends a name
  private static final byte[] ID = {'_', 'i', 'd', 0};
  private static final byte[] EQUAL = {'$', 'e', 'q', 0};

  private IdLookup() {}

  /** Whether documents are found by the first index, the one on {@code _id}. */
  static boolean isServedBy(CollectionState collection) {
    return collection.options().recordKeyField() == null
        && !collection.indexes().isEmpty()
        && collection.indexes().getFirst().definition().isId();
  }

  /** The key of the one {@code _id} that a filter lets through; null for any other filter. */
  public static byte @Nullable [] key(
      CollectionState collection, BsonDocument filter, BsonOrder order) {
    if (order.strings() != null
        || collection.rules().collation() != null
        || !isServedBy(collection)) {
      return null;
    }
    return filter instanceof RawBsonDocument raw
        ? key(RawBytes.bytes(raw), RawBytes.offset(raw))
        : key(filter);
  }

  private static byte @Nullable [] key(BsonDocument filter) {
    BsonValue id = filter.size() == 1 ? filter.get("_id") : null;
    if (id instanceof BsonDocument document
        && !document.isEmpty()
        && document.getFirstKey().startsWith("$")) {
      id = document.size() == 1 ? document.get("$eq") : null;
    }
    return id == null || !isOne(id.getBsonType().getValue() & 0xFF)
        ? null
        : new KeyWriter().value(id).toBytes();
  }

  private static byte @Nullable [] key(byte[] filter, int offset) {
    int element = only(filter, offset, ID);
    if (element < 0) {
      return null;
    }
    int value = element + 1 + ID.length;
    if (BsonBytes.type(filter, element) == BsonBytes.DOCUMENT && begins(filter, value, '$')) {
      element = only(filter, value, EQUAL);
      if (element < 0) {
        return null;
      }
      value = element + 1 + EQUAL.length;
    }
    int type = BsonBytes.type(filter, element);
    return isOne(type) ? new KeyWriter().value(type, filter, value).toBytes() : null;
  }

  /** The element of a document that has no other, where it has that name; else -1. */
  private static int only(byte[] bytes, int document, byte[] name) {
    int element = BsonBytes.firstElement(document);
    int value = element + 1 + name.length;
    return bytes[element] != 0
            && value <= bytes.length
            && Arrays.equals(bytes, element + 1, value, name, 0, name.length)
            && bytes[BsonBytes.after(bytes, BsonBytes.type(bytes, element), value)] == 0
        ? element
        : -1;
  }

  /** Whether the first field's name begins with that character. */
  private static boolean begins(byte[] bytes, int document, char first) {
    int element = BsonBytes.firstElement(document);
    return bytes[element] != 0 && bytes[element + 1] == first;
  }

  /**
   * Whether equality with a value of that type means one value: null means missing ones, too, an
   * array its elements, a regular expression what it matches.
   */
  static boolean isOne(int type) {
    return switch (type) {
      case BsonBytes.ARRAY, BsonBytes.NULL, BsonBytes.UNDEFINED, BsonBytes.REGULAR_EXPRESSION ->
          false;
      default -> true;
    };
  }

  /** The entry of the index on {@code _id} that has that key, or null; the index has been used. */
  public static byte @Nullable [] entry(CollectionState collection, byte[] key) {
    IndexState index = collection.indexes().getFirst();
    index.use().count();
    return CollectionState.entryOf(index.entries(), key);
  }
}
