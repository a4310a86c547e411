// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;

/**
 * The keys of an index with a special field: every combination of what its fields make of the
 * document. A document without anything for the special fields has no keys.
 */
final class ProductKeys implements IndexKeys {
  private static final int KEYS_MAX = 400_000;

  private final List<KeyPart> parts;
  private long multikey;

  ProductKeys(List<KeyPart> parts) {
    this.parts = List.copyOf(parts);
  }

  @Override
  public List<byte[]> keys(byte[] document) {
    List<KeyPart.Piece> pieces = product(document);
    if (pieces.size() == 1) {
      return List.of(pieces.getFirst().bytes());
    }
    List<byte[]> keys = new ArrayList<>(pieces.size());
    pieces.forEach(piece -> keys.add(piece.bytes()));
    keys.sort(Arrays::compareUnsigned);
    List<byte[]> different = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      if (different.isEmpty() || !Arrays.equals(different.getLast(), key)) {
        different.add(key);
      }
    }
    return different;
  }

  @Override
  public long multikey() {
    return multikey;
  }

  @Override
  public BsonDocument values(byte[] document, byte[] key) {
    for (KeyPart.Piece piece : product(document)) {
      if (Arrays.equals(piece.bytes(), key)) {
        return piece.values();
      }
    }
    return new BsonDocument();
  }

  private List<KeyPart.Piece> product(byte[] document) {
    multikey = 0;
    boolean present = false;
    List<List<KeyPart.Piece>> all = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      KeyPart part = parts.get(i);
      List<KeyPart.Piece> pieces = part.pieces(document);
      present |= part.isSpecial() && !pieces.isEmpty();
      if (part.isMultikey()) {
        multikey |= 1L << i;
      }
      all.add(pieces);
    }
    if (!present) {
      multikey = 0;
      return List.of();
    }
    List<KeyPart.Piece> keys = List.of(new KeyPart.Piece(new byte[0], new BsonDocument()));
    for (int i = 0; i < parts.size(); i++) {
      List<KeyPart.Piece> pieces =
          all.get(i).isEmpty() ? List.of(parts.get(i).absent()) : all.get(i);
      if ((long) keys.size() * pieces.size() > KEYS_MAX) {
        throw new EngineException(
            ErrorCodes.CANNOT_BUILD_INDEX_KEYS, "a document has too many keys in an index");
      }
      keys = combined(keys, pieces);
    }
    return keys;
  }

  private static List<KeyPart.Piece> combined(
      List<KeyPart.Piece> before, List<KeyPart.Piece> behind) {
    List<KeyPart.Piece> keys = new ArrayList<>(before.size() * behind.size());
    for (KeyPart.Piece a : before) {
      for (KeyPart.Piece b : behind) {
        byte[] bytes = Arrays.copyOf(a.bytes(), a.bytes().length + b.bytes().length);
        System.arraycopy(b.bytes(), 0, bytes, a.bytes().length, b.bytes().length);
        BsonDocument values = a.values().clone();
        values.putAll(b.values());
        keys.add(new KeyPart.Piece(bytes, values));
      }
    }
    return keys;
  }
}
