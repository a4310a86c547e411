// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.Map;
import java.util.Set;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** {@code $type $isNumber $convert} and its short forms. */
final class Types {
  private static final Map<String, String> SHORT =
      Map.of(
          "$toBool",
          "bool",
          "$toInt",
          "int",
          "$toLong",
          "long",
          "$toDouble",
          "double",
          "$toDecimal",
          "decimal",
          "$toString",
          "string",
          "$toDate",
          "date",
          "$toObjectId",
          "objectId");

  private Types() {}

  static void register(Operators.Registrar operators) {
    operators.fixed("$type", 1, a -> new BsonString(BsonTypes.nameOf(a[0])));
    operators.fixed("$isNumber", 1, a -> BsonBoolean.valueOf(Values.isNumber(a[0])));
    SHORT.forEach(
        (name, type) -> {
          int code = BsonTypes.codeOf(type).orElseThrow();
          operators.fixed(name, 1, a -> convert(a[0], code));
        });
    operators.fixed("$toUUID", 1, a -> uuid(a[0]));
    operators.custom("$convert", Types::parse);
  }

  private static Node parse(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(
            name,
            operand,
            ErrorCodes.FAILED_TO_PARSE,
            ErrorCodes.FAILED_TO_PARSE,
            Set.of("input", "to", "onError", "onNull", "format"));
    Node input = parser.required(name, arguments, "input", ErrorCodes.FAILED_TO_PARSE);
    Node to = parser.required(name, arguments, "to", ErrorCodes.FAILED_TO_PARSE);
    Node format = parser.optional(arguments, "format", null);
    BsonValue onError = arguments.get("onError");
    BsonValue onNull = arguments.get("onNull");
    return new ConvertNode(
        input,
        to,
        format,
        onError == null ? null : parser.parse(onError),
        onNull == null ? new Node.Constant(BsonNull.VALUE) : parser.parse(onNull));
  }

  static EngineException failure(String why) {
    return new EngineException(
        ErrorCodes.CONVERSION_FAILURE, why + " in $convert with no onError value");
  }

  static EngineException unsupported(@Nullable BsonValue value, int code) {
    return failure(
        "Unsupported conversion from " + BsonTypes.nameOf(value) + " to " + BsonTypes.nameOf(code));
  }

  private static BsonValue uuid(@Nullable BsonValue value) {
    if (value == null || Values.isNullish(value)) {
      return BsonNull.VALUE;
    }
    byte standard = BsonBinarySubType.UUID_STANDARD.getValue();
    return switch (value) {
      case BsonBinary binary -> BinaryConversion.same(binary, standard);
      case BsonString text ->
          BinaryConversion.toBinary(text, standard, BinaryConversion.Format.UUID);
      default -> throw unsupported(value, BsonTypes.BINARY);
    };
  }

  /** Converts; null stays null. */
  static BsonValue convert(@Nullable BsonValue value, int code) {
    if (value == null || Values.isNullish(value)) {
      return BsonNull.VALUE;
    }
    return switch (code) {
      case BsonTypes.BOOLEAN -> BsonBoolean.valueOf(Values.truthy(value));
      case BsonTypes.INT32 -> toInt(value);
      case BsonTypes.INT64 -> toLong(value);
      case BsonTypes.DOUBLE -> toDouble(value);
      case BsonTypes.DECIMAL128 -> toDecimal(value);
      case BsonTypes.STRING -> toText(value);
      case BsonTypes.DATE_TIME -> toDate(value);
      case BsonTypes.OBJECT_ID -> toObjectId(value);
      default -> throw unsupported(value, code);
    };
  }

  private static BsonValue toInt(BsonValue value) {
    return new BsonInt32((int) whole(value, BsonTypes.INT32, Integer.MIN_VALUE, Integer.MAX_VALUE));
  }

  private static BsonValue toLong(BsonValue value) {
    return value instanceof BsonDateTime date
        ? new BsonInt64(date.getValue())
        : new BsonInt64(whole(value, BsonTypes.INT64, Long.MIN_VALUE, Long.MAX_VALUE));
  }

  private static long whole(BsonValue value, int code, long least, long most) {
    switch (value) {
      case BsonBoolean flag -> {
        return flag.getValue() ? 1 : 0;
      }
      case BsonString text -> {
        try {
          long number = Long.parseLong(text.getValue());
          if (number < least || number > most) {
            throw new NumberFormatException("Overflow");
          }
          return number;
        } catch (NumberFormatException e) {
          throw failure("Failed to parse number '" + text.getValue() + "'");
        }
      }
      default -> {
        if (!value.isNumber()) {
          throw unsupported(value, code);
        }
        double real = Numbers.toDouble(value);
        if (Double.isNaN(real)) {
          throw failure("Attempt to convert NaN value to integer type");
        }
        if (Double.isInfinite(real)) {
          throw failure("Attempt to convert infinity value to integer type");
        }
        boolean exact = value instanceof BsonInt32 || value instanceof BsonInt64;
        boolean tooBig = !exact && !(real >= -0x1p63 && real < 0x1p63);
        long number = Numbers.toLong(value);
        if (tooBig || number < least || number > most) {
          throw failure("Conversion would overflow target type");
        }
        return number;
      }
    }
  }

