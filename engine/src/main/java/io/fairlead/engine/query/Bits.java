// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Slice;
import java.util.BitSet;
import org.bson.BsonBinary;
import org.bson.BsonValue;

/**
 * {@code $bitsAllSet}, {@code $bitsAllClear}, {@code $bitsAnySet}, {@code $bitsAnyClear}: on whole
 * numbers that fit 64 bits, sign-extended, and on binaries, little-endian.
 */
record Bits(String operator, BitSet positions, boolean all, boolean set) implements ValueTest {
  static Bits parse(String operator, String path, BsonValue operand) {
    boolean all = operator.startsWith("$bitsAll");
    return new Bits(operator, positions(path, operand), all, operator.endsWith("Set"));
  }

  private static BitSet positions(String path, BsonValue operand) {
    if (operand instanceof BsonBinary binary) {
      return BitSet.valueOf(binary.getData());
    }
    if (operand.isArray()) {
      BitSet positions = new BitSet();
      for (BsonValue position : operand.asArray()) {
        positions.set(position(path, position));
      }
      return positions;
    }
    if (!operand.isNumber()) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE,
          path
              + " takes an Array, a number, or a BinData but received: "
              + BsonTypes.nameOf(operand));
    }
    if (!Numbers.isLong(operand)) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE,
          "Expected an integer: " + path + ": " + io.fairlead.engine.value.Values.show(operand));
    }
    long mask = Numbers.toLong(operand);
    if (mask < 0) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE, "Expected a non-negative number in: " + path + ": " + mask);
    }
    return BitSet.valueOf(new long[] {mask});
  }

  private static int position(String path, BsonValue position) {
    if (!position.isNumber() || !Numbers.isInt(position)) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE, "Failed to parse bit position. Expected a number in: " + path);
    }
    long index = Numbers.toLong(position);
    if (index < 0) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE,
          "Failed to parse bit position. Expected a non-negative number in: " + path);
    }
    return (int) index;
  }

  @Override
  public boolean test(Slice value, Evaluation evaluation) {
    return switch (value.type()) {
      case BsonTypes.INT32 -> number(value.int32());
      case BsonTypes.INT64 -> number(value.int64());
      case BsonTypes.DOUBLE, BsonTypes.DECIMAL128 -> {
        BsonValue number = java.util.Objects.requireNonNull(value.value());
        yield Numbers.isLong(number) && number(Numbers.toLong(number));
      }
      case BsonTypes.BINARY -> binary(value);
      default -> false;
    };
  }

  private boolean number(long number) {
    for (int i = positions.nextSetBit(0); i >= 0; i = positions.nextSetBit(i + 1)) {
      boolean bit = (number >> Math.min(i, 63) & 1) != 0;
      if ((bit == set) != all) {
        return !all;
      }
    }
    return all;
  }

  private boolean binary(Slice value) {
    int length = value.int32();
    for (int i = positions.nextSetBit(0); i >= 0; i = positions.nextSetBit(i + 1)) {
      boolean bit =
          i / 8 < length && (value.bytes()[value.start() + 5 + i / 8] >> (i % 8) & 1) != 0;
      if ((bit == set) != all) {
        return !all;
      }
    }
    return all;
  }

  @Override
  public Predicate predicate(FieldPath path) {
    return new Predicate.Opaque(operator, path);
  }
}
