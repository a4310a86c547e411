// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.RawBytes;
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
    if (id == null || !isOne(id.getBsonType().getValue() & 0xFF)) {
      return null;
    }
    boolean operators =
        id instanceof BsonDocument document
            && !document.isEmpty()
            && document.getFirstKey().startsWith("$");
    return operators ? null : new KeyWriter().value(id).toBytes();
  }

  private static byte @Nullable [] key(byte[] filter, int offset) {
    int element = BsonBytes.firstElement(offset);
    if (filter[element] == 0
        || filter[element + 1] != '_'
        || filter[element + 2] != 'i'
        || filter[element + 3] != 'd'
        || filter[element + 4] != 0) {
      return null;
    }
    int type = BsonBytes.type(filter, element);
    int value = element + 5;
    if (!isOne(type) || filter[BsonBytes.after(filter, type, value)] != 0) {
      return null;
    }
    if (type == BsonBytes.DOCUMENT) {
      int first = BsonBytes.firstElement(value);
      if (filter[first] != 0 && filter[first + 1] == '$') {
        return null;
      }
    }
    return new KeyWriter().value(type, filter, value).toBytes();
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
