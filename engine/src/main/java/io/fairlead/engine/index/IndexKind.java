// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What an index does with the values of its fields. */
public enum IndexKind {
  /** Keeps them in order. */
  ORDERED(""),
  /** Keeps the hash of one of them. */
  HASHED("hashed"),
  /** Keeps every path below one, with its values. */
  WILDCARD(""),
  /** Keeps the words of texts. */
  TEXT("text"),
  /** Keeps cells of the sphere. */
  GEO_SPHERE("2dsphere"),
  /** Keeps cells of a plane. */
  GEO_PLANE("2d");

  private final String plugin;

  IndexKind(String plugin) {
    this.plugin = plugin;
  }

  /** Its name in a key pattern; empty when it has none. */
  public String plugin() {
    return plugin;
  }

  /** The kind of an index with that key. */
  public static IndexKind of(BsonDocument key) {
    IndexKind kind = ORDERED;
    for (var field : key.entrySet()) {
      IndexKind named = named(field.getValue());
      if (named != null) {
        return named;
      }
      if (isWildcard(field.getKey())) {
        kind = WILDCARD;
      }
    }
    return kind;
  }

  /**
   * The kind that a field of a key pattern names with a string; null for a number or an unknown
   * one.
   */
  static @Nullable IndexKind named(@Nullable BsonValue value) {
    if (value instanceof BsonString name) {
      for (IndexKind kind : values()) {
        if (!kind.plugin.isEmpty() && kind.plugin.equals(name.getValue())) {
          return kind;
        }
      }
    }
    return null;
  }

  static boolean isWildcard(String path) {
    return path.equals("$**") || path.endsWith(".$**");
  }
}
