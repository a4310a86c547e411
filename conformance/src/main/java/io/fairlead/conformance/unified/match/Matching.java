// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.match;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.json.JsonParseException;
import org.jspecify.annotations.Nullable;

/**
 * The format's rules for comparing values: fields in any order, numbers by value, a root document
 * may have more fields than expected, and the operators that begin with {@code $$}.
 */
public final class Matching {
  private final Names names;

  public Matching(Names names) {
    this.names = names;
  }

  /**
   * Compares an operation's result or another whole value. Documents are root documents; so are
   * those in an array where {@code ofDocuments} says that it came from a cursor.
   *
   * @throws TestFailure saying where they differ
   */
  public void result(BsonValue expected, @Nullable BsonValue actual, boolean ofDocuments) {
    if (ofDocuments && expected.isArray() && actual != null && actual.isArray()) {
      array("result", expected.asArray(), actual.asArray(), true);
    } else {
      match("result", expected, actual, true);
    }
  }

  /** Compares a whole document, which may have more fields than expected. */
  public void root(String path, BsonValue expected, @Nullable BsonValue actual) {
    match(path, expected, actual, true);
  }

  /** Compares a value that is a part of another. */
  public void part(String path, BsonValue expected, @Nullable BsonValue actual) {
    match(path, expected, actual, false);
  }

  private void match(String path, BsonValue expected, @Nullable BsonValue actual, boolean root) {
    if (isOperator(expected)) {
      operator(path, expected.asDocument(), actual, root);
    } else if (actual == null) {
      throw differ(path, expected, null);
    } else if (expected.isDocument()) {
      if (!actual.isDocument()) {
        throw differ(path, expected, actual);
      }
      document(path, expected.asDocument(), actual.asDocument(), root);
    } else if (expected.isArray()) {
      if (!actual.isArray()) {
        throw differ(path, expected, actual);
      }
      array(path, expected.asArray(), actual.asArray(), false);
    } else if (!equal(expected, actual)) {
      throw differ(path, expected, actual);
    }
  }

  private void document(String path, BsonDocument expected, BsonDocument actual, boolean root) {
    expected.forEach((key, value) -> match(path + "." + key, value, actual.get(key), false));
    if (!root) {
      actual.forEach(
          (key, value) -> {
            if (!expected.containsKey(key)) {
              throw new TestFailure(
                  path + ": unexpected field '" + key + "' in " + Texts.of(actual));
            }
          });
    }
  }

  private void array(String path, BsonArray expected, BsonArray actual, boolean ofRoots) {
    if (expected.size() != actual.size()) {
      throw differ(path, expected, actual);
    }
    for (int i = 0; i < expected.size(); i++) {
      match(path + "[" + i + "]", expected.get(i), actual.get(i), ofRoots);
    }
  }

  private static boolean isOperator(BsonValue expected) {
    return expected.isDocument()
        && expected.asDocument().size() == 1
        && expected.asDocument().getFirstKey().startsWith("$$");
  }

  private void operator(
      String path, BsonDocument expected, @Nullable BsonValue actual, boolean root) {
    String name = expected.getFirstKey();
    BsonValue operand = Objects.requireNonNull(expected.get(name));
    switch (name) {
      case "$$exists" ->
          require(operand.asBoolean().getValue() == (actual != null), path, expected, actual);
      case "$$type" -> require(hasType(operand, actual), path, expected, actual);
      case "$$matchesEntity" ->
          match(path, names.value(operand.asString().getValue()), actual, root);
      case "$$matchesHexBytes" -> require(hasBytes(operand, actual), path, expected, actual);
      case "$$unsetOrMatches" -> {
        if (actual != null) {
          match(path, operand, actual, root);
        }
      }
      case "$$sessionLsid" ->
          require(
              names.sessionId(operand.asString().getValue()).equals(actual),
              path,
              expected,
              actual);
      case "$$lte" ->
          require(
              actual instanceof BsonNumber number
                  && exact(number).compareTo(exact(operand.asNumber())) <= 0,
              path,
              expected,
              actual);
      case "$$matchAsDocument" -> match(path, operand, parsed(path, actual), false);
      case "$$matchAsRoot" -> {
        require(actual != null && actual.isDocument(), path, expected, actual);
        match(path, operand, actual, true);
      }
      default -> throw new TestFailure(path + ": unknown operator " + name);
    }
  }

