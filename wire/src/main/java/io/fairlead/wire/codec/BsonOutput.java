// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.codec;

import java.util.Arrays;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonDbPointer;
import org.bson.BsonDocument;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonRegularExpression;
import org.bson.BsonSerializationException;
import org.bson.BsonValue;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.types.Decimal128;

/**
 * A buffer that grows as values are written into it in the protocol's form. Documents that are
 * bytes already are copied as they are; the others are written straight from their values, without
 * a codec and a writer's states between. Not for several threads at a time.
 */
final class BsonOutput {
  private static final int DEPTH_MAX = 1024;
  private static final int FIRST_NOT_ASCII = 0x80;
  private static final String[] INDEXES = new String[1000];

  static {
    Arrays.setAll(INDEXES, Integer::toString);
  }

  private byte[] bytes;
  private int size;
  private int depth;

  BsonOutput(int room) {
    bytes = new byte[room];
  }

  /** What is written so far is at its beginning. */
  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
    depth = 0;
  }

  void int8(int value) {
    ensure(1);
    bytes[size++] = (byte) value;
  }

  void int32(int value) {
    ensure(4);
    LittleEndian.putInt32(bytes, size, value);
    size += 4;
  }

  void int64(long value) {
    ensure(8);
    LittleEndian.putInt64(bytes, size, value);
    size += 8;
  }

  void bytes(byte[] source, int from, int length) {
    ensure(length);
    System.arraycopy(source, from, bytes, size, length);
    size += length;
  }

  /**
   * Text that ends with its first NUL.
   *
   * @throws BsonSerializationException when it holds one
   */
  void cString(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new BsonSerializationException(
          "a field name or a pattern must not contain a null character");
    }
    characters(text);
    int8(0);
  }

  /**
   * A document.
   *
   * @throws BsonSerializationException when it nests deeper than 1,024 levels
   */
  void document(BsonDocument document) {
    if (document instanceof RawBsonDocument raw) {
      ByteBuf content = raw.getByteBuffer();
      bytes(content.array(), content.position(), content.remaining());
      return;
    }
    int start = open();
    for (Map.Entry<String, BsonValue> field : document.entrySet()) {
      element(field.getKey(), field.getValue());
    }
    close(start);
  }

  private void array(BsonArray array) {
    int start = open();
    int index = 0;
    for (BsonValue value : array) {
      element(index < INDEXES.length ? INDEXES[index] : Integer.toString(index), value);
      index++;
    }
    close(start);
  }

  private int open() {
    if (++depth > DEPTH_MAX) {
      throw new BsonSerializationException("a document nests deeper than " + DEPTH_MAX + " levels");
    }
    int start = size;
    int32(0);
    return start;
  }

  private void close(int start) {
    int8(0);
    LittleEndian.putInt32(bytes, start, size - start);
    depth--;
  }

  private void element(String name, BsonValue value) {
    int8(value.getBsonType().getValue());
    cString(name);
    switch (value.getBsonType()) {
      case DOUBLE -> int64(Double.doubleToRawLongBits(value.asDouble().getValue()));
      case STRING -> string(value.asString().getValue());
      case DOCUMENT -> document(value.asDocument());
      case ARRAY -> array(value.asArray());
      case BINARY -> binary(value.asBinary());
      case UNDEFINED, NULL, MIN_KEY, MAX_KEY, END_OF_DOCUMENT -> {}
      case OBJECT_ID -> bytes(value.asObjectId().getValue().toByteArray(), 0, 12);
      case BOOLEAN -> int8(value.asBoolean().getValue() ? 1 : 0);
      case DATE_TIME -> int64(value.asDateTime().getValue());
      case REGULAR_EXPRESSION -> {
        BsonRegularExpression pattern = value.asRegularExpression();
        cString(pattern.getPattern());
        cString(pattern.getOptions());
      }
      case DB_POINTER -> {
        BsonDbPointer pointer = value.asDBPointer();
        string(pointer.getNamespace());
        bytes(pointer.getId().toByteArray(), 0, 12);
      }
      case JAVASCRIPT -> string(value.asJavaScript().getCode());
      case SYMBOL -> string(value.asSymbol().getSymbol());
      case JAVASCRIPT_WITH_SCOPE -> code(value.asJavaScriptWithScope());
      case INT32 -> int32(value.asInt32().getValue());
      case TIMESTAMP -> int64(value.asTimestamp().getValue());
      case INT64 -> int64(value.asInt64().getValue());
      case DECIMAL128 -> {
        Decimal128 decimal = value.asDecimal128().getValue();
        int64(decimal.getLow());
        int64(decimal.getHigh());
      }
    }
  }

  private void string(String text) {
    int start = size;
    int32(0);
    characters(text);
    int8(0);
    LittleEndian.putInt32(bytes, start, size - start - 4);
  }

  private void binary(BsonBinary binary) {
    byte[] data = binary.getData();
    boolean old = binary.getType() == BsonBinarySubType.OLD_BINARY.getValue();
    int32(old ? data.length + 4 : data.length);
    int8(binary.getType());
    if (old) {
      int32(data.length);
    }
    bytes(data, 0, data.length);
  }

  private void code(BsonJavaScriptWithScope code) {
    int start = size;
    int32(0);
    string(code.getCode());
    document(code.getScope());
    LittleEndian.putInt32(bytes, start, size - start);
  }

  /** As UTF-8. A surrogate without its other half is written as a character of its own. */
  private void characters(String text) {
    int length = text.length();
    ensure(3L * length);
    int at = 0;
    while (at < length && text.charAt(at) < FIRST_NOT_ASCII) {
      bytes[size++] = (byte) text.charAt(at++);
    }
    while (at < length) {
      int character = text.codePointAt(at);
      character(character);
      at += Character.charCount(character);
    }
  }

  private void character(int character) {
    if (character < FIRST_NOT_ASCII) {
      bytes[size++] = (byte) character;
      return;
    }
    int following = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    int lead = (0xF00 >> (following + 1)) & 0xFF;
    bytes[size++] = (byte) (lead | character >> (6 * following));
    for (int left = following - 1; left >= 0; left--) {
      bytes[size++] = (byte) (0x80 | (character >> (6 * left) & 0x3F));
    }
  }

  private void ensure(long more) {
    long wanted = size + more;
    if (wanted > bytes.length) {
      if (wanted > Integer.MAX_VALUE - 8) {
        throw new BsonSerializationException("a message of " + wanted + " bytes");
      }
      bytes =
          Arrays.copyOf(bytes, (int) Math.min(Math.max(wanted, 2L * size), Integer.MAX_VALUE - 8));
    }
  }
}
