// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** String operators; those with patterns are {@link RegexOperators}. */
final class Strings {
  // Between these, a double is written without an exponent.
  private static final int LEAST_PLAIN_EXPONENT = -4;
  private static final int GREATEST_PLAIN_EXPONENT = 15;

  private static final String WHITESPACE =
      "\0 \t\n"
          + "\u000B\f\r"
          + "\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A";

  private Strings() {}

  static void register(Operators.Registrar operators) {
    operators.variadic("$concat", Strings::concat);
    operators.fixed("$toLower", 1, a -> new BsonString(ascii(text(a[0]), true)));
    operators.fixed("$toUpper", 1, a -> new BsonString(ascii(text(a[0]), false)));
    operators.fixed(
        "$strcasecmp",
        2,
        a ->
            new BsonInt32(
                Integer.signum(
                    BsonOrder.plain(ascii(text(a[0]), false), ascii(text(a[1]), false)))));
    operators.fixed(
        "$strLenBytes",
        1,
        a ->
            new BsonInt32(
                string("$strLenBytes", 34473, a[0]).getBytes(StandardCharsets.UTF_8).length));
    operators.fixed(
        "$strLenCP", 1, a -> new BsonInt32(codePoints(string("$strLenCP", 34471, a[0]))));
    operators.fixed("$substr", 3, a -> substringBytes("$substr", a));
    operators.fixed("$substrBytes", 3, a -> substringBytes("$substrBytes", a));
    operators.fixed("$substrCP", 3, Strings::substringCodePoints);
    operators.between("$indexOfBytes", 2, 4, Strings::indexOfBytes);
    operators.between("$indexOfCP", 2, 4, Strings::indexOfCodePoints);
    operators.fixed("$split", 2, a -> split(a[0], a[1]));
    for (String name : List.of("$trim", "$ltrim", "$rtrim")) {
      operators.custom(name, Strings::trim);
    }
    for (String name : List.of("$replaceOne", "$replaceAll")) {
      operators.custom(name, Strings::replace);
    }
  }

  private static BsonValue concat(@Nullable BsonValue[] arguments) {
    StringBuilder joined = new StringBuilder();
    for (BsonValue argument : arguments) {
      if (argument == null || Values.isNullish(argument)) {
        return BsonNull.VALUE;
      }
      if (!(argument instanceof BsonString string)) {
        throw new EngineException(
            16702, "$concat only supports strings, not " + BsonTypes.nameOf(argument));
      }
      joined.append(string.getValue());
    }
    return new BsonString(joined.toString());
  }

  private static String string(String name, int code, @Nullable BsonValue value) {
    if (!(value instanceof BsonString string)) {
      throw new EngineException(
          code, name + " requires a string argument, found: " + BsonTypes.nameOf(value));
    }
    return string.getValue();
  }

  private static int codePoints(String text) {
    return text.codePointCount(0, text.length());
  }

