// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.key;

import static io.fairlead.engine.key.BsonBytes.*;

import io.fairlead.engine.value.StringOrder;
import java.math.BigDecimal;
import java.util.Arrays;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

/**
 * Writes values one after another into a key, so that the unsigned byte order of two keys is the
 * order of their values: MongoDB's order across types, one value after the other, each ascending or
 * descending.
 *
 * <p>How it is made: a value begins with a byte for its place among the types. What follows orders
 * within the type and ends by itself (no value's bytes are the beginning of another's), so that
 * what is written behind it never decides before it. Strings end with zero; zero and one within
 * become {@code 01 01} and {@code 01 02}. Descending values have every bit turned over.
 *
 * <p>A number of any kind is written as the double next to it towards zero: its bits without the
 * sign, and one more that tells whether the number is greater than that double (a great long, a
 * decimal), in which case its decimal digits follow. Of these 64 bits each byte has seven, and in
 * its last bit whether any of those behind are set; so whole numbers are short. Negative ones are
 * turned over. Equal numbers of different kinds are equal bytes. A key cannot be turned back into a
 * document, since it does not tell the kinds apart.
 *
 * <p>Mutable and reusable; used by one thread.
 */
public final class KeyWriter {
  // The places of the types, with room between them for ends of ranges. None is 0x00, which ends
  // documents and arrays.
  private static final int AT_MIN_KEY = 0x01;
  private static final int AT_UNDEFINED = 0x08;
  private static final int AT_NULL = 0x10;
  private static final int AT_NAN = 0x18;
  private static final int AT_NEGATIVE = 0x19;
  private static final int AT_ZERO = 0x1A;
  private static final int AT_POSITIVE = 0x1B;
  private static final int AT_STRING = 0x20;
  private static final int AT_DOCUMENT = 0x28;
  private static final int AT_ARRAY = 0x30;
  private static final int AT_BINARY = 0x38;
  private static final int AT_OBJECT_ID = 0x40;
  private static final int AT_BOOLEAN = 0x48;
  private static final int AT_DATE_TIME = 0x50;
  private static final int AT_TIMESTAMP = 0x58;
  private static final int AT_REGULAR_EXPRESSION = 0x60;
  private static final int AT_DB_POINTER = 0x68;
  private static final int AT_JAVASCRIPT = 0x70;
  private static final int AT_JAVASCRIPT_WITH_SCOPE = 0x78;
  private static final int AT_MAX_KEY = 0xF0;

  private static final double TWO_TO_63 = 0x1p63;

  private final @Nullable StringOrder strings;
  private byte[] out = new byte[32];
  private int size;

  /** Strings by their bytes. */
  public KeyWriter() {
    this(null);
  }

  /** Strings by a collation; null for their bytes. */
  public KeyWriter(@Nullable StringOrder strings) {
    this.strings = strings;
  }

  /** Forgets what was written. */
  public KeyWriter clear() {
    size = 0;
    return this;
  }

  public int size() {
    return size;
  }

  /** What was written, in an array of its own. */
  public byte[] toBytes() {
    return Arrays.copyOf(out, size);
  }

