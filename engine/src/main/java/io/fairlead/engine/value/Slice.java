// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One value within bytes of BSON: type and place, nothing decoded. Mutable, so that one slice can
 * walk over many values; a slice whose type is {@link BsonTypes#MISSING} stands for an absent
 * field.
 */
public final class Slice {
  private static final byte[] NONE = new byte[0];

  private byte[] bytes = NONE;
  private int type;
  private int start;

  /** A missing value. */
  public Slice() {}

  public Slice(byte[] bytes, int type, int start) {
    this.bytes = bytes;
    this.type = type;
    this.start = start;
  }

  /** A slice of its own over a built value; missing for null. */
  public static Slice of(@Nullable BsonValue value) {
    if (value == null) {
      return new Slice();
    }
    if (value instanceof RawBsonDocument raw) {
      return of(raw);
    }
    if (value instanceof RawArray raw) {
      return new Slice(raw.bytes(), BsonTypes.ARRAY, raw.offset());
    }
    return DocumentWriter.encode(value);
  }

  public static Slice of(RawBsonDocument document) {
    return new Slice(RawBytes.bytes(document), BsonTypes.DOCUMENT, RawBytes.offset(document));
  }

  public Slice set(byte[] newBytes, int newType, int newStart) {
    bytes = newBytes;
    type = newType;
    start = newStart;
    return this;
  }

  public Slice set(Slice other) {
    return set(other.bytes, other.type, other.start);
  }

  public Slice clear() {
    type = BsonTypes.MISSING;
    return this;
  }

  public Slice copy() {
    return new Slice(bytes, type, start);
  }

  /** A slice of its own over its own bytes, so that the document it came from can be let go. */
  public Slice detached() {
    int length = type == BsonTypes.MISSING ? 0 : RawBytes.valueLength(type, bytes, start);
    return new Slice(java.util.Arrays.copyOfRange(bytes, start, start + length), type, 0);
  }

  /**
   * Moves to a field of a document that lies in {@code document} at {@code offset}; becomes missing
   * when there is none.
   *
   * @return whether the field is there
   */
  public boolean moveToField(byte[] document, int offset, FieldName name) {
    int end = offset + RawBytes.int32(document, offset) - 1;
    int at = offset + 4;
    while (at < end) {
      int found = document[at++];
      long word = RawBytes.word(document, at);
      if (name.isAt(document, at, word)) {
        set(document, found, at + name.length() + 1);
        return true;
      }
      at = RawBytes.textEnd(document, at, word) + 1;
      at += RawBytes.valueLength(found, document, at);
    }
    type = BsonTypes.MISSING;
    return false;
  }

  public byte[] bytes() {
    return bytes;
  }

  /** The type code; {@link BsonTypes#MISSING} for an absent value. */
  public int type() {
    return type;
  }

  public int start() {
    return start;
  }

  public int end() {
    return start + RawBytes.valueLength(type, bytes, start);
  }

  public boolean isMissing() {
    return type == BsonTypes.MISSING;
  }

  public boolean isDocument() {
    return type == BsonTypes.DOCUMENT;
  }

  public boolean isArray() {
    return type == BsonTypes.ARRAY;
  }

  public boolean isNumber() {
    return BsonTypes.isNumber(type);
  }

  /** Whether it is a number without a fraction by its type: of 32 or 64 bits. */
  public boolean isWhole() {
    return type == BsonTypes.INT32 || type == BsonTypes.INT64;
  }

  /** The number of a {@link #isWhole() whole} one. */
  public long whole() {
    return type == BsonTypes.INT32 ? int32() : int64();
  }

  public int rank() {
    return BsonTypes.rank(type);
  }

  public int int32() {
    return RawBytes.int32(bytes, start);
  }

  public long int64() {
    return RawBytes.int64(bytes, start);
  }

  public double float64() {
    return RawBytes.float64(bytes, start);
  }

  /** The text of a string, symbol or code. */
  public String string() {
    return RawBytes.text(bytes, start + 4, start + 4 + int32() - 1);
  }

  /** The value itself; null when missing. Documents and arrays stay bytes and share them. */
  public @Nullable BsonValue value() {
    return type == BsonTypes.MISSING ? null : Values.read(type, bytes, start);
  }

  @Override
  public String toString() {
    return String.valueOf(value());
  }
}
