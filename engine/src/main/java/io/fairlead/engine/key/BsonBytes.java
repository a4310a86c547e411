// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.key;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.types.ObjectId;

/**
 * Reads BSON where it lies. Positions are offsets into the array; an element begins with its type
 * byte. The bytes are trusted: what enters the engine has been checked at the border.
 */
public final class BsonBytes {
  public static final int DOUBLE = 0x01;
  public static final int STRING = 0x02;
  public static final int DOCUMENT = 0x03;
  public static final int ARRAY = 0x04;
  public static final int BINARY = 0x05;
  public static final int UNDEFINED = 0x06;
  public static final int OBJECT_ID = 0x07;
  public static final int BOOLEAN = 0x08;
  public static final int DATE_TIME = 0x09;
  public static final int NULL = 0x0A;
  public static final int REGULAR_EXPRESSION = 0x0B;
  public static final int DB_POINTER = 0x0C;
  public static final int JAVASCRIPT = 0x0D;
  public static final int SYMBOL = 0x0E;
  public static final int JAVASCRIPT_WITH_SCOPE = 0x0F;
  public static final int INT32 = 0x10;
  public static final int TIMESTAMP = 0x11;
  public static final int INT64 = 0x12;
  public static final int DECIMAL128 = 0x13;
  public static final int MIN_KEY = 0xFF;
  public static final int MAX_KEY = 0x7F;

  private static final byte OLD_BINARY = 2;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  private BsonBytes() {}

  public static int int32(byte[] bytes, int at) {
    return (int) INTS.get(bytes, at);
  }

  public static long int64(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  /** The type of the element at {@code element}, as an unsigned byte. */
  public static int type(byte[] bytes, int element) {
    return bytes[element] & 0xFF;
  }

  /** Where the value of the element at {@code element} begins. */
  public static int value(byte[] bytes, int element) {
    int at = element + 1;
    while (bytes[at] != 0) {
      at++;
    }
    return at + 1;
  }

  /** Where the first element of the document at {@code document} begins. */
  public static int firstElement(int document) {
    return document + 4;
  }

  /** Where the element after one with that type and value begins. */
  public static int after(byte[] bytes, int type, int value) {
    return value + size(bytes, type, value);
  }

  /** The name of the element at {@code element}. */
  public static String name(byte[] bytes, int element) {
    return new String(
        bytes, element + 1, value(bytes, element) - element - 2, StandardCharsets.UTF_8);
  }

  /**
   * The element of that name in the document at {@code document}, or -1.
   *
   * @param name in UTF-8; one with a NUL is found nowhere
   */
  public static int find(byte[] bytes, int document, byte[] name) {
    int element = firstElement(document);
    while (bytes[element] != 0) {
      int start = element + 1;
      int at = start;
      int length = name.length;
      int i = 0;
      while (i < length && bytes[at] == name[i] && name[i] != 0) {
        at++;
        i++;
      }
      if (i == length && bytes[at] == 0) {
        return element;
      }
      while (bytes[at] != 0) {
        at++;
      }
      element = after(bytes, bytes[element] & 0xFF, at + 1);
    }
    return -1;
  }

  /** How many bytes a value takes. */
  public static int size(byte[] bytes, int type, int value) {
    return switch (type) {
      case DOUBLE, DATE_TIME, TIMESTAMP, INT64 -> 8;
      case INT32 -> 4;
      case OBJECT_ID -> 12;
      case BOOLEAN -> 1;
      case DECIMAL128 -> 16;
      case STRING, JAVASCRIPT, SYMBOL -> 4 + int32(bytes, value);
      case DOCUMENT, ARRAY, JAVASCRIPT_WITH_SCOPE -> int32(bytes, value);
      case BINARY -> 5 + int32(bytes, value);
      case DB_POINTER -> 4 + int32(bytes, value) + 12;
      case REGULAR_EXPRESSION -> endOfCString(bytes, endOfCString(bytes, value)) - value;
      case NULL, UNDEFINED, MIN_KEY, MAX_KEY -> 0;
      default -> throw new IllegalArgumentException("no BSON type has the number " + type);
    };
  }

  /** The position after the terminating zero of the C string at {@code at}. */
  static int endOfCString(byte[] bytes, int at) {
    int end = at;
    while (bytes[end] != 0) {
      end++;
    }
    return end + 1;
  }

  /** The bytes of a document of its own array: shared when it has one already, else encoded. */
  public static byte[] of(BsonDocument document) {
    RawBsonDocument raw =
        document instanceof RawBsonDocument already
            ? already
            : new RawBsonDocument(document, CODEC);
    ByteBuf buffer = raw.getByteBuffer();
    byte[] bytes = buffer.array();
    int length = buffer.remaining();
    int start = buffer.position();
    if (start == 0 && length == bytes.length) {
      return bytes;
    }
    byte[] exact = new byte[length];
    System.arraycopy(bytes, start, exact, 0, length);
    return exact;
  }

  /** The one value of a document {@code {"": value}}, as its bytes. The value begins at 6. */
  static byte[] wrap(BsonValue value) {
    return of(new BsonDocument("", value));
  }

  /** The value of the element at {@code element}, decoded. */
  public static BsonValue decode(byte[] bytes, int element) {
    return decodeValue(type(bytes, element), bytes, value(bytes, element));
  }

  /** The value of that type at {@code value}, decoded. */
  public static BsonValue decodeValue(int type, byte[] bytes, int value) {
    return switch (type) {
      case INT32 -> new BsonInt32(int32(bytes, value));
      case INT64 -> new BsonInt64(int64(bytes, value));
      case DOUBLE -> new BsonDouble(Double.longBitsToDouble(int64(bytes, value)));
      case BOOLEAN -> BsonBoolean.valueOf(bytes[value] != 0);
      case DATE_TIME -> new BsonDateTime(int64(bytes, value));
      case TIMESTAMP -> new BsonTimestamp(int64(bytes, value));
      case NULL -> BsonNull.VALUE;
      case STRING ->
          new BsonString(
              new String(bytes, value + 4, int32(bytes, value) - 1, StandardCharsets.UTF_8));
      case OBJECT_ID ->
          new BsonObjectId(new ObjectId(Arrays.copyOfRange(bytes, value, value + 12)));
      case BINARY -> binary(bytes, value);
      default -> decodeByCodec(type, bytes, value);
    };
  }

  private static BsonValue binary(byte[] bytes, int value) {
    byte subtype = bytes[value + 4];
    if (subtype == OLD_BINARY) {
      return decodeByCodec(BINARY, bytes, value); // has its length twice
    }
    int from = value + 5;
    return new BsonBinary(subtype, Arrays.copyOfRange(bytes, from, from + int32(bytes, value)));
  }

  private static BsonValue decodeByCodec(int type, byte[] bytes, int value) {
    int size = size(bytes, type, value);
    byte[] document = new byte[4 + 2 + size + 1];
    INTS.set(document, 0, document.length);
    document[4] = (byte) type;
    System.arraycopy(bytes, value, document, 6, size);
    return new RawBsonDocument(document).decode(CODEC).values().iterator().next();
  }
}