  /** Writes the value of that type at {@code at}. */
  public KeyWriter value(int type, byte[] bytes, int at) {
    switch (type) {
      case INT32 -> number(int32(bytes, at));
      case INT64 -> number(int64(bytes, at));
      case DOUBLE -> number(Double.longBitsToDouble(int64(bytes, at)));
      case DECIMAL128 ->
          number(Decimal128.fromIEEE754BIDEncoding(int64(bytes, at + 8), int64(bytes, at)));
      case STRING, SYMBOL -> {
        put(AT_STRING);
        string(bytes, at + 4, int32(bytes, at) - 1);
      }
      case OBJECT_ID -> {
        put(AT_OBJECT_ID);
        copy(bytes, at, 12);
      }
      case BOOLEAN -> {
        put(AT_BOOLEAN);
        put(bytes[at]);
      }
      case DATE_TIME -> {
        put(AT_DATE_TIME);
        bigEndian(int64(bytes, at) ^ Long.MIN_VALUE);
      }
      case TIMESTAMP -> {
        put(AT_TIMESTAMP);
        bigEndian(int64(bytes, at));
      }
      case NULL -> put(AT_NULL);
      case UNDEFINED -> put(AT_UNDEFINED);
      case DOCUMENT -> {
        put(AT_DOCUMENT);
        document(bytes, at);
      }
      case ARRAY -> {
        put(AT_ARRAY);
        array(bytes, at);
      }
      case BINARY -> {
        int length = int32(bytes, at);
        put(AT_BINARY);
        bigEndian(length);
        copy(bytes, at + 4, 1 + length);
      }
      case REGULAR_EXPRESSION -> {
        int options = endOfCString(bytes, at);
        put(AT_REGULAR_EXPRESSION);
        copy(bytes, at, endOfCString(bytes, options) - at);
      }
      case DB_POINTER -> {
        int length = int32(bytes, at);
        put(AT_DB_POINTER);
        bigEndian(length);
        copy(bytes, at + 4, length + 12);
      }
      case JAVASCRIPT -> {
        put(AT_JAVASCRIPT);
        plainString(bytes, at + 4, int32(bytes, at) - 1);
      }
      case JAVASCRIPT_WITH_SCOPE -> {
        put(AT_JAVASCRIPT_WITH_SCOPE);
        int code = at + 4;
        plainString(bytes, code + 4, int32(bytes, code) - 1);
        document(bytes, code + 4 + int32(bytes, code));
      }
      case MIN_KEY -> put(AT_MIN_KEY);
      case MAX_KEY -> put(AT_MAX_KEY);
      default -> throw new IllegalArgumentException("no BSON type has the number " + type);
    }
    return this;
  }

  /** Writes a value that is not bytes yet. */
  public KeyWriter value(BsonValue value) {
    switch (value.getBsonType()) {
      case INT32 -> number(value.asInt32().getValue());
      case INT64 -> number(value.asInt64().getValue());
      case DOUBLE -> number(value.asDouble().getValue());
      case NULL -> put(AT_NULL);
      case OBJECT_ID -> {
        put(AT_OBJECT_ID);
        copy(value.asObjectId().getValue().toByteArray(), 0, 12);
      }
      default -> {
        byte[] wrapped = wrap(value);
        value(type(wrapped, 4), wrapped, 6);
      }
    }
    return this;
  }

  /** Writes a value, turned over when it is to be descending. */
  public KeyWriter value(BsonValue value, boolean descending) {
    int from = size;
    value(value);
    if (descending) {
      turnOver(from);
    }
    return this;
  }

  /** Writes null, as which a missing field is indexed. */
  public KeyWriter missing() {
    put(AT_NULL);
    return this;
  }

  /** Writes undefined, as which an empty array is indexed. */
  public KeyWriter emptyArray() {
    put(AT_UNDEFINED);
    return this;
  }

  /** Writes bytes as they are. */
  public KeyWriter bytes(byte[] bytes) {
    copy(bytes, 0, bytes.length);
    return this;
  }

  /** Writes one byte as it is. */
  public KeyWriter raw(int value) {
    put(value);
    return this;
  }

  /** Turns over every bit written since the key had {@code from} bytes. */
  public void turnOver(int from) {
    for (int i = from; i < size; i++) {
      out[i] = (byte) ~out[i];
    }
  }

  /**
   * The least bytes that are greater than everything of the bracket in which a value of this type
   * is compared: numbers with numbers, strings with strings.
   */
  public static byte[] endOfBracket(BsonValue value) {
    return new byte[] {(byte) (bracket(value)[1] + 1)};
  }

