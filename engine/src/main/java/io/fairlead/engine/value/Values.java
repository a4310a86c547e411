// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.util.Arrays;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDbPointer;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** Values out of bytes, and small questions about values. */
public final class Values {
  private static final BsonMinKey MIN_KEY = new BsonMinKey();
  private static final BsonMaxKey MAX_KEY = new BsonMaxKey();
  private static final BsonUndefined UNDEFINED = new BsonUndefined();

  private Values() {}

  static BsonValue read(int type, byte[] bytes, int at) {
    return switch (type) {
      case BsonTypes.DOUBLE -> new BsonDouble(RawBytes.float64(bytes, at));
      case BsonTypes.STRING -> new BsonString(string(bytes, at));
      case BsonTypes.DOCUMENT -> new RawBsonDocument(bytes, at, RawBytes.int32(bytes, at));
      case BsonTypes.ARRAY -> new RawArray(bytes, at);
      case BsonTypes.BINARY -> {
        int length = RawBytes.int32(bytes, at);
        byte subtype = bytes[at + 4];
        int from = at + 5;
        if (subtype == RawBytes.OLD_BINARY
            && length >= 4
            && RawBytes.int32(bytes, from) == length - 4) {
          from += 4;
          length -= 4;
        }
        yield new BsonBinary(subtype, Arrays.copyOfRange(bytes, from, from + length));
      }
      case BsonTypes.UNDEFINED -> UNDEFINED;
      case BsonTypes.OBJECT_ID ->
          new BsonObjectId(new ObjectId(Arrays.copyOfRange(bytes, at, at + 12)));
      case BsonTypes.BOOLEAN -> BsonBoolean.valueOf(bytes[at] != 0);
      case BsonTypes.DATE_TIME -> new BsonDateTime(RawBytes.int64(bytes, at));
      case BsonTypes.NULL -> BsonNull.VALUE;
      case BsonTypes.REGEX -> {
        int end = RawBytes.textEnd(bytes, at);
        int optionsEnd = RawBytes.textEnd(bytes, end + 1);
        yield new BsonRegularExpression(
            RawBytes.text(bytes, at, end), RawBytes.text(bytes, end + 1, optionsEnd));
      }
      case BsonTypes.DB_POINTER -> {
        int id = at + 4 + RawBytes.int32(bytes, at);
        yield new BsonDbPointer(
            string(bytes, at), new ObjectId(Arrays.copyOfRange(bytes, id, id + 12)));
      }
      case BsonTypes.JAVASCRIPT -> new BsonJavaScript(string(bytes, at));
      case BsonTypes.SYMBOL -> new BsonSymbol(string(bytes, at));
      case BsonTypes.JAVASCRIPT_WITH_SCOPE -> {
        int scope = at + 8 + RawBytes.int32(bytes, at + 4);
        yield new BsonJavaScriptWithScope(
            string(bytes, at + 4), new RawBsonDocument(bytes, scope, RawBytes.int32(bytes, scope)));
      }
      case BsonTypes.INT32 -> new BsonInt32(RawBytes.int32(bytes, at));
      case BsonTypes.TIMESTAMP -> new BsonTimestamp(RawBytes.int64(bytes, at));
      case BsonTypes.INT64 -> new BsonInt64(RawBytes.int64(bytes, at));
      case BsonTypes.DECIMAL128 -> new BsonDecimal128(decimal(bytes, at));
      case BsonTypes.MIN_KEY -> MIN_KEY;
      case BsonTypes.MAX_KEY -> MAX_KEY;
      default -> throw BsonCheck.invalid("unknown type " + type);
    };
  }

  static Decimal128 decimal(byte[] bytes, int at) {
    return Decimal128.fromIEEE754BIDEncoding(
        RawBytes.int64(bytes, at + 8), RawBytes.int64(bytes, at));
  }

