// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.sort;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.index.KeyPattern;
import io.fairlead.engine.index.KeyReader;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.Slice;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/**
 * Sort keys of a document of which several parts go through an array: the first, in the order of
 * the sort, of the keys that an index of these fields would hold for it. So the parts belong to the
 * same element.
 */
final class ArrayKeys {
  private ArrayKeys() {}

  static SortKey least(List<SortPattern.Part> parts, RawBsonDocument document, BsonOrder order) {
    List<KeyPattern.Field> fields =
        parts.stream()
            .filter(part -> part.meta().isEmpty())
            .map(part -> new KeyPattern.Field(part.path().dotted(), !part.ascending()))
            .toList();
    KeyReader reader = new KeyReader(new KeyPattern(fields), false, order.strings());
    byte[] bytes = BsonBytes.of(document);
    BsonDocument least;
    try {
      least = reader.values(bytes, reader.least(bytes));
    } catch (EngineException e) {
      if (e.code() == ErrorCodes.CANNOT_INDEX_PARALLEL_ARRAYS) {
        throw new EngineException(
            ErrorCodes.BAD_VALUE, "cannot sort with keys that are parallel arrays");
      }
      throw e;
    }
    Slice[] values = new Slice[parts.size()];
    for (int i = 0; i < values.length; i++) {
      SortPattern.Part part = parts.get(i);
      values[i] =
          part.meta().isEmpty()
              ? Slice.of(least.get(part.path().dotted()))
              : SortPattern.read(document, part, order);
    }
    return new SortKey(values);
  }
}
