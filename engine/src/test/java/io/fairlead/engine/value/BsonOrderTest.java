// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import static io.fairlead.engine.value.Docs.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

final class BsonOrderTest {
  private static final BsonOrder ORDER = BsonOrder.SIMPLE;

  @Test
  void types_follow_each_other_in_mongodbs_order() {
    List<BsonValue> sorted =
        List.of(
            value("{$minKey: 1}"),
            value("{$undefined: true}"),
            value("null"),
            value("{$numberDouble: 'NaN'}"),
            value("{$numberDouble: '-Infinity'}"),
            value("-1"),
            value("0.1"),
            value("{$numberDecimal: '0.11'}"),
            value("1"),
            value("{$numberLong: '9007199254740993'}"),
            value("{$numberDecimal: 'Infinity'}"),
            value("''"),
            value("'a'"),
            value("'\uFFFD'"),
            value("'\uD83D\uDE00'"),
            value("{}"),
            value("{a: 1}"),
            value("{b: 0}"),
            value("{a: 'x'}"),
            value("[]"),
            value("[1]"),
            value("[1, 2]"),
            value("{$binary: {base64: 'AA==', subType: '00'}}"),
            value("{$binary: {base64: 'AA==', subType: '05'}}"),
            value("{$binary: {base64: 'AAA=', subType: '00'}}"),
            // the old subtype repeats its length inside its data
            value("{$binary: {base64: 'AA==', subType: '02'}}"),
            value("{$oid: '507f1f77bcf86cd799439011'}"),
            value("false"),
            value("true"),
            value("{$date: '1960-01-01T00:00:00Z'}"),
            value("{$date: '2024-01-01T00:00:00Z'}"),
            value("{$timestamp: {t: 1, i: 1}}"),
            value("/a/"),
            value("/a/i"),
            value("{$maxKey: 1}"));
    for (int i = 0; i < sorted.size(); i++) {
      for (int j = 0; j < sorted.size(); j++) {
        BsonValue a = sorted.get(i);
        BsonValue b = sorted.get(j);
        assertThat(Integer.signum(ORDER.compare(a, b)))
            .as("%s ? %s", a, b)
            .isEqualTo(Integer.compare(i, j));
        assertThat(Integer.signum(ORDER.compare(Slice.of(a), Slice.of(b))))
            .as("%s ? %s in place", a, b)
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }

  @Test
  void equal_numbers_of_different_types_have_one_hash() {
    for (String number : List.of("1", "1.0", "{$numberLong: '1'}", "{$numberDecimal: '1.00'}")) {
      assertThat(ORDER.equal(value(number), value("1"))).isTrue();
      assertThat(ORDER.hash(value(number))).isEqualTo(ORDER.hash(value("1")));
    }
    BsonValue big = value("{$numberLong: '9007199254740993'}");
    assertThat(ORDER.hash(big))
        .isEqualTo(ORDER.hash(value("{$numberDecimal: '9007199254740993'}")));
    assertThat(ORDER.compare(big, value("9007199254740992.0"))).isPositive();
    assertThat(ORDER.equal(value("0.0"), value("-0.0"))).isTrue();
    assertThat(ORDER.hash(value("0.0"))).isEqualTo(ORDER.hash(value("-0.0")));
    assertThat(ORDER.compare(value("0.1"), value("{$numberDecimal: '0.1'}"))).isPositive();
  }

  @Test
  void both_forms_agree_and_the_order_is_total() {
    for (long seed = 1; seed <= 10_000; seed++) {
      RandomValues random = new RandomValues(new SplittableRandom(seed));
      BsonValue a = random.value(3);
      BsonValue b = random.value(3);
      BsonValue c = random.value(3);
      int ab = Integer.signum(ORDER.compare(a, b));
      assertThat(Integer.signum(ORDER.compare(Slice.of(a), Slice.of(b))))
          .as("seed %d", seed)
          .isEqualTo(ab);
      assertThat(Integer.signum(ORDER.compare(b, a))).as("seed %d", seed).isEqualTo(-ab);
      assertThat(ORDER.hash(Slice.of(a))).as("seed %d", seed).isEqualTo(ORDER.hash(a));
      if (ab == 0) {
        assertThat(ORDER.hash(a)).as("seed %d", seed).isEqualTo(ORDER.hash(b));
      }
      if (ab <= 0 && ORDER.compare(b, c) <= 0) {
        assertThat(ORDER.compare(a, c)).as("seed %d", seed).isLessThanOrEqualTo(0);
      }
    }
  }
}
