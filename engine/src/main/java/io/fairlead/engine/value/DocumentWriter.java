// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDbPointer;
import org.bson.BsonDocument;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonRegularExpression;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.types.Decimal128;

/**
 * Writes one document as bytes; values that are bytes already are copied as they are. Not for
 * several threads.
 */
public final class DocumentWriter {
  private static final int BYTES_MAX = 128 * 1024 * 1024;
  private static final int DEPTH_MAX = 250;

  private byte[] bytes;
  private int size;
  private int[] starts = new int[8];
  private int depth;

  public DocumentWriter() {
    this(256);
  }

  /** A writer that expects about so many bytes; the root document is open. */
  public DocumentWriter(int expectedBytes) {
    bytes = new byte[Math.max(16, expectedBytes)];
    open();
  }

  /** Empties it for another document; the bytes given before are overwritten. */
  public void reset() {
    size = 0;
    depth = 0;
    open();
  }

  /**
   * Closes everything that is open and points {@code into} at the document, within this writer's
   * own bytes.
   */
  public Slice finishInto(Slice into) {
    while (depth > 0) {
      end();
    }
    return into.set(bytes, BsonTypes.DOCUMENT, 0);
  }

  /** The bytes of one value alone. */
  static Slice encode(BsonValue value) {
    DocumentWriter writer = new DocumentWriter(32);
    writer.size = 0;
    writer.depth = 0;
    writer.body(value);
    return new Slice(writer.bytes, BsonTypes.codeOf(value), 0);
  }

  public static RawBsonDocument write(BsonDocument document) {
    DocumentWriter writer = new DocumentWriter();
    writer.fields(document);
    return writer.finish();
  }

  private void open() {
    if (depth == starts.length) {
      if (depth >= DEPTH_MAX) {
        throw new EngineException(
            ErrorCodes.OVERFLOW,
            "BSONObj exceeded maximum nested object depth: " + BsonCheck.NESTING_MAX);
      }
      starts = Arrays.copyOf(starts, starts.length * 2);
    }
    starts[depth++] = size;
    ensure(4);
    size += 4;
  }