  /** The greatest bytes that nothing of the value's bracket is less than. */
  public static byte[] startOfBracket(BsonValue value) {
    return new byte[] {(byte) bracket(value)[0]};
  }

  private static int[] bracket(BsonValue value) {
    return switch (value.getBsonType()) {
      case MIN_KEY -> of(AT_MIN_KEY);
      case UNDEFINED -> of(AT_UNDEFINED);
      case NULL -> of(AT_NULL);
      // NaN compares with nothing but itself.
      case INT32, INT64, DOUBLE, DECIMAL128 -> new int[] {AT_NEGATIVE, AT_POSITIVE};
      case STRING, SYMBOL -> of(AT_STRING);
      case DOCUMENT -> of(AT_DOCUMENT);
      case ARRAY -> of(AT_ARRAY);
      case BINARY -> of(AT_BINARY);
      case OBJECT_ID -> of(AT_OBJECT_ID);
      case BOOLEAN -> of(AT_BOOLEAN);
      case DATE_TIME -> of(AT_DATE_TIME);
      case TIMESTAMP -> of(AT_TIMESTAMP);
      case REGULAR_EXPRESSION -> of(AT_REGULAR_EXPRESSION);
      case DB_POINTER -> of(AT_DB_POINTER);
      case JAVASCRIPT -> of(AT_JAVASCRIPT);
      case JAVASCRIPT_WITH_SCOPE -> of(AT_JAVASCRIPT_WITH_SCOPE);
      case MAX_KEY -> of(AT_MAX_KEY);
      case END_OF_DOCUMENT -> throw new IllegalArgumentException("not a value");
    };
  }

  private static int[] of(int place) {
    return new int[] {place, place};
  }

  private void number(double number) {
    if (number == 0) {
      put(AT_ZERO);
    } else if (Double.isNaN(number)) {
      put(AT_NAN);
    } else {
      boolean negative = number < 0;
      put(negative ? AT_NEGATIVE : AT_POSITIVE);
      int from = size;
      sevens(Double.doubleToRawLongBits(number) << 1);
      if (negative) {
        turnOver(from);
      }
    }
  }

  /** Writes bits from the first to the last that is set, seven to a byte. */
  private void sevens(long bits) {
    ensure(10);
    long rest = bits;
    do {
      int seven = (int) (rest >>> 57) << 1;
      rest <<= 7;
      out[size++] = (byte) (rest == 0 ? seven : seven | 1);
    } while (rest != 0);
  }

  private void number(long number) {
    double nearest = (double) number;
    if ((long) nearest == number && nearest != TWO_TO_63) {
      number(nearest);
    } else {
      number(BigDecimal.valueOf(number));
    }
  }

