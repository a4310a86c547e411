// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.SortTexts;
import io.fairlead.engine.value.StringOrder;
import io.fairlead.engine.value.ValueHash;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A hashed field: the hash of its one value, a missing one being null; under a collation that of
 * the value with sort keys for strings. Arrays are refused.
 */
final class HashedPart implements KeyPart {
  private final FieldPath path;
  private final @Nullable StringOrder strings;

  HashedPart(String path, @Nullable StringOrder strings) {
    this.path = FieldPath.of(path);
    this.strings = strings;
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
    BsonValue hashed = value.value();
    if (strings != null && hashed != null) {
      hashed = SortTexts.of(hashed, strings);
    }
    long hash = ValueHash.of(hashed);
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
