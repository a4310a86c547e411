// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The argument {@code n} of {@code $firstN}, {@code $topN} and their kin: a whole number above
 * zero.
 */
public final class CountArgument {
  private static final double LONG_END = 0x1p63;

  private CountArgument() {}

  /**
   * Reads it.
   *
   * @throws EngineException 5787902 for what is no number, 31109 for one beyond 64 bits, 5787903
   *     for a fraction, 5787908 for one below 1
   */
  public static long of(@Nullable BsonValue value) {
    if (value == null || !value.isNumber()) {
      throw notWhole(5787902, value);
    }
    if (!Numbers.isLong(value)) {
      if (Math.abs(Numbers.toDouble(value)) >= LONG_END) {
        throw new EngineException(
            31109, "Can't coerce out of range value " + Values.show(value) + " to long");
      }
      throw notWhole(5787903, value);
    }
    long count = Numbers.toLong(value);
    if (count <= 0) {
      throw new EngineException(5787908, "'n' must be greater than 0, found " + count);
    }
    return count;
  }

  private static EngineException notWhole(int code, @Nullable BsonValue value) {
    return new EngineException(
        code, "Value for 'n' must be of integral type, but found " + Values.show(value));
  }
}
