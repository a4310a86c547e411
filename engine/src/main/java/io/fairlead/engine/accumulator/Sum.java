// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.accumulator;

import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Slice;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

/**
 * {@code $sum} and {@code $avg}: numbers only, others are ignored. Whole numbers are added exactly,
 * doubles with the rounding error carried along (two-sum), so that the order of addition hardly
 * shows.
 */
public final class Sum extends Accumulator {
  private final boolean average;
  private long whole;
  private double high;
  private double low;
  private @Nullable Decimal128 decimal;
  private boolean sawDouble;
  private boolean sawLong;
  private long count;

  private Sum(boolean average) {
    this.average = average;
  }

  public static Sum sum() {
    return new Sum(false);
  }

  public static Sum average() {
    return new Sum(true);
  }

  @Override
  public void add(Slice value) {
    switch (value.type()) {
      case BsonTypes.INT32 -> addWhole(value.int32());
      case BsonTypes.INT64 -> {
        sawLong = true;
        addWhole(value.int64());
      }
      case BsonTypes.DOUBLE -> addDouble(value.float64());
      case BsonTypes.DECIMAL128 -> add(value.value());
      default -> {}
    }
  }

  @Override
  public void add(@Nullable BsonValue value) {
    switch (value) {
      case BsonInt32 number -> addWhole(number.getValue());
      case BsonInt64 number -> {
        sawLong = true;
        addWhole(number.getValue());
      }
      case BsonDouble number -> addDouble(number.getValue());
      case BsonDecimal128 number -> {
        count++;
        Decimal128 before = decimal;
        decimal =
            before == null ? number.getValue() : Numbers.addDecimals(before, number.getValue());
      }
      case null, default -> {}
    }
  }

  private void addWhole(long number) {
    count++;
    long sum = whole + number;
    if (((whole ^ sum) & (number ^ sum)) < 0) {
      // in two halves: a long need not fit a double
      twoSum((double) (whole >> 32 << 32));
      twoSum((double) (whole - (whole >> 32 << 32)));
      whole = number;
    } else {
      whole = sum;
    }
  }

  private void addDouble(double number) {
    count++;
    sawDouble = true;
    twoSum(number);
  }

  private void twoSum(double number) {
    double sum = high + number;
    if (Double.isNaN(sum) || Double.isInfinite(sum)) {
      high = sum;
      low = 0;
      return;
    }
    double part = sum - high;
    low += (high - (sum - part)) + (number - part);
    high = sum;
  }

  private double total() {
    double upper = whole >> 32 << 32;
    double lower = whole - (whole >> 32 << 32);
    double sum = high + upper;
    if (Double.isNaN(sum) || Double.isInfinite(sum)) {
      return sum;
    }
    double part = sum - high;
    double error = (high - (sum - part)) + (upper - part);
    return sum + (low + error + lower);
  }

  @Override
  public BsonValue result() {
    if (average) {
      return averageResult();
    }
    Decimal128 exact = decimal;
    if (exact != null) {
      return new BsonDecimal128(withOthers(exact));
    }
    if (sawDouble || high != 0 || low != 0) {
      if (!sawDouble && Math.abs(high + whole) < 0x1p63) {
        // whole numbers left the range and came back
        return new BsonInt64((long) high + (long) low + whole);
      }
      return new BsonDouble(total());
    }
    return Numbers.whole(whole, !sawLong);
  }

  private Decimal128 withOthers(Decimal128 exact) {
    Decimal128 sum = whole == 0 ? exact : Numbers.addDecimals(exact, new Decimal128(whole));
    return high == 0 && low == 0
        ? sum
        : Numbers.addDecimals(sum, Numbers.toDecimal(new BsonDouble(high + low)));
  }

  private BsonValue averageResult() {
    if (count == 0) {
      return BsonNull.VALUE;
    }
    Decimal128 exact = decimal;
    if (exact != null) {
      Decimal128 sum = withOthers(exact);
      if (sum.isNaN() || sum.isInfinite()) {
        return new BsonDecimal128(sum);
      }
      return new BsonDecimal128(
          Numbers.decimal(
              Numbers.exact(sum)
                  .divide(java.math.BigDecimal.valueOf(count), java.math.MathContext.DECIMAL128)));
    }
    return new BsonDouble(total() / count);
  }
}