  /** Lower or upper case of ASCII letters alone, as MongoDB does. */
  static String ascii(String text, boolean lower) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (lower && c >= 'A' && c <= 'Z') {
        c = (char) (c + 32);
      } else if (!lower && c >= 'a' && c <= 'z') {
        c = (char) (c - 32);
      }
      out.append(c);
    }
    return out.toString();
  }

  /** A value as text, where operators take more than strings; nothing is the empty string. */
  static String text(@Nullable BsonValue value) {
    if (value == null || Values.isNullish(value)) {
      return "";
    }
    return switch (value.getBsonType()) {
      case STRING -> value.asString().getValue();
      case SYMBOL -> ((BsonSymbol) value).getSymbol();
      case JAVASCRIPT -> value.asJavaScript().getCode();
      case INT32 -> Integer.toString(value.asInt32().getValue());
      case INT64 -> Long.toString(value.asInt64().getValue());
      case DOUBLE -> number(value.asDouble().getValue());
      case DECIMAL128 -> value.asDecimal128().getValue().toString();
      case DATE_TIME -> date(value.asDateTime().getValue());
      case TIMESTAMP -> date(value.asTimestamp().getTime() * 1000L);
      default ->
          throw new EngineException(
              16007, "can't convert from BSON type " + BsonTypes.nameOf(value) + " to String");
    };
  }

  /**
   * A double by the fewest digits that tell it from others, without a needless fraction; with an
   * exponent where it is very large or very small.
   */
  static String number(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "Infinity" : "-Infinity";
    }
    if (value == 0) {
      return 1 / value < 0 ? "-0" : "0";
    }
    String sign = value < 0 ? "-" : "";
    BigDecimal shortest = new BigDecimal(Double.toString(Math.abs(value))).stripTrailingZeros();
    int exponent = shortest.precision() - shortest.scale() - 1;
    if (exponent >= LEAST_PLAIN_EXPONENT && exponent <= GREATEST_PLAIN_EXPONENT) {
      return sign + shortest.toPlainString();
    }
    String digits = shortest.unscaledValue().toString();
    return sign
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + (exponent < 0 ? "e-" : "e+")
        + (Math.abs(exponent) < 10 ? "0" : "")
        + Math.abs(exponent);
  }

  /** ISO 8601 with milliseconds. */
  static String date(long millis) {
    return DateFormat.iso(Instant.ofEpochMilli(millis));
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
    byte[] bytes = text(a[0]).getBytes(StandardCharsets.UTF_8);
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
    String text = text(a[0]);
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
    int count = codePoints(text);
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
    byte[] text = string("$indexOfBytes", 40091, input).getBytes(StandardCharsets.UTF_8);
    byte[] token = string("$indexOfBytes", 40092, a[1]).getBytes(StandardCharsets.UTF_8);
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
    int[] text = string("$indexOfCP", 40093, input).codePoints().toArray();
    int[] token = string("$indexOfCP", 40094, a[1]).codePoints().toArray();
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

  private static BsonValue split(@Nullable BsonValue input, @Nullable BsonValue separator) {
    if (input == null
        || Values.isNullish(input)
        || separator == null
        || Values.isNullish(separator)) {
      return BsonNull.VALUE;
    }
    if (!(input instanceof BsonString text)) {
      throw new EngineException(
          40085,
          "$split requires an expression that evaluates to a string as a first argument, found: "
              + BsonTypes.nameOf(input));
    }
    if (!(separator instanceof BsonString by)) {
      throw new EngineException(
          40086,
          "$split requires an expression that evaluates to a string as a second argument, found: "
              + BsonTypes.nameOf(separator));
    }
    if (by.getValue().isEmpty()) {
      throw new EngineException(40087, "$split requires a non-empty separator");
    }
    BsonArray parts = new BsonArray();
    String rest = text.getValue();
    int from = 0;
    int at;
    while ((at = rest.indexOf(by.getValue(), from)) >= 0) {
      parts.add(new BsonString(rest.substring(from, at)));
      from = at + by.getValue().length();
    }
    parts.add(new BsonString(rest.substring(from)));
    return parts;
  }

  private static Node trim(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(name, operand, 50696, 50694, Set.of("input", "chars"));
    Node input = parser.required(name, arguments, "input", 50695);
    boolean given = arguments.containsKey("chars");
    Node chars = parser.optional(arguments, "chars", new BsonString(WHITESPACE));
    return CallNode.of(
        List.of(input, chars),
        a -> {
          BsonValue text = a[0];
          BsonValue cut = a[1];
          if (text == null || Values.isNullish(text) || cut == null || Values.isNullish(cut)) {
            return BsonNull.VALUE;
          }
          if (!(text instanceof BsonString string)) {
            throw new EngineException(
                50699,
                name
                    + " requires its input to be a string, got "
                    + Values.show(text)
                    + " (of type "
                    + BsonTypes.nameOf(text)
                    + ") instead.");
          }
          if (given && !cut.isString()) {
            throw new EngineException(
                50700,
                name
                    + " requires 'chars' to be a string, got "
                    + Values.show(cut)
                    + " (of type "
                    + BsonTypes.nameOf(cut)
                    + ") instead.");
          }
          return new BsonString(
              trimmed(
                  string.getValue(),
                  cut.asString().getValue(),
                  !name.equals("$rtrim"),
                  !name.equals("$ltrim")));
        });
  }

  private static String trimmed(String text, String chars, boolean left, boolean right) {
    int from = 0;
    int to = text.length();
    while (left && from < to) {
      int c = text.codePointAt(from);
      if (chars.indexOf(c) < 0) {
        break;
      }
      from += Character.charCount(c);
    }
    while (right && to > from) {
      int c = text.codePointBefore(to);
      if (chars.indexOf(c) < 0) {
        break;
      }
      to -= Character.charCount(c);
    }
    return text.substring(from, to);
  }

  private static Node replace(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(name, operand, 51751, 51750, Set.of("input", "find", "replacement"));
    Node input = parser.required(name, arguments, "input", 51749);
    Node find = parser.required(name, arguments, "find", 51748);
    Node replacement = parser.required(name, arguments, "replacement", 51747);
    return CallNode.of(
        List.of(input, find, replacement),
        a -> {
          boolean nullish = false;
          String[] kinds = {"input", "find", "replacement"};
          for (int i = 0; i < 3; i++) {
            BsonValue value = a[i];
            if (value == null || Values.isNullish(value)) {
              nullish = true;
            } else if (!value.isString()) {
              throw new EngineException(
                  51746 - i,
                  name
                      + " requires that '"
                      + kinds[i]
                      + "' be a string, found: "
                      + Values.show(value));
            }
          }
          if (nullish) {
            return BsonNull.VALUE;
          }
          String text = java.util.Objects.requireNonNull(a[0]).asString().getValue();
          String wanted = java.util.Objects.requireNonNull(a[1]).asString().getValue();
          String with = java.util.Objects.requireNonNull(a[2]).asString().getValue();
          if (name.equals("$replaceAll")) {
            return new BsonString(text.replace(wanted, with));
          }
          int at = text.indexOf(wanted);
          return new BsonString(
              at < 0 ? text : text.substring(0, at) + with + text.substring(at + wanted.length()));
        });
  }
}