  private static BsonValue toDouble(BsonValue value) {
    return switch (value) {
      case BsonBoolean flag -> new BsonDouble(flag.getValue() ? 1 : 0);
      case BsonDateTime date -> new BsonDouble(date.getValue());
      case BsonString text -> new BsonDouble(parseDouble(text.getValue()));
      default -> {
        if (!value.isNumber()) {
          throw unsupported(value, BsonTypes.DOUBLE);
        }
        double number = Numbers.toDouble(value);
        if (Double.isInfinite(number)
            && value instanceof BsonDecimal128 decimal
            && !decimal.getValue().isInfinite()) {
          throw failure("Conversion would overflow target type");
        }
        yield new BsonDouble(number);
      }
    };
  }

  private static double parseDouble(String text) {
    if (text.startsWith("0x") || text.startsWith("0X")) {
      throw failure("Illegal hexadecimal input: " + text);
    }
    try {
      boolean suffixed =
          !text.isEmpty()
              && "dDfF".indexOf(text.charAt(text.length() - 1)) >= 0
              && !text.toLowerCase(java.util.Locale.ROOT).endsWith("inf");
      boolean odd = text.isEmpty() || text.strip().length() != text.length() || suffixed;
      if (!odd) {
        return switch (text.toLowerCase(java.util.Locale.ROOT)) {
          case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
          case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
          case "nan" -> Double.NaN;
          default -> {
            double number = Double.parseDouble(text);
            if (Double.isInfinite(number)) {
              throw new NumberFormatException("Out of range");
            }
            yield number;
          }
        };
      }
    } catch (NumberFormatException e) {
      throw failure("Failed to parse number '" + text + "'");
    }
    throw failure("Failed to parse number '" + text + "'");
  }

  private static BsonValue toDecimal(BsonValue value) {
    return switch (value) {
      case BsonBoolean flag -> new BsonDecimal128(new Decimal128(flag.getValue() ? 1 : 0));
      case BsonDateTime date -> new BsonDecimal128(new Decimal128(date.getValue()));
      case BsonString text -> {
        try {
          yield new BsonDecimal128(Decimal128.parse(text.getValue()));
        } catch (NumberFormatException e) {
          throw failure("Failed to parse number '" + text.getValue() + "'");
        }
      }
      default -> {
        if (!value.isNumber()) {
          throw unsupported(value, BsonTypes.DECIMAL128);
        }
        yield new BsonDecimal128(Numbers.roundedDecimal(value));
      }
    };
  }

  private static BsonValue toText(BsonValue value) {
    return switch (value) {
      case BsonString text -> text;
      case BsonBoolean flag -> new BsonString(flag.getValue() ? "true" : "false");
      case BsonObjectId id -> new BsonString(id.getValue().toHexString());
      case BsonBinary binary -> BinaryConversion.toText(binary, BinaryConversion.Format.AUTO);
      case BsonDateTime date -> new BsonString(Strings.date(date.getValue()));
      default -> {
        if (!value.isNumber()) {
          throw unsupported(value, BsonTypes.STRING);
        }
        yield new BsonString(Strings.text(value));
      }
    };
  }

  private static BsonValue toDate(BsonValue value) {
    return switch (value) {
      case BsonDateTime date -> date;
      case BsonString text ->
          new BsonDateTime(DateFormat.parse(text.getValue(), java.time.ZoneOffset.UTC));
      case BsonObjectId id -> new BsonDateTime(id.getValue().getTimestamp() * 1000L);
      case org.bson.BsonTimestamp time ->
          new BsonDateTime(Integer.toUnsignedLong(time.getTime()) * 1000L);
      case BsonInt32 number -> throw unsupported(value, BsonTypes.DATE_TIME);
      default -> {
        if (!value.isNumber()) {
          throw unsupported(value, BsonTypes.DATE_TIME);
        }
        yield new BsonDateTime(whole(value, BsonTypes.DATE_TIME, Long.MIN_VALUE, Long.MAX_VALUE));
      }
    };
  }

  private static BsonValue toObjectId(BsonValue value) {
    if (value instanceof BsonObjectId) {
      return value;
    }
    if (!(value instanceof BsonString text)) {
      throw unsupported(value, BsonTypes.OBJECT_ID);
    }
    if (!ObjectId.isValid(text.getValue())) {
      throw failure(
          "Failed to parse objectId '"
              + text.getValue()
              + "': "
              + (text.getValue().length() == 24
                  ? "Invalid character found in hex string"
                  : "Invalid string length for parsing to OID, expected 24 but found "
                      + text.getValue().length()));
    }
    return new BsonObjectId(new ObjectId(text.getValue()));
  }
}
