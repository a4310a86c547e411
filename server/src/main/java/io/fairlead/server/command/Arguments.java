// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Reads one argument of a command as one type, or fails with TypeMismatch (14) as MongoDB does. */
public final class Arguments {
  private Arguments() {}

  public static String string(String field, BsonValue value) {
    if (!value.isString()) {
      throw Failures.wrongType(field, value, "string");
    }
    return value.asString().getValue();
  }

  public static BsonDocument document(String field, BsonValue value) {
    if (!value.isDocument()) {
      throw Failures.wrongType(field, value, "object");
    }
    return value.asDocument();
  }

  public static BsonArray array(String field, BsonValue value) {
    if (!value.isArray()) {
      throw Failures.wrongType(field, value, "array");
    }
    return value.asArray();
  }

  /** A boolean, or a number that stands for one, as old clients send. */
  public static boolean bool(String field, BsonValue value) {
    if (value.isBoolean()) {
      return value.asBoolean().getValue();
    }
    if (value.isNumber()) {
      return value.asNumber().doubleValue() != 0;
    }
    throw Failures.wrongType(field, value, "bool");
  }

  /** A whole number of any numeric type. */
  public static long integer(String field, BsonValue value) {
    if (value.isInt32() || value.isInt64()) {
      return value.asNumber().longValue();
    }
    if (value.isDouble()) {
      double number = value.asDouble().getValue();
      if (number == Math.rint(number) && Math.abs(number) < 9.2e18) {
        return (long) number;
      }
      throw Failures.of(2, "BSON field '" + field + "' must be a whole number, was " + number);
    }
    if (value.isDecimal128()) {
      try {
        return value.asDecimal128().getValue().bigDecimalValue().longValueExact();
      } catch (ArithmeticException notWhole) {
        throw Failures.of(
            2,
            "BSON field '"
                + field
                + "' must be a whole number, was "
                + value.asDecimal128().getValue());
      }
    }
    throw Failures.wrongType(field, value, "long");
  }

  /** A whole number that must have come as int64. */
  public static long exactLong(String field, BsonValue value) {
    if (!value.isInt64()) {
      throw Failures.wrongType(field, value, "long");
    }
    return value.asInt64().getValue();
  }

  /** A whole number within bounds, or BadValue (2). */
  public static int intBetween(String field, BsonValue value, int least, int most) {
    long number = integer(field, value);
    if (number < least || number > most) {
      throw Failures.of(
          51024,
          "BSON field '"
              + field
              + "' value must be >= "
              + least
              + " and <= "
              + most
              + ", actual value '"
              + number
              + "'");
    }
    return (int) number;
  }

  /** An array of documents. */
  public static List<BsonDocument> documents(String field, BsonValue value) {
    List<BsonDocument> documents = new ArrayList<>();
    int index = 0;
    for (BsonValue element : array(field, value)) {
      documents.add(document(field + "." + index++, element));
    }
    return documents;
  }

  /** The string, or null where the field is absent. */
  public static @Nullable String optionalString(BsonDocument body, String field) {
    BsonValue value = body.get(field);
    return value == null ? null : string(field, value);
  }

  /** The document, or null where the field is absent. */
  public static @Nullable BsonDocument optionalDocument(BsonDocument body, String field) {
    BsonValue value = body.get(field);
    return value == null ? null : document(field, value);
  }

  /** The boolean, or false where the field is absent. */
  public static boolean flag(BsonDocument body, String field) {
    BsonValue value = body.get(field);
    return value != null && bool(field, value);
  }
}
