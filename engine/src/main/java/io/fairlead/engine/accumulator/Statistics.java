// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.accumulator;

import io.fairlead.engine.value.Numbers;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code $stdDevPop $stdDevSamp $percentile $median}; values that are no numbers are ignored. */
public final class Statistics {
  private Statistics() {}

  /** Standard deviation by Welford's method. */
  public static final class Deviation extends Accumulator {
    private final boolean sample;
    private long count;
    private double mean;
    private double squares;

    public Deviation(boolean sample) {
      this.sample = sample;
    }

    @Override
    public void add(@Nullable BsonValue value) {
      if (value == null || !value.isNumber()) {
        return;
      }
      double number = Numbers.toDouble(value);
      count++;
      double delta = number - mean;
      mean += delta / count;
      squares += delta * (number - mean);
    }

    @Override
    public BsonValue result() {
      long divisor = sample ? count - 1 : count;
      return divisor <= 0 ? BsonNull.VALUE : new BsonDouble(Math.sqrt(squares / divisor));
    }
  }

  /**
   * Percentiles; MongoDB's approximate method gives the exact discrete ones for as few values as it
   * is used on here.
   */
  public static final class Percentile extends Accumulator {
    private final List<Double> wanted;
    private final boolean single;
    private double[] values = new double[16];
    private int size;

    /**
     * Makes one.
     *
     * @param single whether the result is one number rather than an array
     */
    public Percentile(List<Double> wanted, boolean single) {
      this.wanted = List.copyOf(wanted);
      this.single = single;
    }

    @Override
    public void add(@Nullable BsonValue value) {
      if (value == null || !value.isNumber()) {
        return;
      }
      double number = Numbers.toDouble(value);
      if (Double.isNaN(number)) {
        return;
      }
      if (size == values.length) {
        values = Arrays.copyOf(values, size * 2);
      }
      values[size++] = number;
    }

    @Override
    public BsonValue result() {
      Arrays.sort(values, 0, size);
      BsonArray found = new BsonArray();
      for (double p : wanted) {
        found.add(size == 0 ? BsonNull.VALUE : new BsonDouble(values[rank(p)]));
      }
      return single ? found.get(0) : found;
    }

    private int rank(double p) {
      return p >= 1 ? size - 1 : (int) Math.max(0, Math.ceil(p * size) - 1);
    }
  }
}