  private void ensure(int more) {
    if (size + more > bytes.length) {
      if (size + more > BYTES_MAX) {
        throw new EngineException(
            ErrorCodes.BSON_OBJECT_TOO_LARGE, "BSONObj size: " + (size + more) + " is invalid");
      }
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }

  /** Closes everything that is open and gives the document. The writer is done. */
  public RawBsonDocument finish() {
    while (depth > 0) {
      end();
    }
    return new RawBsonDocument(bytes, 0, size);
  }

  /** Closes the innermost open document or array. */
  public void end() {
    ensure(1);
    bytes[size++] = 0;
    int start = starts[--depth];
    RawBytes.putInt32(bytes, start, size - start);
  }

  public void startDocument(String name) {
    header(BsonTypes.DOCUMENT, name);
    open();
  }

  public void startDocument(byte[] nameBytes, int from, int to) {
    header(BsonTypes.DOCUMENT, nameBytes, from, to);
    open();
  }

  public void startArray(String name) {
    header(BsonTypes.ARRAY, name);
    open();
  }

  public void startArray(byte[] nameBytes, int from, int to) {
    header(BsonTypes.ARRAY, nameBytes, from, to);
    open();
  }

  private void header(int type, byte[] name, int from, int to) {
    int length = to - from;
    ensure(length + 2);
    bytes[size++] = (byte) type;
    System.arraycopy(name, from, bytes, size, length);
    size += length;
    bytes[size++] = 0;
  }

  private void header(int type, String name) {
    ensure(2);
    bytes[size++] = (byte) type;
    text(name);
  }

  /** Text and its NUL; text that holds one itself would end early. */
  private void text(String text) {
    int length = text.length();
    ensure(length * 3 + 1);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c == 0) {
        throw new EngineException(
            ErrorCodes.BAD_VALUE, "a field name or pattern must not contain a null byte");
      }
      if (c >= 0x80) {
        byte[] rest = text.substring(i).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(rest, 0, bytes, size, rest.length);
        size += rest.length;
        break;
      }
      bytes[size++] = (byte) c;
    }
    bytes[size++] = 0;
  }

  /** Copies an element as it is, name and value. */
  public void element(ElementCursor cursor) {
    bytes(cursor.bytes(), cursor.elementStart(), cursor.valueEnd());
  }

  /** Copies bytes that are whole elements. */
  public void bytes(byte[] source, int from, int to) {
    ensure(to - from);
    System.arraycopy(source, from, bytes, size, to - from);
    size += to - from;
  }

  /** Every element of a document, in the innermost open one. */
  public void elements(RawBsonDocument document) {
    int from = RawBytes.offset(document);
    bytes(RawBytes.bytes(document), from + 4, from + RawBytes.length(document) - 1);
  }

  /** Copies a value under another name; nothing when it is missing. */
  public void value(String name, Slice slice) {
    if (!slice.isMissing()) {
      header(slice.type(), name);
      bytes(slice.bytes(), slice.start(), slice.end());
    }
  }

  /** Copies a value under another name; nothing when it is missing. */
  public void value(byte[] name, int from, int to, Slice slice) {
    if (!slice.isMissing()) {
      header(slice.type(), name, from, to);
      bytes(slice.bytes(), slice.start(), slice.end());
    }
  }

  public void value(byte[] name, int from, int to, BsonValue value) {
    header(BsonTypes.codeOf(value), name, from, to);
    body(value);
  }

  public void value(String name, BsonValue value) {
    header(BsonTypes.codeOf(value), name);
    body(value);
  }

  public void fields(BsonDocument document) {
    if (document instanceof RawBsonDocument raw) {
      elements(raw);
      return;
    }
    for (Map.Entry<String, BsonValue> entry : document.entrySet()) {
      value(entry.getKey(), entry.getValue());
    }
  }

  private void body(BsonValue value) {
    switch (value.getBsonType()) {
      case DOUBLE -> int64(Double.doubleToRawLongBits(value.asDouble().getValue()));
      case STRING -> string(value.asString().getValue());
      case DOCUMENT -> {
        if (value instanceof RawBsonDocument raw) {
          int from = RawBytes.offset(raw);
          bytes(RawBytes.bytes(raw), from, from + RawBytes.length(raw));
        } else {
          open();
          fields(value.asDocument());
          end();
        }
      }
      case ARRAY -> array(value.asArray());
      case BINARY -> {
        BsonBinary binary = value.asBinary();
        byte[] data = binary.getData();
        boolean old = binary.getType() == RawBytes.OLD_BINARY;
        int32(data.length + (old ? 4 : 0));
        ensure(data.length + 1);
        bytes[size++] = binary.getType();
        if (old) {
          int32(data.length);
        }
        bytes(data, 0, data.length);
      }
      case UNDEFINED, NULL, MIN_KEY, MAX_KEY, END_OF_DOCUMENT -> {}
      case OBJECT_ID -> bytes(value.asObjectId().getValue().toByteArray(), 0, 12);
      case BOOLEAN -> {
        ensure(1);
        bytes[size++] = (byte) (value.asBoolean().getValue() ? 1 : 0);
      }
      case DATE_TIME -> int64(value.asDateTime().getValue());
      case REGULAR_EXPRESSION -> {
        BsonRegularExpression pattern = value.asRegularExpression();
        text(pattern.getPattern());
        text(pattern.getOptions());
      }
      case DB_POINTER -> {
        BsonDbPointer pointer = value.asDBPointer();
        string(pointer.getNamespace());
        bytes(pointer.getId().toByteArray(), 0, 12);
      }
      case JAVASCRIPT -> string(value.asJavaScript().getCode());
      case SYMBOL -> string(value.asSymbol().getSymbol());
      case JAVASCRIPT_WITH_SCOPE -> {
        BsonJavaScriptWithScope code = value.asJavaScriptWithScope();
        int start = size;
        int32(0);
        string(code.getCode());
        open();
        fields(code.getScope());
        end();
        RawBytes.putInt32(bytes, start, size - start);
      }
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

  private void array(BsonArray array) {
    if (array instanceof RawArray raw) {
      bytes(raw.bytes(), raw.offset(), raw.offset() + RawBytes.int32(raw.bytes(), raw.offset()));
      return;
    }
    open();
    int index = 0;
    for (BsonValue element : array) {
      header(BsonTypes.codeOf(element), Indexes.text(index++));
      body(element);
    }
    end();
  }

  private void int32(int value) {
    ensure(4);
    RawBytes.putInt32(bytes, size, value);
    size += 4;
  }

  private void int64(long value) {
    ensure(8);
    RawBytes.putInt64(bytes, size, value);
    size += 8;
  }

  private void string(String text) {
    int length = text.length();
    ensure(length * 3 + 5);
    int start = size;
    size += 4;
    int i = 0;
    while (i < length && text.charAt(i) < 0x80) {
      bytes[size++] = (byte) text.charAt(i++);
    }
    if (i < length) {
      byte[] rest = text.substring(i).getBytes(StandardCharsets.UTF_8);
      System.arraycopy(rest, 0, bytes, size, rest.length);
      size += rest.length;
    }
    bytes[size++] = 0;
    RawBytes.putInt32(bytes, start, size - start - 4);
  }
}
