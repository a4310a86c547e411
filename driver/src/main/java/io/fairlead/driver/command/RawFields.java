// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.command;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.bson.BsonBinaryReader;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonSerializationException;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.ByteBufNIO;
import org.bson.RawBsonDocument;
import org.bson.codecs.Decoder;
import org.bson.codecs.DecoderContext;
import org.bson.io.ByteBufferBsonInput;
import org.bson.types.ObjectId;

/**
 * The fields of one encoded document or array, visited in place: nothing is decoded but what is
 * asked for. A reply's batch of a thousand documents is walked by its length fields alone. Not for
 * use by several threads at once.
 */
public final class RawFields {
  private static final DecoderContext DECODER_CONTEXT = DecoderContext.builder().build();

  private final ByteBuffer bytes;
  private final int end;
  private int next;
  private int type;
  private int nameStart;
  private int value;

  private RawFields(ByteBuffer bytes, int start) {
    this.bytes = bytes;
    int length = bytes.getInt(start);
    if (length < 5 || length > bytes.limit() - start) {
      throw new BsonSerializationException(
          String.format(
              Locale.ROOT, "a document of %d bytes does not fit where it stands", length));
    }
    this.end = start + length - 1;
    this.next = start + 4;
  }

  /** The fields of a whole document. */
  public static RawFields of(RawBsonDocument document) {
    ByteBuffer bytes = document.getByteBuffer().asNIO().slice().order(ByteOrder.LITTLE_ENDIAN);
    return new RawFields(bytes, 0);
  }

  /** The fields of a document that starts at an offset of these bytes, as they are now. */
  public static RawFields of(byte[] bytes, int start) {
    return new RawFields(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), start);
  }

  /** Moves to the next field; false when there is none. */
  public boolean advance() {
    if (next >= end) {
      return false;
    }
    type = bytes.get(next);
    nameStart = next + 1;
    int at = nameStart;
    while (bytes.get(at) != 0) {
      at++;
    }
    value = at + 1;
    next = value + sizeOf(type, value);
    if (next > end) {
      throw new BsonSerializationException("a value reaches beyond the end of its document");
    }
    return true;
  }

  /** Moves to the field with this name, searching onward from here; false when it does not come. */
  public boolean find(String name) {
    while (advance()) {
      if (named(name)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the field moved to has this (ASCII) name. */
  public boolean named(String name) {
    int length = name.length();
    if (value - 1 - nameStart != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (bytes.get(nameStart + i) != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the current field's name starts with this (ASCII) character. */
  public boolean startsWith(char first) {
    return bytes.get(nameStart) == first;
  }

  /** The current field's name. */
  public String name() {
    byte[] name = new byte[value - 1 - nameStart];
    bytes.get(nameStart, name);
    return new String(name, StandardCharsets.UTF_8);
  }

  /** The type of the current value. */
  public BsonType type() {
    return BsonType.findByValue(type & 0xff);
  }

  /** The current value as a number, whatever its numeric type. */
  public long number() {
    return switch (type()) {
      case INT32 -> bytes.getInt(value);
      case INT64 -> bytes.getLong(value);
      case DOUBLE -> (long) bytes.getDouble(value);
      default -> throw unexpected("a number");
    };
  }

  /** The current string. */
  public String string() {
    if (type() != BsonType.STRING) {
      throw unexpected("a string");
    }
    byte[] text = new byte[bytes.getInt(value) - 1];
    bytes.get(value + 4, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** The current value, copied out. */
  public BsonValue value() {
    return switch (type()) {
      case OBJECT_ID -> {
        byte[] id = new byte[12];
        bytes.get(value, id);
        yield new BsonObjectId(new ObjectId(id));
      }
      case INT32 -> new BsonInt32(bytes.getInt(value));
      case INT64 -> new BsonInt64(bytes.getLong(value));
      case STRING -> new BsonString(string());
      default -> decoded();
    };
  }

  private BsonValue decoded() {
    return new RawBsonDocument(asDocument()).values().iterator().next();
  }

  /**
   * The current field as a document of its own: its bytes, with a length before and an end after.
   */
  private byte[] asDocument() {
    int from = nameStart - 1;
    int size = next - from;
    byte[] single = new byte[4 + size + 1];
    ByteBuffer.wrap(single).order(ByteOrder.LITTLE_ENDIAN).putInt(single.length);
    bytes.get(from, single, 4, size);
    return single;
  }

  /** The fields of the current document or array. */
  public RawFields nested() {
    if (type() != BsonType.DOCUMENT && type() != BsonType.ARRAY) {
      throw unexpected("a document or an array");
    }
    return new RawFields(bytes, value);
  }

  /** How many fields are still to come. */
  public int remaining() {
    RawFields copy = new RawFields(bytes, this);
    int count = 0;
    while (copy.advance()) {
      count++;
    }
    return count;
  }

  private RawFields(ByteBuffer bytes, RawFields from) {
    this.bytes = bytes;
    this.end = from.end;
    this.next = from.next;
  }

  /** Decodes a whole reply. */
  public static <T> T decode(RawBsonDocument document, Decoder<T> decoder) {
    return decode(document.getByteBuffer().asNIO().slice().order(ByteOrder.LITTLE_ENDIAN), decoder);
  }

  /**
   * Decodes the current value, straight from the bytes it arrived in where it is a document; null
   * for a null.
   */
  @SuppressWarnings("NullAway") // a null of the server is the caller's null, whatever T says
  public <T> T decode(Decoder<T> decoder) {
    return switch (type()) {
      case DOCUMENT ->
          decode(bytes.slice(value, bytes.getInt(value)).order(ByteOrder.LITTLE_ENDIAN), decoder);
      case NULL -> null;
      default -> decodeScalar(decoder);
    };
  }

  private <T> T decodeScalar(Decoder<T> decoder) {
    try (BsonBinaryReader reader = new BsonBinaryReader(ByteBuffer.wrap(asDocument()))) {
      reader.readStartDocument();
      reader.readBsonType();
      reader.skipName();
      return decoder.decode(reader, DECODER_CONTEXT);
    }
  }

  private static <T> T decode(ByteBuffer slice, Decoder<T> decoder) {
    try (BsonBinaryReader reader =
        new BsonBinaryReader(new ByteBufferBsonInput(new ByteBufNIO(slice)))) {
      return decoder.decode(reader, DECODER_CONTEXT);
    }
  }

  private BsonSerializationException unexpected(String wanted) {
    return new BsonSerializationException(
        "expected " + wanted + " in field '" + name() + "', found " + type());
  }

  private int sizeOf(int type, int at) {
    return switch (type) {
      case 0x01, 0x09, 0x11, 0x12 -> 8;
      case 0x02, 0x0d, 0x0e -> 4 + bytes.getInt(at);
      case 0x03, 0x04, 0x0f -> bytes.getInt(at);
      case 0x05 -> 5 + bytes.getInt(at);
      case 0x06, 0x0a, 0x7f, -1 -> 0;
      case 0x07 -> 12;
      case 0x08 -> 1;
      case 0x0b -> {
        int to = at;
        for (int strings = 0; strings < 2; to++) {
          if (bytes.get(to) == 0) {
            strings++;
          }
        }
        yield to - at;
      }
      case 0x0c -> 4 + bytes.getInt(at) + 12;
      case 0x10 -> 4;
      case 0x13 -> 16;
      default ->
          throw new BsonSerializationException(
              "unknown BSON type 0x" + Integer.toHexString(type & 0xff));
    };
  }
}
