// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.update;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.ElementCursor;
import io.fairlead.engine.value.RawArray;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonArray;
import org.bson.RawBsonDocument;

/**
 * Copies one level of a document or array, so that it can be changed; what lies below stays bytes.
 */
final class Mutable {
  private Mutable() {}

  /**
   * A copy of a document's fields, or itself where it is one already.
   *
   * @throws EngineException 2 when it has a field twice: one of them would be lost
   */
  static BsonDocument of(BsonDocument document) {
    if (!(document instanceof RawBsonDocument raw)) {
      return document;
    }
    BsonDocument copy = new BsonDocument();
    ElementCursor cursor = new ElementCursor(raw);
    while (cursor.next()) {
      if (copy.put(cursor.name(), cursor.value()) != null) {
        throw new EngineException(
            ErrorCodes.BAD_VALUE,
            "a document that has the field '"
                + cursor.name()
                + "' twice cannot be updated; replace it");
      }
    }
    return copy;
  }

  static BsonArray of(BsonArray array) {
    return array instanceof RawArray || array instanceof RawBsonArray
        ? new BsonArray(new java.util.ArrayList<>(array))
        : array;
  }

  /** A value that may be changed below; scalars are themselves. */
  static BsonValue of(BsonValue value) {
    return switch (value) {
      case BsonDocument document -> of(document);
      case BsonArray array -> of(array);
      default -> value;
    };
  }

  /** A whole copy that shares nothing changeable, for operands that go into many documents. */
  static BsonValue copy(BsonValue value) {
    return switch (value) {
      case RawBsonDocument raw -> raw;
      case RawArray raw -> raw;
      case BsonDocument document -> {
        BsonDocument copy = new BsonDocument();
        document.forEach((name, field) -> copy.put(name, copy(field)));
        yield copy;
      }
      case BsonArray array -> {
        BsonArray copy = new BsonArray(array.size());
        array.forEach(element -> copy.add(copy(element)));
        yield copy;
      }
      default -> value;
    };
  }
}
