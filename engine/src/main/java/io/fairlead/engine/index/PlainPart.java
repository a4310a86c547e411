// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import io.fairlead.engine.value.StringOrder;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** An ordered field of a special index. */
final class PlainPart implements KeyPart {
  private final KeyReader reader;

  PlainPart(KeyPattern.Field field, @Nullable StringOrder strings) {
    this.reader = new KeyReader(new KeyPattern(List.of(field)), false, strings);
  }

  @Override
  public List<Piece> pieces(byte[] document) {
    List<Piece> pieces = new ArrayList<>(1);
    for (byte[] key : List.copyOf(reader.keys(document))) {
      pieces.add(new Piece(key, reader.values(document, key)));
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
