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

  /** How long values of a type are, by the type; negative where they say it themselves. */
  private static final byte[] FIXED_LENGTHS = fixedLengths();

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

  /**
   * The eight bytes at {@code at} as a number, the first the lowest; what is behind the end is 0.
   */
  static long word(byte[] bytes, int at) {
    int beyond = at + Long.BYTES - bytes.length;
    if (beyond <= 0) {
      return (long) LONG.get(bytes, at);
    }
    long word = 0;
    for (int i = bytes.length - 1; i >= at; i--) {
      word = (word << 8) | (bytes[i] & 0xff);
    }
    return word;
  }

  /** Where the NUL that ends the text at {@code at} stands. */
  public static int textEnd(byte[] bytes, int at) {
    int end = at;
    while (bytes[end] != 0) {
      end++;
    }
    return end;
  }

  /** The same for who has the {@link #word} at {@code at} at hand, which ends most names. */
  static int textEnd(byte[] bytes, int at, long word) {
    // The lowest of these bits is in the first byte that is 0.
    long zeros = (word - 0x0101010101010101L) & ~word & 0x8080808080808080L;
    return zeros == 0
        ? textEnd(bytes, at + Long.BYTES)
        : at + (Long.numberOfTrailingZeros(zeros) >>> 3);
  }

  public static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  /** How many bytes the value of this type takes that starts at {@code at}. */
  public static int valueLength(int type, byte[] bytes, int at) {
    int fixed = FIXED_LENGTHS[type & 0xff];
    return fixed >= 0 ? fixed : variableLength(type, bytes, at);
  }

  private static byte[] fixedLengths() {
    byte[] lengths = new byte[256];
    java.util.Arrays.fill(lengths, (byte) -1);
    for (int type :
        new int[] {BsonTypes.DOUBLE, BsonTypes.DATE_TIME, BsonTypes.TIMESTAMP, BsonTypes.INT64}) {
      lengths[type] = 8;
    }
    for (int type :
        new int[] {
          BsonTypes.NULL, BsonTypes.UNDEFINED, BsonTypes.MIN_KEY & 0xff, BsonTypes.MAX_KEY
        }) {
      lengths[type] = 0;
    }
    lengths[BsonTypes.INT32] = 4;
    lengths[BsonTypes.OBJECT_ID] = 12;
    lengths[BsonTypes.BOOLEAN] = 1;
    lengths[BsonTypes.DECIMAL128] = 16;
    return lengths;
  }

  private static int variableLength(int type, byte[] bytes, int at) {
    return switch (type) {
      case BsonTypes.STRING, BsonTypes.JAVASCRIPT, BsonTypes.SYMBOL -> 4 + int32(bytes, at);
      case BsonTypes.DOCUMENT, BsonTypes.ARRAY, BsonTypes.JAVASCRIPT_WITH_SCOPE -> int32(bytes, at);
      case BsonTypes.BINARY -> 5 + int32(bytes, at);
      case BsonTypes.REGEX -> textEnd(bytes, textEnd(bytes, at) + 1) + 1 - at;
      case BsonTypes.DB_POINTER -> 16 + int32(bytes, at);
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
