// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.ValueHash;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/** A hashed field: the hash of its one value, a missing one being null. Arrays are refused. */
final class HashedPart implements KeyPart {
  private final FieldPath path;

  HashedPart(String path) {
    this.path = FieldPath.of(path);
  }

  @Override
  public List<Piece> pieces(byte[] document) {
    Slice value = new Slice();
    boolean metArray = path.follow(document, 0, value);
    if (metArray || value.isArray()) {
      throw new EngineException(
          16766,
          "hashed indexes do not currently support array values. Found array at path: "
              + path.dotted());
    }
    long hash = ValueHash.of(value.value());
    return List.of(
        new Piece(KeyBytes.number(hash), new BsonDocument(path.dotted(), new BsonInt64(hash))));
  }

  @Override
  public boolean isMultikey() {
    return false;
  }

  @Override
  public boolean isSpecial() {
    return true;
  }

  @Override
  public Piece absent() {
    throw new IllegalStateException("a missing value is hashed, too");
  }
}
