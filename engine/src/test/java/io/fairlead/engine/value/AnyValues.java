// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonJavaScript;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/** Values of every BSON type, with those at the borders between the kinds of numbers. */
public final class AnyValues {
  private static final List<Double> DOUBLES =
      List.of(
          Double.NaN,
          -0.0,
          0.0,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY,
          Double.MIN_VALUE,
          Double.MAX_VALUE,
          0x1p53,
          0x1p53 + 2,
          0x1p63,
          -0x1p63,
          0.1);
  private static final List<Long> LONGS =
      List.of(
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          Long.MAX_VALUE - 1,
          (1L << 53) - 1,
          1L << 53,
          (1L << 53) + 1,
          Integer.MAX_VALUE + 1L);
  private static final List<String> DECIMALS =
      List.of(
          "NaN",
          "Infinity",
          "-Infinity",
          "-0",
          "0",
          "0E+10",
          "0.1",
          "0.1000000000000000055511151231257827",
          "9007199254740993",
          "9223372036854775807",
          "9223372036854775807.5",
          "9223372036854775808",
          "1E-6176",
          "9.999999999999999999999999999999999E+6144");

  private final RandomGenerator random;

  public AnyValues(RandomGenerator random) {
    this.random = random;
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  public BsonValue number() {
    return switch (random.nextInt(10)) {
      case 0, 1 -> new BsonInt32(random.nextInt(7) - 3);
      case 2 -> new BsonInt64(random.nextInt(7) - 3);
      case 3 -> new BsonInt64(random.nextLong() >> random.nextInt(64));
      case 4 -> new BsonInt64(one(LONGS));
      case 5 -> new BsonDouble(random.nextInt(7) - 3 + random.nextInt(3) * 0.25);
      case 6 -> new BsonDouble(Double.longBitsToDouble(random.nextLong()));
      case 7 -> new BsonDouble(one(DOUBLES));
      case 8 -> new BsonDecimal128(Decimal128.parse(one(DECIMALS)));
      default ->
          new BsonDecimal128(
              new Decimal128(
                  new BigDecimal(random.nextDouble(-9, 9))
                      .round(new MathContext(1 + random.nextInt(34)))
                      .scaleByPowerOfTen(random.nextInt(-3, 3))));
    };
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(one(List.of("\0", "\u0001", "a", "b", "é", "€", "😀", "\uffff")));
    }
    return text.toString();
  }

  /**
   * A value.
   *
   * @param depth how deep documents and arrays may nest in it
   */
  public BsonValue value(int depth) {
    return switch (random.nextInt(depth > 0 ? 24 : 19)) {
      case 0, 1, 2, 3, 4, 5 -> number();
      case 6, 7 -> new BsonString(text());
      case 8 -> new BsonSymbol(text());
      case 9 -> one(List.<BsonValue>of(new BsonMinKey(), new BsonMaxKey()));
      case 10 -> one(List.<BsonValue>of(BsonNull.VALUE, new BsonUndefined()));
      case 11 -> {
        byte[] bytes = new byte[random.nextInt(3)];
        random.nextBytes(bytes);
        yield new BsonBinary((byte) random.nextInt(3), bytes);
      }
      case 12 -> new BsonObjectId(new ObjectId(random.nextInt(3), random.nextInt(3)));
      case 13 -> BsonBoolean.valueOf(random.nextBoolean());
      case 14 ->
          new BsonDateTime(one(List.of(0L, -1L, 1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40)));
      case 15 -> new BsonTimestamp(random.nextInt(), random.nextInt(3));
      case 16 -> new BsonRegularExpression(one(List.of("a", "ab", "b")), one(List.of("", "i")));
      case 17 -> new BsonJavaScript(text().replace("\0", ""));
      case 18 -> new BsonInt32(random.nextInt());
      case 19, 20, 21 -> {
        BsonArray array = new BsonArray();
        for (int i = random.nextInt(3); i > 0; i--) {
          array.add(value(depth - 1));
        }
        yield array;
      }
      default -> {
        BsonDocument document = new BsonDocument();
        for (int i = random.nextInt(3); i > 0; i--) {
          document.put(one(List.of("a", "b", "ab", "")), value(depth - 1));
        }
        yield document;
      }
    };
  }
}
