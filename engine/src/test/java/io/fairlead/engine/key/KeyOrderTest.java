// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.value.BsonOrder;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of keys is the order of values, for random values of all types. */
final class KeyOrderTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void keys_are_ordered_as_their_values(long seed) {
    Random random = new Random(seed);
    List<BsonValue> values = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      values.add(value(random, 2));
    }
    List<byte[]> keys = values.stream().map(v -> new KeyWriter().value(v).toBytes()).toList();
    for (int i = 0; i < values.size(); i++) {
      for (int j = 0; j < values.size(); j++) {
        int byValue = Integer.signum(BsonOrder.SIMPLE.compare(values.get(i), values.get(j)));
        int byKey = Integer.signum(Arrays.compareUnsigned(keys.get(i), keys.get(j)));
        if (byValue != byKey) {
          assertThat(byKey)
              .as("seed %d: %s and %s", seed, values.get(i), values.get(j))
              .isEqualTo(byValue);
        }
      }
    }
  }

  private static BsonValue value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 18 : 16)) {
      case 0 -> new BsonInt32(random.nextInt(7) - 3);
      case 1 -> new BsonInt64(random.nextInt(7) - 3);
      case 2 -> new BsonInt64(random.nextLong() >> random.nextInt(64));
      case 3 -> new BsonDouble(random.nextInt(7) - 3 + random.nextInt(3) * 0.25);
      case 4 -> new BsonDouble(Double.longBitsToDouble(random.nextLong()));
      case 5 ->
          new BsonDecimal128(
              new Decimal128(BigDecimal.valueOf(random.nextInt(700) - 300, random.nextInt(3))));
      case 6 ->
          new BsonDecimal128(
              new Decimal128(
                  new BigDecimal(random.nextDouble()).round(new java.math.MathContext(20))));
      case 7 ->
          List.<BsonValue>of(
                  new BsonMinKey(),
                  new BsonMaxKey(),
                  new BsonNull(),
                  new BsonDouble(Double.NaN),
                  new BsonDouble(-0.0),
                  new BsonDecimal128(Decimal128.POSITIVE_INFINITY),
                  new BsonDecimal128(Decimal128.NaN))
              .get(random.nextInt(7));
      case 8, 9 -> {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
          text.append("\0\u0001abé€".charAt(random.nextInt(6)));
        }
        yield new BsonString(text.toString());
      }
      case 10 -> {
        byte[] bytes = new byte[random.nextInt(3)];
        random.nextBytes(bytes);
        yield new BsonBinary((byte) random.nextInt(2), bytes);
      }
      case 11 -> new BsonObjectId(new ObjectId(random.nextInt(3), random.nextInt(3)));
      case 12 -> BsonBoolean.valueOf(random.nextBoolean());
      case 13 -> new BsonDateTime(random.nextInt(5) - 2);
      case 14 -> new BsonTimestamp(random.nextInt(), random.nextInt(3));
      case 15 ->
          new BsonRegularExpression(
              random.nextBoolean() ? "a" : "b", random.nextBoolean() ? "i" : "");
      case 16 -> {
        BsonArray array = new BsonArray();
        for (int i = random.nextInt(3); i > 0; i--) {
          array.add(value(random, depth - 1));
        }
        yield array;
      }
      default -> {
        BsonDocument document = new BsonDocument();
        for (int i = random.nextInt(3); i > 0; i--) {
          document.put("ab".substring(random.nextInt(2)), value(random, depth - 1));
        }
        yield document;
      }
    };
  }
}
