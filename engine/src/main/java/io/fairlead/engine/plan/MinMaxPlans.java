// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexKind;
import io.fairlead.engine.index.KeyPattern;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.query.Predicate;
import io.fairlead.engine.query.Special;
import io.fairlead.engine.value.StringOrder;
import io.fairlead.engine.value.Values;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Plans of a find with {@code min} or {@code max}: the entries of one index between two keys. */
public final class MinMaxPlans {
  private static final int NO_HINT = 51173;
  private static final int NOT_COMPATIBLE = 51174;
  private static final int OUT_OF_ORDER = 51175;
  private static final int OTHER_FIELDS = 51176;

  private MinMaxPlans() {}

  /**
   * The plan: entries from {@code min}, included, to {@code max}, not included, in the order of the
   * index.
   *
   * @param strings the operation's collation, or null
   * @throws EngineException 51173 without a hint, 51174 when the index has other fields, or another
   *     collation and a bound has strings, 51175 when there is nothing between, 51176 when both
   *     have different fields, 2
   */
  public static QueryPlan plan(
      CollectionState collection,
      Planner.Wish wish,
      @Nullable BsonDocument min,
      @Nullable BsonDocument max,
      @Nullable StringOrder strings) {
    BsonValue hint = wish.hint();
    if (hint == null) {
      throw new EngineException(
          NO_HINT, "When using min()/max() a hint of which index to use must be provided");
    }
    if ((hint instanceof BsonDocument natural && natural.containsKey("$natural"))
        || wish.natural() != 0) {
      throw new EngineException(BAD_VALUE, "min and max cannot be used with $natural");
    }
    Predicate filter = wish.filter();
    if (Special.near(filter) != null || Special.text(filter) != null) {
      throw new EngineException(BAD_VALUE, "min and max cannot be used with $text or $near");
    }
    if (min != null
        && max != null
        && !List.copyOf(min.keySet()).equals(List.copyOf(max.keySet()))) {
      throw new EngineException(OTHER_FIELDS, "min and max must have the same field names");
    }
    IndexState index = Planner.hintedIndex(collection, hint);
    byte[] from = min == null ? new byte[0] : key(index, min, strings);
    byte[] to = max == null ? null : key(index, max, strings);
    if (to != null && Arrays.compareUnsigned(from, to) >= 0) {
      throw new EngineException(
          OUT_OF_ORDER,
          "The value provided for min() does not come before the value provided for max() in the"
              + " hinted index. The index bounds would be empty");
    }
    Map<String, List<String>> text = new LinkedHashMap<>();
    for (KeyPattern.Field field : index.definition().pattern().fields()) {
      text.put(
          field.path(),
          List.of(
              "["
                  + (min == null ? "MinKey" : Values.show(min.get(field.path())))
                  + ", "
                  + (max == null ? "MaxKey" : Values.show(max.get(field.path())))
                  + ")"));
    }
    return new QueryPlan(
        new QueryPlan.Access.Index(index, List.of(new ByteRange(from, to)), false, false, text),
        false,
        wish.sort() == null);
  }

  private static byte[] key(IndexState index, BsonDocument bound, @Nullable StringOrder strings) {
    List<KeyPattern.Field> fields = index.definition().pattern().fields();
    List<String> paths = fields.stream().map(KeyPattern.Field::path).toList();
    boolean comparesOtherwise =
        !Objects.equals(index.definition().strings(), strings)
            && bound.values().stream().anyMatch(Values::hasStrings);
    if (index.definition().kind() != IndexKind.ORDERED
        || comparesOtherwise
        || !paths.equals(List.copyOf(bound.keySet()))) {
      throw new EngineException(
          NOT_COMPATIBLE,
          "The index chosen is not compatible with min/max: "
              + Values.showDocument(index.definition().key())
              + ", "
              + Values.showDocument(bound));
    }
    KeyWriter key = new KeyWriter(index.definition().strings());
    for (KeyPattern.Field field : fields) {
      key.value(bound.getOrDefault(field.path(), org.bson.BsonNull.VALUE), field.descending());
    }
    return key.toBytes();
  }
}
