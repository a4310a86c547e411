// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
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
import org.junit.jupiter.api.Test;

final class KeyWriterTest {
  @Test
  void keys_are_ordered_as_the_values_across_types() {
    List<BsonValue> ascending =
        List.of(
            new BsonMinKey(),
            new BsonNull(),
            new BsonDouble(Double.NaN),
            new BsonDouble(Double.NEGATIVE_INFINITY),
            decimal("-1E+400"),
            new BsonInt64(Long.MIN_VALUE),
            new BsonInt64(Long.MIN_VALUE + 1),
            new BsonDouble(-1.5),
            new BsonInt32(-1),
            new BsonDouble(-Double.MIN_VALUE),
            decimal("-1E-6000"),
            new BsonInt32(0),
            decimal("1E-6000"),
            decimal("2E-6000"),
            new BsonDouble(Double.MIN_VALUE),
            new BsonDouble(0.1),
            decimal("0.1000000000000000055511151231257828"),
            decimal("0.11"),
            new BsonInt32(1),
            decimal("1.00000000000000000000000001"),
            new BsonInt32(2),
            decimal("3.4"),
            new BsonInt64((1L << 53)),
            new BsonInt64((1L << 53) + 1),
            new BsonInt64((1L << 53) + 2),
            new BsonInt64(Long.MAX_VALUE - 1),
            new BsonInt64(Long.MAX_VALUE),
            new BsonDouble(0x1p63),
            new BsonDouble(Double.MAX_VALUE),
            decimal("1E+400"),
            new BsonDouble(Double.POSITIVE_INFINITY),
            new BsonString(""),
            new BsonString("a"),
            new BsonString("a\0"),
            new BsonString("a\0b"),
            new BsonString("aa"),
            new BsonString("b"),
            new BsonString("é"),
            new BsonDocument(),
            BsonDocument.parse("{b: 1}"),
            BsonDocument.parse("{b: 1, a: 1}"),
            BsonDocument.parse("{a: 'x'}"),
            new BsonArray(),
            new BsonArray(List.of(new BsonInt32(1))),
            new BsonArray(List.of(new BsonInt32(1), new BsonInt32(0))),
            new BsonArray(List.of(new BsonInt32(2))),
            new BsonBinary(new byte[] {9}),
            new BsonBinary((byte) 5, new byte[] {1}),
            new BsonBinary(new byte[] {0, 0}),
            new BsonObjectId(new ObjectId("000000000000000000000001")),
            new BsonObjectId(new ObjectId("f00000000000000000000000")),
            BsonBoolean.FALSE,
            BsonBoolean.TRUE,
            new BsonDateTime(-1),
            new BsonDateTime(0),
            new BsonDateTime(1),
            new BsonTimestamp(0, 1),
            new BsonTimestamp(1, 0),
            new BsonTimestamp(-1, 0),
            new BsonRegularExpression("a"),
            new BsonRegularExpression("a", "i"),
            new BsonRegularExpression("b"),
            new BsonMaxKey());
    for (int i = 0; i < ascending.size(); i++) {
      for (int j = 0; j < ascending.size(); j++) {
        int expected = Integer.signum(i - j);
        assertThat(order(ascending.get(i), ascending.get(j), false))
            .as("%s and %s", ascending.get(i), ascending.get(j))
            .isEqualTo(expected);
        assertThat(order(ascending.get(i), ascending.get(j), true)).isEqualTo(-expected);
      }
    }
  }

  @Test
  void equal_numbers_of_different_kinds_are_equal_bytes() {
    List<BsonValue> ones =
        List.of(
            new BsonInt32(1), new BsonInt64(1), new BsonDouble(1), decimal("1"), decimal("1.000"));
    for (BsonValue one : ones) {
      assertThat(order(one, ones.getFirst(), false)).isZero();
    }
    assertThat(order(new BsonDouble(-0.0), decimal("-0.00"), false)).isZero();
    assertThat(order(new BsonInt64(Long.MAX_VALUE), decimal("9223372036854775807"), false))
        .isZero();
    assertThat(order(new BsonDouble(0.5), decimal("0.50"), false)).isZero();
    assertThat(order(new BsonDouble(Double.POSITIVE_INFINITY), decimal("Infinity"), false))
        .isZero();
    assertThat(order(new BsonDouble(Double.NaN), decimal("NaN"), false)).isZero();
  }

