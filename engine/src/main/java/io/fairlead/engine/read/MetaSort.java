// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.KeyPattern;
import io.fairlead.engine.index.KeyReader;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.query.Predicate;
import io.fairlead.engine.query.Special;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.engine.value.Metadata;
import io.fairlead.engine.value.StringOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bson.BsonDouble;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Keys of a sort of which a part is no field, but a score, a distance or chance. Greater scores
 * come first, lesser distances too.
 */
final class MetaSort implements SortKeys {
  private static final int NOT_AVAILABLE = 40218;

  private final List<SortPattern.Part> parts;
  private final List<@Nullable KeyReader> readers = new ArrayList<>();
  private final RandomGenerator random;

  MetaSort(SortPattern pattern, @Nullable StringOrder strings, RandomGenerator random) {
    this.parts = pattern.parts();
    this.random = random;
    for (SortPattern.Part part : parts) {
      readers.add(
          part.meta().isEmpty()
              ? new KeyReader(
                  new KeyPattern(
                      List.of(new KeyPattern.Field(part.path().dotted(), !part.ascending()))),
                  false,
                  strings)
              : null);
    }
  }

  /**
   * Whether a part of the pattern is no field.
   *
   * @throws EngineException 40218 when the filter does not give what is sorted by
   */
  static boolean isOne(SortPattern pattern, Predicate filter) {
    check(pattern, filter);
    return pattern.parts().stream().anyMatch(part -> !part.meta().isEmpty());
  }

  private static void check(SortPattern pattern, Predicate filter) {
    for (SortPattern.Part part : pattern.parts()) {
      boolean given =
          switch (part.meta()) {
            case "", "randVal" -> true;
            case "textScore" -> Special.text(filter) != null;
            case "geoNearDistance" -> Special.near(filter) != null;
            default -> false;
          };
      if (!given) {
        throw new EngineException(
            NOT_AVAILABLE,
            "query requires "
                + (part.meta().equals("textScore") ? "text score" : part.meta())
                + " metadata, but it is not available");
      }
    }
  }

  @Override
  public byte[] of(RecordCursor record) {
    KeyWriter key = new KeyWriter();
    for (int i = 0; i < parts.size(); i++) {
      KeyReader reader = readers.get(i);
      if (reader != null) {
        key.bytes(reader.least(record.document()));
        continue;
      }
      String meta = parts.get(i).meta();
      Metadata known = record.metadata();
      BsonValue value =
          meta.equals("randVal")
              ? new BsonDouble(random.nextDouble())
              : known == null ? null : known.get(meta);
      int from = key.size();
      if (value == null) {
        key.missing();
      } else {
        key.value(value);
      }
      if (!meta.equals("geoNearDistance")) {
        key.turnOver(from);
      }
    }
    return key.toBytes();
  }
}
