// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.util.List;
import java.util.random.RandomGenerator;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/** Small documents from few names and values, so that they often meet. */
public final class RandomValues {
  private static final List<String> NAMES = List.of("a", "b", "0", "1");
  private static final List<String> PATHS =
      List.of("a", "b", "a.b", "a.a", "b.0", "a.1", "a.0.b", "b.a.b", "a.b.1");

  private final RandomGenerator random;

  public RandomValues(RandomGenerator random) {
    this.random = random;
  }

  public int below(int bound) {
    return random.nextInt(bound);
  }

  public String path() {
    return PATHS.get(below(PATHS.size()));
  }

  public BsonDocument document(int depth) {
    BsonDocument document = new BsonDocument();
    for (int i = 0; i < below(4); i++) {
      document.put(NAMES.get(below(NAMES.size())), value(depth - 1));
    }
    return document;
  }

  public BsonValue value(int depth) {
    return switch (below(depth > 0 ? 14 : 9)) {
      case 0 -> BsonNull.VALUE;
      case 1, 2 -> new BsonInt32(below(4));
      case 3 -> new BsonInt64(below(4));
      case 4 -> new BsonDouble(below(8) / 2.0);
      case 5 ->
          new BsonDecimal128(
              Decimal128.parse(List.of("0", "1.0", "1.5", "2E0", "-0").get(below(5))));
      case 6, 7 -> new BsonString(List.of("", "x", "y", "xé").get(below(4)));
      case 8 -> BsonBoolean.valueOf(below(2) == 0);
      case 9, 10 -> document(depth);
      default -> {
        BsonArray array = new BsonArray();
        for (int i = 0; i < below(4); i++) {
          array.add(value(depth - 1));
        }
        yield array;
      }
    };
  }
}