  @Test
  void what_follows_a_string_never_decides_before_it() {
    List<String> texts = List.of("", "\0", "\0\0", "\0ÿ", "a", "a\0", "ab");
    List<BsonValue> behind = List.of(new BsonMinKey(), new BsonInt32(5), new BsonMaxKey());
    for (boolean down : List.of(false, true)) {
      for (String a : texts) {
        for (String b : texts) {
          for (BsonValue x : behind) {
            for (BsonValue y : behind) {
              for (boolean downBehind : List.of(false, true)) {
                byte[] left =
                    new KeyWriter().value(new BsonString(a), down).value(x, downBehind).toBytes();
                byte[] right =
                    new KeyWriter().value(new BsonString(b), down).value(y, downBehind).toBytes();
                int strings = Integer.signum(a.compareTo(b)) * (down ? -1 : 1);
                if (strings != 0) {
                  assertThat(Integer.signum(Arrays.compareUnsigned(left, right)))
                      .isEqualTo(strings);
                }
              }
            }
          }
        }
      }
    }
  }

  @Test
  void whole_numbers_are_short_and_equal_the_doubles_between_which_others_lie() {
    assertThat(new KeyWriter().value(new BsonInt32(99_999)).toBytes()).hasSizeLessThanOrEqualTo(5);
    SplittableRandom random = new SplittableRandom(46);
    for (int i = 0; i < 20_000; i++) {
      double a = Double.longBitsToDouble(random.nextLong() & (-1L << random.nextInt(64)));
      double b = random.nextBoolean() ? Math.nextUp(a) : random.nextInt(1 << random.nextInt(31));
      if (Double.isFinite(a) && Double.isFinite(b)) {
        for (boolean descending : List.of(false, true)) {
          assertThat(order(new BsonDouble(a), new BsonDouble(b), descending))
              .as("%s and %s", a, b)
              .isEqualTo(a == b ? 0 : (a < b) == descending ? 1 : -1);
        }
      }
    }
    // what no double is lies between the doubles next to it
    BsonInt64 between = new BsonInt64((1L << 53) + 1);
    assertThat(order(new BsonDouble(0x1p53), between, false)).isNegative();
    assertThat(order(between, new BsonDouble(Math.nextUp(0x1p53)), false)).isNegative();
    assertThat(order(new BsonDouble(0), decimal("1E-500"), false)).isNegative();
    assertThat(order(decimal("1E-500"), new BsonDouble(Double.MIN_VALUE), false)).isNegative();
    assertThat(order(new BsonDouble(Double.MAX_VALUE), decimal("1E+500"), false)).isNegative();
    assertThat(order(decimal("1E+500"), new BsonDouble(Double.POSITIVE_INFINITY), false))
        .isNegative();
  }

  @Test
  void record_ids_are_ordered_and_found_again_at_the_end_of_an_entry() {
    long[] ids = {
      0, 1, 15, 16, 2_047, 2_048, 262_143, 262_144, 99_999_999, 1L << 40, (1L << 46) - 1
    };
    Arrays.sort(ids);
    for (int i = 0; i < ids.length; i++) {
      byte[] key = RecordIds.key(ids[i]);
      assertThat(RecordIds.number(key, 0, key.length)).isEqualTo(ids[i]);
      if (i > 0) {
        assertThat(Arrays.compareUnsigned(RecordIds.key(ids[i - 1]), key)).isNegative();
      }
      assertThat(found(RecordIds.entry(new byte[] {1, 2, 3}, key))).isEqualTo(key);
    }
    assertThatThrownBy(() -> RecordIds.key(1L << 46)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void keys_that_are_record_ids_are_found_again_at_the_end_of_an_entry() {
    for (int length : new int[] {1, 30, 31, 32, 255, 1000}) {
      byte[] key = new byte[length];
      Arrays.fill(key, (byte) length);
      byte[] entry = RecordIds.keyedEntry(new byte[] {7}, key);
      assertThat(found(entry)).isEqualTo(key);
      assertThat(RecordIds.start(entry)).isEqualTo(1);
    }
  }

  private static byte[] found(byte[] entry) {
    return Arrays.copyOfRange(entry, RecordIds.start(entry), RecordIds.end(entry));
  }

  private static int order(BsonValue a, BsonValue b, boolean descending) {
    byte[] left = new KeyWriter().value(a, descending).toBytes();
    byte[] right = new KeyWriter().value(b, descending).toBytes();
    return Integer.signum(Arrays.compareUnsigned(left, right));
  }

  private static BsonDecimal128 decimal(String text) {
    return new BsonDecimal128(Decimal128.parse(text));
  }
}