  private static BsonDocument parsed(String path, @Nullable BsonValue actual) {
    if (actual == null || !actual.isString()) {
      throw new TestFailure(path + ": not a string of JSON: " + Texts.of(actual));
    }
    try {
      return BsonDocument.parse(actual.asString().getValue());
    } catch (JsonParseException | org.bson.BsonInvalidOperationException failure) {
      throw new TestFailure(path + ": not a JSON object: " + Texts.of(actual), failure);
    }
  }

  private static boolean hasBytes(BsonValue hex, @Nullable BsonValue actual) {
    byte[] expected;
    try {
      expected = HexFormat.of().parseHex(hex.asString().getValue());
    } catch (IllegalArgumentException malformed) {
      throw new TestFailure("malformed hex bytes: " + Texts.of(hex), malformed);
    }
    return actual != null
        && actual.isString()
        && new String(expected, StandardCharsets.ISO_8859_1).equals(actual.asString().getValue());
  }

  private static boolean hasType(BsonValue types, @Nullable BsonValue actual) {
    if (actual == null) {
      return false;
    }
    List<BsonValue> all = types.isArray() ? types.asArray() : List.of(types);
    return all.stream().anyMatch(type -> is(actual.getBsonType(), type.asString().getValue()));
  }

  private static boolean is(BsonType type, String name) {
    return switch (name) {
      case "double" -> type == BsonType.DOUBLE;
      case "string" -> type == BsonType.STRING;
      case "object" -> type == BsonType.DOCUMENT;
      case "array" -> type == BsonType.ARRAY;
      case "binData" -> type == BsonType.BINARY;
      case "undefined" -> type == BsonType.UNDEFINED;
      case "objectId" -> type == BsonType.OBJECT_ID;
      case "bool" -> type == BsonType.BOOLEAN;
      case "date" -> type == BsonType.DATE_TIME;
      case "null" -> type == BsonType.NULL;
      case "regex" -> type == BsonType.REGULAR_EXPRESSION;
      case "dbPointer" -> type == BsonType.DB_POINTER;
      case "javascript" -> type == BsonType.JAVASCRIPT;
      case "symbol" -> type == BsonType.SYMBOL;
      case "javascriptWithScope" -> type == BsonType.JAVASCRIPT_WITH_SCOPE;
      case "int" -> type == BsonType.INT32;
      case "timestamp" -> type == BsonType.TIMESTAMP;
      case "long" -> type == BsonType.INT64;
      case "decimal" -> type == BsonType.DECIMAL128;
      case "number" ->
          type == BsonType.INT32
              || type == BsonType.INT64
              || type == BsonType.DOUBLE
              || type == BsonType.DECIMAL128;
      case "minKey" -> type == BsonType.MIN_KEY;
      case "maxKey" -> type == BsonType.MAX_KEY;
      default -> throw new TestFailure("unknown type '" + name + "' in $$type");
    };
  }

  private static boolean equal(BsonValue expected, BsonValue actual) {
    if (isPlainNumber(expected) && isPlainNumber(actual)) {
      double a = expected.asNumber().doubleValue();
      double b = actual.asNumber().doubleValue();
      return (Double.isFinite(a) && Double.isFinite(b))
          ? exact(expected.asNumber()).compareTo(exact(actual.asNumber())) == 0
          : Double.compare(a, b) == 0;
    }
    return expected.equals(actual);
  }

  private static boolean isPlainNumber(BsonValue value) {
    return value.isInt32() || value.isInt64() || value.isDouble();
  }

  private static BigDecimal exact(BsonNumber number) {
    return number.isDouble()
        ? BigDecimal.valueOf(number.doubleValue())
        : number.isDecimal128()
            ? number.decimal128Value().bigDecimalValue()
            : BigDecimal.valueOf(number.longValue());
  }

  private static void require(
      boolean holds, String path, BsonValue expected, @Nullable BsonValue actual) {
    if (!holds) {
      throw differ(path, expected, actual);
    }
  }

  private static TestFailure differ(String path, BsonValue expected, @Nullable BsonValue actual) {
    return new TestFailure(
        path + ": expected " + Texts.of(expected) + " but was " + Texts.of(actual));
  }
}
