// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.value.SortTexts;
import io.fairlead.engine.value.Values;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The error 11000, with the key as it is in the index. Under a collation an index holds sort keys
 * in the place of strings, so these are what the error shows: in hexadecimal digits, with {@code
 * hexEncoded} telling which fields of {@code keyValue} are, and with the collation.
 */
final class DuplicateKey {
  private DuplicateKey() {}

  /** A second document would have {@code key}. */
  static EngineException in(
      CollectionState collection, IndexDefinition index, byte[] key, byte[] document) {
    return error(
        collection,
        " index: " + index.name(),
        index.key(),
        index.reader().values(document, key),
        index.strings());
  }

  /** The records of the collection are kept by a field, and there is one with its value. */
  static EngineException ofRecord(CollectionState collection, byte[] document) {
    String field = Objects.requireNonNull(collection.options().recordKeyField());
    int element = BsonBytes.find(document, 0, field.getBytes(StandardCharsets.UTF_8));
    // There is no index that could be named.
    return error(
        collection,
        "",
        new BsonDocument(field, new BsonInt32(1)),
        new BsonDocument(field, BsonBytes.decode(document, element)),
        collection.rules().collation());
  }

  private static EngineException error(
      CollectionState collection,
      String index,
      BsonDocument pattern,
      BsonDocument values,
      @Nullable Collation collation) {
    BsonDocument shown = new BsonDocument();
    BsonDocument value = new BsonDocument();
    BsonArray hexEncoded = new BsonArray();
    for (Map.Entry<String, BsonValue> field : values.entrySet()) {
      if (collation != null && field.getValue() instanceof BsonString text) {
        String hex = hex(collation.sortText(text.getValue()));
        shown.append(field.getKey(), new BsonString("0x" + hex));
        value.append(field.getKey(), new BsonString(hex));
        hexEncoded.add(BsonBoolean.TRUE);
      } else {
        BsonValue key =
            collation == null ? field.getValue() : SortTexts.of(field.getValue(), collation);
        shown.append(field.getKey(), key);
        value.append(field.getKey(), key);
        hexEncoded.add(BsonBoolean.FALSE);
      }
    }
    BsonDocument details = new BsonDocument("keyPattern", pattern).append("keyValue", value);
    if (hexEncoded.contains(BsonBoolean.TRUE)) {
      details.append("hexEncoded", hexEncoded);
    }
    if (collation != null) {
      details.append("collation", collation.spec());
    }
    return new EngineException(
        ErrorCodes.DUPLICATE_KEY,
        "E11000 duplicate key error collection: "
            + collection.namespace()
            + index
            + (collation == null ? "" : " collation: " + Values.showDocument(collation.spec()))
            + " dup key: "
            + Values.showDocument(shown),
        details);
  }

  private static String hex(String sortText) {
    return HexFormat.of().formatHex(sortText.getBytes(StandardCharsets.ISO_8859_1));
  }
}
