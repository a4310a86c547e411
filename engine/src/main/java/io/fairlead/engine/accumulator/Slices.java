// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.accumulator;

import io.fairlead.engine.value.ElementCursor;
import java.util.function.BiConsumer;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** Reads documents that may be bytes. */
final class Slices {
  private Slices() {}

  static void eachField(BsonDocument document, BiConsumer<String, BsonValue> action) {
    if (document instanceof RawBsonDocument raw) {
      ElementCursor cursor = new ElementCursor(raw);
      while (cursor.next()) {
        action.accept(cursor.name(), cursor.value());
      }
    } else {
      document.forEach(action);
    }
  }
}
