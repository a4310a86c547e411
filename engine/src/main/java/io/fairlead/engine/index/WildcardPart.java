// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.value.StringOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The wildcard field: every path that the index covers, with the value there. Arrays are walked
 * through without their positions in the path, an array in an array is a value, and so is an empty
 * document; other documents are not, only what is in them. A field with a dot in its name is left
 * out: no path leads to it. A document of which nothing is left counts as an empty one, so that
 * every path that the index covers and a document has is there, or one below it is.
 */
final class WildcardPart implements KeyPart {
  private final WildcardPaths paths;
  private final KeyWriter values;
  private boolean multikey;

  /**
   * @param strings the collation of the values, not of their paths; or null
   */
  WildcardPart(WildcardPaths paths, @Nullable StringOrder strings) {
    this.paths = paths;
    this.values = new KeyWriter(strings);
  }

  @Override
  public List<Piece> pieces(byte[] document) {
    List<Piece> pieces = new ArrayList<>();
    multikey = false;
    document(document, 0, "", pieces);
    return pieces;
  }

  private void document(byte[] bytes, int offset, String prefix, List<Piece> into) {
    int element = BsonBytes.firstElement(offset);
    while (bytes[element] != 0) {
      int type = BsonBytes.type(bytes, element);
      int value = BsonBytes.value(bytes, element);
      String name = BsonBytes.name(bytes, element);
      String path = prefix + name;
      if (name.indexOf('.') < 0 && paths.leadsTo(path)) {
        value(bytes, type, value, path, into);
      }
      element = BsonBytes.after(bytes, type, value);
    }
  }

  private void value(byte[] bytes, int type, int value, String path, List<Piece> into) {
    if (type == BsonBytes.DOCUMENT) {
      inner(bytes, value, path, into);
    } else if (type == BsonBytes.ARRAY) {
      multikey = true;
      if (bytes[BsonBytes.firstElement(value)] == 0) {
        add(path, new BsonUndefined(), into);
        return;
      }
      int element = BsonBytes.firstElement(value);
      while (bytes[element] != 0) {
        int inner = BsonBytes.type(bytes, element);
        int at = BsonBytes.value(bytes, element);
        if (inner == BsonBytes.DOCUMENT) {
          inner(bytes, at, path, into);
        } else {
          add(path, BsonBytes.decodeValue(inner, bytes, at), into);
        }
        element = BsonBytes.after(bytes, inner, at);
      }
    } else {
      add(path, BsonBytes.decodeValue(type, bytes, value), into);
    }
  }

  private void inner(byte[] bytes, int offset, String path, List<Piece> into) {
    int before = into.size();
    document(bytes, offset, path + ".", into);
    if (into.size() == before) {
      add(path, new BsonDocument(), into);
    }
  }

  private void add(String path, BsonValue value, List<Piece> into) {
    if (paths.covers(path)) {
      byte[] key = new KeyWriter().value(new BsonString(path)).toBytes();
      byte[] end = values.clear().value(value).toBytes();
      byte[] whole = Arrays.copyOf(key, key.length + end.length);
      System.arraycopy(end, 0, whole, key.length, end.length);
      into.add(
          new Piece(whole, new BsonDocument("$_path", new BsonString(path)).append(path, value)));
    }
  }

  @Override
  public boolean isMultikey() {
    return multikey;
  }

  @Override
  public boolean isSpecial() {
    return true;
  }

  @Override
  public Piece absent() {
    throw new IllegalStateException("without its wildcard field a document is not in the index");
  }
}
