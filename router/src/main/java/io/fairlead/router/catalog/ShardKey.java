// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.catalog;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonOrder;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The fields by which a collection is divided. A key value is an array with one value per field, in
 * their order; a hashed field's value is its hash. Immutable.
 *
 * @param pattern as it was given: {@code {a: 1, b: "hashed"}}
 * @param fields the dotted paths
 * @param hashed the index of the hashed field; -1 for none
 */
public record ShardKey(BsonDocument pattern, List<String> fields, int hashed) {

  public static final int SHARD_KEY_NOT_FOUND = 61;

  /**
   * Reads a pattern.
   *
   * @throws EngineException 2 when it is none
   */
  public static ShardKey parse(BsonDocument pattern) {
    if (pattern.isEmpty()) {
      throw new EngineException(2, "a shard key has at least one field");
    }
    List<String> fields = new ArrayList<>();
    int hashed = -1;
    for (var part : pattern.entrySet()) {
      String path = part.getKey();
      if (path.isEmpty()
          || path.startsWith("$")
          || path.contains("..")
          || path.endsWith(".")
          || path.startsWith(".")) {
        throw new EngineException(2, "a shard key cannot have the field '" + path + "'");
      }
      boolean isHashed =
          part.getValue().isString() && part.getValue().asString().getValue().equals("hashed");
      boolean isRanged =
          part.getValue().isNumber() && part.getValue().asNumber().doubleValue() == 1;
      if (!isHashed && !isRanged) {
        throw new EngineException(
            2,
            "Shard key "
                + pattern.toJson()
                + " can contain either a single 'hashed' field or numerical fields set to 1");
      }
      if (isHashed && hashed >= 0) {
        throw new EngineException(
            2, "Shard key " + pattern.toJson() + " contains more than one 'hashed' field");
      }
      hashed = isHashed ? fields.size() : hashed;
      fields.add(path);
    }
    return new ShardKey(pattern, List.copyOf(fields), hashed);
  }

  public boolean isHashed(int field) {
    return field == hashed;
  }

  /**
   * The key value of a document; what is missing counts as null.
   *
   * @throws EngineException 61 when a field is an array, or lies within one
   */
  public BsonValue[] of(BsonDocument document) {
    BsonValue[] key = new BsonValue[fields.size()];
    for (int i = 0; i < key.length; i++) {
      key[i] = stored(i, at(document, fields.get(i)));
    }
    return key;
  }

  /**
   * The value of one field as it counts in the key: hashed where the field is, null where it is
   * missing.
   */
  public BsonValue stored(int field, @Nullable BsonValue value) {
    if (field == hashed) {
      return new BsonInt64(io.fairlead.engine.value.ValueHash.of(value));
    }
    return value == null ? BsonNull.VALUE : value;
  }

  private static @Nullable BsonValue at(BsonDocument document, String path) {
    BsonValue value = document;
    for (String part : path.split("\\.", -1)) {
      if (value == null || !value.isDocument()) {
        return null;
      }
      value = value.asDocument().get(part);
      if (value != null && value.isArray()) {
        throw new EngineException(
            SHARD_KEY_NOT_FOUND, "Shard key field '" + path + "' must not be an array");
      }
    }
    return value;
  }

  /**
   * The value of a path within a document that may be missing; null too when it lies within an
   * array.
   */
  static @Nullable BsonValue plainAt(BsonDocument document, String path) {
    BsonValue value = document.get(path);
    if (value != null || path.indexOf('.') < 0) {
      return value;
    }
    return at(document, path);
  }

  BsonValue[] lowest() {
    return all(new BsonMinKey());
  }

  BsonValue[] highest() {
    return all(new BsonMaxKey());
  }

  private BsonValue[] all(BsonValue value) {
    BsonValue[] key = new BsonValue[fields.size()];
    java.util.Arrays.fill(key, value);
    return key;
  }

  /** A key value as a document, as chunks are stored. */
  public BsonDocument document(BsonValue[] key) {
    BsonDocument document = new BsonDocument();
    for (int i = 0; i < key.length; i++) {
      document.append(fields.get(i), key[i]);
    }
    return document;
  }

  /**
   * A bound of a chunk read back.
   *
   * @throws EngineException 2 when it does not have the key's fields
   */
  public BsonValue[] bound(BsonDocument document) {
    BsonValue[] key = new BsonValue[fields.size()];
    for (int i = 0; i < key.length; i++) {
      BsonValue value = document.get(fields.get(i));
      if (value == null) {
        throw new EngineException(
            2,
            "a bound "
                + document.toJson()
                + " does not have the shard key's field "
                + fields.get(i));
      }
      key[i] = value;
    }
    return key;
  }

  static int compare(BsonValue[] one, BsonValue[] other) {
    for (int i = 0; i < one.length; i++) {
      int order = BsonOrder.SIMPLE.compare(one[i], other[i]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
