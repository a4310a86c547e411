// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.function.LongBinaryOperator;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code $bitAnd $bitOr $bitXor $bitNot}. */
final class Bitwise {
  private Bitwise() {}

  static void register(Operators.Registrar operators) {
    operators.variadic("$bitAnd", a -> bits("$bitAnd", a, -1, (x, y) -> x & y));
    operators.variadic("$bitOr", a -> bits("$bitOr", a, 0, (x, y) -> x | y));
    operators.variadic("$bitXor", a -> bits("$bitXor", a, 0, (x, y) -> x ^ y));
    operators.fixed("$bitNot", 1, Bitwise::bitNot);
  }

  private static @Nullable BsonValue bits(
      String name, @Nullable BsonValue[] arguments, long start, LongBinaryOperator operator) {
    long result = start;
    boolean ints = true;
    boolean nullish = false;
    for (BsonValue argument : arguments) {
      if (argument == null || Values.isNullish(argument)) {
        nullish = true;
      } else if (argument instanceof BsonInt32 || argument instanceof BsonInt64) {
        ints &= argument instanceof BsonInt32;
        result = operator.applyAsLong(result, Numbers.toLong(argument));
      } else {
        throw new EngineException(
            ErrorCodes.TYPE_MISMATCH,
            name + " only supports int and long operands, not " + BsonTypes.nameOf(argument) + ".");
      }
    }
    return nullish ? BsonNull.VALUE : ints ? new BsonInt32((int) result) : new BsonInt64(result);
  }

  private static @Nullable BsonValue bitNot(@Nullable BsonValue[] arguments) {
    BsonValue value = arguments[0];
    if (value == null || Values.isNullish(value)) {
      return BsonNull.VALUE;
    }
    if (value instanceof BsonInt32 small) {
      return new BsonInt32(~small.getValue());
    }
    if (value instanceof BsonInt64 big) {
      return new BsonInt64(~big.getValue());
    }
    throw new EngineException(
        Values.isNumber(value) ? ErrorCodes.TYPE_MISMATCH : 28765,
        "$bitNot only supports int and long, not: " + BsonTypes.nameOf(value) + ".");
  }
}
