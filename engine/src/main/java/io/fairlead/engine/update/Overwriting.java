// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.update;

import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.RawBytes;
import java.nio.charset.StandardCharsets;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/**
 * Puts a value in the place of one of the same type whose length is fixed, within a document's
 * bytes: the counter that goes up, the flag that turns.
 */
final class Overwriting {
  private Overwriting() {}

  /**
   * Whether it was all that the modifier does at that top-level field; nothing was written else.
   */
  static boolean write(byte[] document, String field, Modifier modifier) {
    int element = find(document, field);
    if (element < 0) {
      return false;
    }
    int type = document[element];
    int at = RawBytes.textEnd(document, element + 1) + 1;
    return switch (modifier) {
      case FieldModifiers.SetTo set -> !set.onlyOnInsert() && set(document, type, at, set.value());
      case FieldModifiers.Arithmetic sum when sum.operator().equals("$inc") ->
          add(document, type, at, sum.operand());
      default -> false;
    };
  }

  private static int find(byte[] document, String field) {
    byte[] name = field.getBytes(StandardCharsets.UTF_8);
    int at = 4;
    while (document[at] != 0) {
      int end = RawBytes.textEnd(document, at + 1);
      if (end - at - 1 == name.length
          && java.util.Arrays.equals(document, at + 1, end, name, 0, name.length)) {
        return at;
      }
      at = end + 1 + RawBytes.valueLength(document[at], document, end + 1);
    }
    return -1;
  }

  private static boolean set(byte[] document, int type, int at, BsonValue value) {
    switch (value) {
      case BsonInt32 number when type == BsonTypes.INT32 ->
          RawBytes.putInt32(document, at, number.getValue());
      case BsonInt64 number when type == BsonTypes.INT64 ->
          RawBytes.putInt64(document, at, number.getValue());
      case BsonDouble number when type == BsonTypes.DOUBLE ->
          putDouble(document, at, number.getValue());
      case BsonDateTime time when type == BsonTypes.DATE_TIME ->
          RawBytes.putInt64(document, at, time.getValue());
      case BsonBoolean flag when type == BsonTypes.BOOLEAN ->
          document[at] = (byte) (flag.getValue() ? 1 : 0);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static boolean add(byte[] document, int type, int at, BsonValue operand) {
    if (type == BsonTypes.INT32 && operand instanceof BsonInt32 more) {
      long sum = (long) RawBytes.int32(document, at) + more.getValue();
      if ((int) sum == sum) {
        RawBytes.putInt32(document, at, (int) sum);
        return true;
      }
      return false;
    }
    if (type == BsonTypes.INT64 && (operand instanceof BsonInt32 || operand instanceof BsonInt64)) {
      long before = RawBytes.int64(document, at);
      long more = operand.asNumber().longValue();
      long sum = before + more;
      boolean overflows = ((before ^ sum) & (more ^ sum)) < 0;
      if (!overflows) {
        RawBytes.putInt64(document, at, sum);
      }
      return !overflows;
    }
    if (type == BsonTypes.DOUBLE
        && (operand instanceof BsonInt32 || operand instanceof BsonDouble)) {
      putDouble(document, at, RawBytes.float64(document, at) + operand.asNumber().doubleValue());
      return true;
    }
    return false;
  }

  private static void putDouble(byte[] document, int at, double value) {
    RawBytes.putInt64(document, at, Double.doubleToRawLongBits(value));
  }
}