  private void number(Decimal128 number) {
    if (number.isNaN()) {
      put(AT_NAN);
    } else if (number.isInfinite()) {
      number(number.isNegative() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
    } else if (isZero(number)) {
      put(AT_ZERO);
    } else {
      number(number.bigDecimalValue());
    }
  }

  private static boolean isZero(Decimal128 number) {
    // A negative zero has no BigDecimal.
    return number.isNegative()
        ? Decimal128.fromIEEE754BIDEncoding(number.getHigh() & Long.MAX_VALUE, number.getLow())
                .bigDecimalValue()
                .signum()
            == 0
        : number.bigDecimalValue().signum() == 0;
  }

  private void number(BigDecimal number) {
    boolean negative = number.signum() < 0;
    BigDecimal magnitude = number.abs();
    double below = Math.min(magnitude.doubleValue(), Double.MAX_VALUE);
    int order = new BigDecimal(below).compareTo(magnitude);
    while (order > 0) {
      below = Math.nextDown(below);
      order = new BigDecimal(below).compareTo(magnitude);
    }
    put(negative ? AT_NEGATIVE : AT_POSITIVE);
    int from = size;
    long bits = Double.doubleToRawLongBits(below) << 1;
    sevens(order == 0 ? bits : bits | 1);
    if (order != 0) {
      BigDecimal digits = magnitude.stripTrailingZeros();
      int exponent = digits.precision() - digits.scale() - 1 + 0x4000;
      put(exponent >>> 8);
      put(exponent);
      String text = digits.unscaledValue().toString();
      for (int i = 0; i < text.length(); i++) {
        put(text.charAt(i));
      }
      put(0);
    }
    if (negative) {
      turnOver(from);
    }
  }

  private void document(byte[] bytes, int at) {
    int element = firstElement(at);
    while (bytes[element] != 0) {
      int type = type(bytes, element);
      int value = BsonBytes.value(bytes, element);
      // Type before name before value: so documents are compared.
      put(place(type));
      copy(bytes, element + 1, value - element - 1);
      value(type, bytes, value);
      element = after(bytes, type, value);
    }
    put(0);
  }

  private void array(byte[] bytes, int at) {
    int element = firstElement(at);
    while (bytes[element] != 0) {
      int type = type(bytes, element);
      int value = BsonBytes.value(bytes, element);
      value(type, bytes, value);
      element = after(bytes, type, value);
    }
    put(0);
  }

  /** One byte for a type, the same for types that are compared with each other. */
  private static int place(int type) {
    return switch (type) {
      case MIN_KEY -> AT_MIN_KEY;
      case UNDEFINED -> AT_UNDEFINED;
      case NULL -> AT_NULL;
      case INT32, INT64, DOUBLE, DECIMAL128 -> AT_NAN;
      case STRING, SYMBOL -> AT_STRING;
      case DOCUMENT -> AT_DOCUMENT;
      case ARRAY -> AT_ARRAY;
      case BINARY -> AT_BINARY;
      case OBJECT_ID -> AT_OBJECT_ID;
      case BOOLEAN -> AT_BOOLEAN;
      case DATE_TIME -> AT_DATE_TIME;
      case TIMESTAMP -> AT_TIMESTAMP;
      case REGULAR_EXPRESSION -> AT_REGULAR_EXPRESSION;
      case DB_POINTER -> AT_DB_POINTER;
      case JAVASCRIPT -> AT_JAVASCRIPT;
      case JAVASCRIPT_WITH_SCOPE -> AT_JAVASCRIPT_WITH_SCOPE;
      case MAX_KEY -> AT_MAX_KEY;
      default -> throw new IllegalArgumentException("no BSON type has the number " + type);
    };
  }

  private void string(byte[] bytes, int at, int length) {
    if (strings == null) {
      plainString(bytes, at, length);
    } else {
      byte[] key =
          strings.sortKey(new String(bytes, at, length, java.nio.charset.StandardCharsets.UTF_8));
      plainString(key, 0, key.length);
    }
  }

  private void plainString(byte[] bytes, int at, int length) {
    ensure(length + 1);
    for (int i = at; i < at + length; i++) {
      byte next = bytes[i];
      if (next == 0 || next == 1) {
        put(1);
        put(next + 1);
      } else {
        put(next);
      }
    }
    put(0);
  }

  private void bigEndian(long value) {
    ensure(8);
    for (int shift = 56; shift >= 0; shift -= 8) {
      out[size++] = (byte) (value >>> shift);
    }
  }

  private void bigEndian(int value) {
    ensure(4);
    for (int shift = 24; shift >= 0; shift -= 8) {
      out[size++] = (byte) (value >>> shift);
    }
  }

  private void copy(byte[] bytes, int at, int length) {
    ensure(length);
    System.arraycopy(bytes, at, out, size, length);
    size += length;
  }

  private void put(int value) {
    if (size == out.length) {
      ensure(1);
    }
    out[size++] = (byte) value;
  }

  private void ensure(int more) {
    if (size + more > out.length) {
      out = Arrays.copyOf(out, Math.max(out.length * 2, size + more));
    }
  }
}
