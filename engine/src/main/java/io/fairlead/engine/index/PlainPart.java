// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.StringOrder;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** An ordered field of a special index. */
final class PlainPart implements KeyPart {
  private final KeyReader reader;
  private final String path;
  private final boolean scalar;

  /**
   * A part.
   *
   * @param strings how strings are ordered; null for by their bytes
   * @param scalar whether an array on the way to the field or as its value is refused, as beside
   *     texts
   */
  PlainPart(KeyPattern.Field field, @Nullable StringOrder strings, boolean scalar) {
    this.reader = new KeyReader(new KeyPattern(List.of(field)), false, strings);
    this.path = field.path();
    this.scalar = scalar;
  }

  @Override
  public List<Piece> pieces(byte[] document) {
    List<Piece> pieces = new ArrayList<>(1);
    for (byte[] key : List.copyOf(reader.keys(document))) {
      pieces.add(new Piece(key, reader.values(document, key)));
    }
    if (scalar && isMultikey()) {
      throw new EngineException(
          ErrorCodes.CANNOT_BUILD_INDEX_KEYS,
          "Field '" + path + "' of text index contains an array in document");
    }
    return pieces;
  }

  @Override
  public boolean isMultikey() {
    return (reader.multikey() & 0xFFFF_FFFFL) != 0;
  }

  @Override
  public boolean isSpecial() {
    return false;
  }

  @Override
  public Piece absent() {
    return new Piece(KeyBytes.absent(), new BsonDocument());
  }
}
