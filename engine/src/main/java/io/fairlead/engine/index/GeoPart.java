// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.geo.GeoCells;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.ValueSet;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** A field with geometry: the cells of its values. */
final class GeoPart implements KeyPart {
  private static final int CANNOT_EXTRACT = 16755;

  private final FieldPath path;
  private final GeoCells cells;
  private boolean multikey;

  GeoPart(String path, GeoCells cells) {
    this.path = FieldPath.of(path);
    this.cells = cells;
  }

  @Override
  public List<Piece> pieces(byte[] document) {
    ValueSet found = new ValueSet(BsonOrder.SIMPLE);
    path.visit(
        document,
        0,
        false,
        (slice, arrayIndex) -> {
          BsonValue value = slice.value();
          if (value != null) {
            found.add(value);
          }
          return false;
        });
    List<BsonValue> values = found.values();
    List<Piece> pieces = new ArrayList<>(1);
    if (!isNone(values)) {
      for (BsonValue value : values) {
        for (long cell : stored(document, value)) {
          pieces.add(
              new Piece(
                  KeyBytes.number(cell), new BsonDocument(path.dotted(), new BsonInt64(cell))));
        }
      }
    }
    multikey = pieces.size() > 1 || values.size() > 1;
    return pieces;
  }

  /** A lone null, and a lone empty array or document, is as good as no field. */
  private static boolean isNone(List<BsonValue> values) {
    if (values.size() != 1) {
      return values.isEmpty();
    }
    BsonValue only = values.getFirst();
    return Values.isNullish(only)
        || (only.isArray() && only.asArray().isEmpty())
        || (only.isDocument() && only.asDocument().isEmpty());
  }

  private List<Long> stored(byte[] document, BsonValue value) {
    try {
      return cells.stored(value);
    } catch (EngineException e) {
      if (e.code() != ErrorCodes.BAD_VALUE) {
        throw e;
      }
      throw new EngineException(
          CANNOT_EXTRACT,
          "Can't extract geo keys: "
              + Values.showDocument(new RawBsonDocument(document))
              + "  "
              + e.message());
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
    return new Piece(KeyBytes.absent(), new BsonDocument(path.dotted(), BsonNull.VALUE));
  }
}
