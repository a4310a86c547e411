// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Type codes as they stand in BSON, their names in {@code $type}, and their rank in the order of
 * values.
 */
public final class BsonTypes {
  public static final int MISSING = 0;
  public static final int DOUBLE = 1;
  public static final int STRING = 2;
  public static final int DOCUMENT = 3;
  public static final int ARRAY = 4;
  public static final int BINARY = 5;
  public static final int UNDEFINED = 6;
  public static final int OBJECT_ID = 7;
  public static final int BOOLEAN = 8;
  public static final int DATE_TIME = 9;
  public static final int NULL = 10;
  public static final int REGEX = 11;
  public static final int DB_POINTER = 12;
  public static final int JAVASCRIPT = 13;
  public static final int SYMBOL = 14;
  public static final int JAVASCRIPT_WITH_SCOPE = 15;
  public static final int INT32 = 16;
  public static final int TIMESTAMP = 17;
  public static final int INT64 = 18;
  public static final int DECIMAL128 = 19;
  public static final int MIN_KEY = -1;
  public static final int MAX_KEY = 127;

  /** Rank of numbers. */
  public static final int RANK_NUMBER = 10;

  /** Rank of a missing value and of undefined. */
  public static final int RANK_MISSING = 0;

  private static final Map<Integer, String> NAMES = new HashMap<>();
  private static final Map<String, Integer> CODES = new HashMap<>();

  static {
    name(DOUBLE, "double");
    name(STRING, "string");
    name(DOCUMENT, "object");
    name(ARRAY, "array");
    name(BINARY, "binData");
    name(UNDEFINED, "undefined");
    name(OBJECT_ID, "objectId");
    name(BOOLEAN, "bool");
    name(DATE_TIME, "date");
    name(NULL, "null");
    name(REGEX, "regex");
    name(DB_POINTER, "dbPointer");
    name(JAVASCRIPT, "javascript");
    name(SYMBOL, "symbol");
    name(JAVASCRIPT_WITH_SCOPE, "javascriptWithScope");
    name(INT32, "int");
    name(TIMESTAMP, "timestamp");
    name(INT64, "long");
    name(DECIMAL128, "decimal");
    name(MIN_KEY, "minKey");
    name(MAX_KEY, "maxKey");
  }

  private BsonTypes() {}

  private static void name(int code, String name) {
    NAMES.put(code, name);
    CODES.put(name, code);
  }

  /** The name in {@code $type}; {@code missing} for an absent value. */
  public static String nameOf(int code) {
    return NAMES.getOrDefault(code, "missing");
  }

  public static String nameOf(@Nullable BsonValue value) {
    return nameOf(codeOf(value));
  }

  public static OptionalInt codeOf(String name) {
    Integer code = CODES.get(name);
    return code == null ? OptionalInt.empty() : OptionalInt.of(code);
  }

  public static boolean isCode(int code) {
    return NAMES.containsKey(code);
  }

  /** The code as it stands in BSON; {@link #MISSING} for null. */
  public static int codeOf(@Nullable BsonValue value) {
    if (value == null) {
      return MISSING;
    }
    return value.getBsonType() == BsonType.MIN_KEY ? MIN_KEY : value.getBsonType().getValue();
  }

  public static boolean isNumber(int code) {
    return code == INT32 || code == DOUBLE || code == INT64 || code == DECIMAL128;
  }

  /** The bracket a type belongs to; brackets follow each other in the order of these numbers. */
  public static int rank(int code) {
    return switch (code) {
      case MIN_KEY -> -1;
      case MISSING, UNDEFINED -> RANK_MISSING;
      case NULL -> 5;
      case DOUBLE, INT32, INT64, DECIMAL128 -> RANK_NUMBER;
      case STRING, SYMBOL -> 15;
      case DOCUMENT -> 20;
      case ARRAY -> 25;
      case BINARY -> 30;
      case OBJECT_ID -> 35;
      case BOOLEAN -> 40;
      case DATE_TIME -> 45;
      case TIMESTAMP -> 47;
      case REGEX -> 50;
      case DB_POINTER -> 55;
      case JAVASCRIPT -> 60;
      case JAVASCRIPT_WITH_SCOPE -> 65;
      default -> 127;
    };
  }
}
