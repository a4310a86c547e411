// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
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

/**
 * String operators; those that count positions are {@link Substrings}, those with patterns {@link
 * RegexOperators}.
 */
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

  static String string(String name, int code, @Nullable BsonValue value) {
    if (!(value instanceof BsonString string)) {
      throw new EngineException(
          code, name + " requires a string argument, found: " + BsonTypes.nameOf(value));
    }
    return string.getValue();
  }

  static int codePoints(String text) {
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
