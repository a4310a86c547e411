// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.nio.charset.StandardCharsets;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Positions in strings, by bytes and by code points: {@code $substrBytes $indexOfCP …}. */
final class Substrings {
  private Substrings() {}

  static void register(Operators.Registrar operators) {
    operators.fixed("$substr", 3, a -> substringBytes("$substr", a));
    operators.fixed("$substrBytes", 3, a -> substringBytes("$substrBytes", a));
    operators.fixed("$substrCP", 3, Substrings::substringCodePoints);
    operators.between("$indexOfBytes", 2, 4, Substrings::indexOfBytes);
    operators.between("$indexOfCP", 2, 4, Substrings::indexOfCodePoints);
  }

  private static int whole(String name, String what, @Nullable BsonValue value, int typeCode) {
    if (value == null || !value.isNumber()) {
      throw new EngineException(
          typeCode,
          name
              + ":  "
              + what
              + " must be a numeric type (is BSON type "
              + BsonTypes.nameOf(value)
              + ")");
    }
    return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, Numbers.toLong(value)));
  }

  private static BsonValue substringBytes(String name, @Nullable BsonValue[] a) {
    byte[] bytes = Strings.text(a[0]).getBytes(StandardCharsets.UTF_8);
    int start = whole(name, "starting index", a[1], 16034);
    int length = whole(name, "length", a[2], 16035);
    if (start < 0) {
      throw new EngineException(
          50752, name + ": starting index must be non-negative (got: " + start + ")");
    }
    if (start >= bytes.length) {
      return new BsonString("");
    }
    int end = length < 0 ? bytes.length : (int) Math.min(bytes.length, (long) start + length);
    if (isContinuation(bytes[start])) {
      throw new EngineException(
          28656, name + ":  Invalid range, starting index is a UTF-8 continuation byte.");
    }
    if (end < bytes.length && isContinuation(bytes[end])) {
      throw new EngineException(
          28657, name + ":  Invalid range, ending index is in the middle of a UTF-8 character.");
    }
    return new BsonString(new String(bytes, start, end - start, StandardCharsets.UTF_8));
  }

  private static boolean isContinuation(byte b) {
    return (b & 0xc0) == 0x80;
  }

  private static BsonValue substringCodePoints(@Nullable BsonValue[] a) {
    String text = Strings.text(a[0]);
    BsonValue startValue = a[1];
    BsonValue lengthValue = a[2];
    if (startValue == null || !startValue.isNumber()) {
      throw new EngineException(
          34450,
          "$substrCP: starting index must be a numeric type (is BSON type "
              + BsonTypes.nameOf(startValue)
              + ")");
    }
    if (!Numbers.isInt(startValue)) {
      throw new EngineException(
          34451,
          "$substrCP: starting index cannot be represented as a 32-bit integral value: "
              + Values.show(startValue));
    }
    if (lengthValue == null || !lengthValue.isNumber()) {
      throw new EngineException(
          34452,
          "$substrCP: length must be a numeric type (is BSON type "
              + BsonTypes.nameOf(lengthValue)
              + ")");
    }
    if (!Numbers.isInt(lengthValue)) {
      throw new EngineException(
          34453,
          "$substrCP: length cannot be represented as a 32-bit integral value: "
              + Values.show(lengthValue));
    }
    int start = (int) Numbers.toLong(startValue);
    int length = (int) Numbers.toLong(lengthValue);
    if (length < 0) {
      throw new EngineException(34454, "$substrCP: length must be a nonnegative integer.");
    }
    if (start < 0) {
      throw new EngineException(
          34455, "$substrCP: the starting index must be nonnegative integer.");
    }
    int count = Strings.codePoints(text);
    if (start >= count) {
      return new BsonString("");
    }
    int from = text.offsetByCodePoints(0, start);
    int to = text.offsetByCodePoints(from, (int) Math.min(length, (long) count - start));
    return new BsonString(text.substring(from, to));
  }

  private static BsonValue indexOfBytes(@Nullable BsonValue[] a) {
    BsonValue input = a[0];
    if (input == null || Values.isNullish(input)) {
      return BsonNull.VALUE;
    }
    byte[] text = Strings.string("$indexOfBytes", 40091, input).getBytes(StandardCharsets.UTF_8);
    byte[] token = Strings.string("$indexOfBytes", 40092, a[1]).getBytes(StandardCharsets.UTF_8);
    int start = a.length > 2 ? Arrays.index("$indexOfBytes", "starting", a[2]) : 0;
    int end =
        a.length > 3
            ? Math.min(text.length, Arrays.index("$indexOfBytes", "ending", a[3]))
            : text.length;
    for (int i = start; i + token.length <= end; i++) {
      if (java.util.Arrays.equals(text, i, i + token.length, token, 0, token.length)) {
        return new BsonInt32(i);
      }
    }
    return new BsonInt32(-1);
  }

  private static BsonValue indexOfCodePoints(@Nullable BsonValue[] a) {
    BsonValue input = a[0];
    if (input == null || Values.isNullish(input)) {
      return BsonNull.VALUE;
    }
    int[] text = Strings.string("$indexOfCP", 40093, input).codePoints().toArray();
    int[] token = Strings.string("$indexOfCP", 40094, a[1]).codePoints().toArray();
    int start = a.length > 2 ? Arrays.index("$indexOfCP", "starting", a[2]) : 0;
    int end =
        a.length > 3
            ? Math.min(text.length, Arrays.index("$indexOfCP", "ending", a[3]))
            : text.length;
    for (int i = start; i + token.length <= end; i++) {
      if (java.util.Arrays.equals(text, i, i + token.length, token, 0, token.length)) {
        return new BsonInt32(i);
      }
    }
    return new BsonInt32(-1);
  }
}