  private static String string(byte[] bytes, int at) {
    return RawBytes.text(bytes, at + 4, at + 4 + RawBytes.int32(bytes, at) - 1);
  }

  /** Null, undefined or missing. */
  public static boolean isNullish(@Nullable BsonValue value) {
    return value == null || value.isNull() || value instanceof BsonUndefined;
  }

  public static boolean isNumber(@Nullable BsonValue value) {
    return value != null && value.isNumber();
  }

  /**
   * Whether a value is compared by a collation, where there is one: strings, and what may hold
   * some.
   */
  public static boolean hasStrings(BsonValue value) {
    return value.isString() || value.isSymbol() || value.isDocument() || value.isArray();
  }

  /**
   * A number that is 0 in any type, null, missing, undefined and false are false; everything else
   * is true.
   */
  public static boolean truthy(@Nullable BsonValue value) {
    if (value == null) {
      return false;
    }
    return switch (value.getBsonType()) {
      case BOOLEAN -> value.asBoolean().getValue();
      case NULL, UNDEFINED -> false;
      case INT32 -> value.asInt32().getValue() != 0;
      case INT64 -> value.asInt64().getValue() != 0;
      case DOUBLE -> value.asDouble().getValue() != 0;
      case DECIMAL128 -> !Numbers.isZero(value.asDecimal128().getValue());
      default -> true;
    };
  }

  /** A field of a document; null when it is missing. Reads in place when the document is bytes. */
  public static @Nullable BsonValue field(BsonDocument document, String name) {
    if (document instanceof RawBsonDocument raw) {
      Slice slice = new Slice();
      slice.moveToField(RawBytes.bytes(raw), RawBytes.offset(raw), FieldName.of(name));
      return slice.value();
    }
    return document.get(name);
  }

  /** As text for messages, the way MongoDB prints elements. */
  public static String show(@Nullable BsonValue value) {
    if (value == null) {
      return "MISSING";
    }
    return switch (value.getBsonType()) {
      case INT32 -> Integer.toString(value.asInt32().getValue());
      case INT64 -> Long.toString(value.asInt64().getValue());
      case DOUBLE -> showDouble(value.asDouble().getValue());
      case DECIMAL128 -> value.asDecimal128().getValue().toString();
      case STRING -> "\"" + value.asString().getValue() + "\"";
      case BOOLEAN -> Boolean.toString(value.asBoolean().getValue());
      case NULL -> "null";
      case OBJECT_ID -> "ObjectId('" + value.asObjectId().getValue().toHexString() + "')";
      case DOCUMENT -> showDocument(value.asDocument());
      case ARRAY -> {
        StringBuilder text = new StringBuilder("[ ");
        for (BsonValue element : value.asArray()) {
          text.append(text.length() > 2 ? ", " : "").append(show(element));
        }
        yield text.append(text.length() > 2 ? " ]" : "]").toString();
      }
      case DATE_TIME -> "new Date(" + value.asDateTime().getValue() + ")";
      case REGULAR_EXPRESSION ->
          "/"
              + value.asRegularExpression().getPattern()
              + "/"
              + value.asRegularExpression().getOptions();
      case UNDEFINED -> "undefined";
      case MIN_KEY -> "MinKey";
      case MAX_KEY -> "MaxKey";
      default -> value.toString();
    };
  }

  /** A document as MongoDB prints it in messages. */
  public static String showDocument(BsonDocument document) {
    if (document.isEmpty()) {
      return "{}";
    }
    StringBuilder text = new StringBuilder("{ ");
    document.forEach(
        (name, value) ->
            text.append(text.length() > 2 ? ", " : "")
                .append(name)
                .append(": ")
                .append(show(value)));
    return text.append(" }").toString();
  }

  /** A double the way MongoDB prints it: at least one digit after the point. */
  public static String showDouble(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return (value == 0 && 1 / value < 0 ? "-0" : Long.toString((long) value)) + ".0";
    }
    return Double.toString(value);
  }
}
