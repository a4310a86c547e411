// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/**
 * Numbers, strings and lengths within bytes of BSON. The bytes are taken to be well formed: {@link
 * BsonCheck} sees to it.
 */
public final class RawBytes {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The binary subtype that repeats its length inside its data. */
  static final byte OLD_BINARY = 2;

  private RawBytes() {}

  public static int int32(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  public static long int64(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  public static double float64(byte[] bytes, int at) {
    return Double.longBitsToDouble((long) LONG.get(bytes, at));
  }

  public static void putInt32(byte[] bytes, int at, int value) {
    INT.set(bytes, at, value);
  }

  public static void putInt64(byte[] bytes, int at, long value) {
    LONG.set(bytes, at, value);
  }

  /** Where the NUL that ends the text at {@code at} stands. */
  public static int textEnd(byte[] bytes, int at) {
    int end = at;
    while (bytes[end] != 0) {
      end++;
    }
    return end;
  }

  public static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  /** How many bytes the value of this type takes that starts at {@code at}. */
  public static int valueLength(int type, byte[] bytes, int at) {
    return switch (type) {
      case BsonTypes.DOUBLE, BsonTypes.DATE_TIME, BsonTypes.TIMESTAMP, BsonTypes.INT64 -> 8;
      case BsonTypes.INT32 -> 4;
      case BsonTypes.STRING, BsonTypes.JAVASCRIPT, BsonTypes.SYMBOL -> 4 + int32(bytes, at);
      case BsonTypes.DOCUMENT, BsonTypes.ARRAY, BsonTypes.JAVASCRIPT_WITH_SCOPE -> int32(bytes, at);
      case BsonTypes.BINARY -> 5 + int32(bytes, at);
      case BsonTypes.OBJECT_ID -> 12;
      case BsonTypes.BOOLEAN -> 1;
      case BsonTypes.NULL, BsonTypes.UNDEFINED, BsonTypes.MIN_KEY, BsonTypes.MAX_KEY -> 0;
      case BsonTypes.REGEX -> textEnd(bytes, textEnd(bytes, at) + 1) + 1 - at;
      case BsonTypes.DB_POINTER -> 16 + int32(bytes, at);
      case BsonTypes.DECIMAL128 -> 16;
      default -> throw BsonCheck.invalid("unknown type " + type);
    };
  }

  public static byte[] bytes(RawBsonDocument document) {
    return document.getBackingArray();
  }

  public static int offset(RawBsonDocument document) {
    return document.getByteOffset();
  }

  public static int length(RawBsonDocument document) {
    return document.getByteLength();
  }

  /** The document as bytes; itself when it already is. */
  public static RawBsonDocument raw(BsonDocument document) {
    return document instanceof RawBsonDocument raw ? raw : DocumentWriter.write(document);
  }

  /** Whether both are the same bytes, which is stricter than being equal as values. */
  public static boolean identical(RawBsonDocument a, RawBsonDocument b) {
    int from = offset(a);
    int other = offset(b);
    return java.util.Arrays.equals(
        bytes(a), from, from + length(a), bytes(b), other, other + length(b));
  }
}
