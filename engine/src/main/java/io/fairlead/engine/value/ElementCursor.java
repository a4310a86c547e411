// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** Walks over the elements of one document or array, in place. */
public final class ElementCursor {
  private final byte[] bytes;
  private final int end;
  private int next;
  private int elementStart;
  private int type;
  private int nameEnd;
  private int valueEnd;

  /** Before the first element of the document or array at {@code offset}. */
  public ElementCursor(byte[] bytes, int offset) {
    this.bytes = bytes;
    this.end = offset + RawBytes.int32(bytes, offset) - 1;
    this.next = offset + 4;
  }

  public ElementCursor(RawBsonDocument document) {
    this(RawBytes.bytes(document), RawBytes.offset(document));
  }

  /** Moves to the next element; false at the end. */
  public boolean next() {
    if (next >= end) {
      return false;
    }
    elementStart = next;
    type = bytes[next];
    nameEnd = RawBytes.textEnd(bytes, next + 1, RawBytes.word(bytes, next + 1));
    valueEnd = nameEnd + 1 + RawBytes.valueLength(type, bytes, nameEnd + 1);
    next = valueEnd;
    return true;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int type() {
    return type;
  }

  /** Where the element starts: its type byte. */
  public int elementStart() {
    return elementStart;
  }

  public int nameStart() {
    return elementStart + 1;
  }

  public int nameEnd() {
    return nameEnd;
  }

  public int valueStart() {
    return nameEnd + 1;
  }

  public int valueEnd() {
    return valueEnd;
  }

  public String name() {
    return Names.of(bytes, elementStart + 1, nameEnd);
  }

  public boolean nameEquals(byte[] name) {
    int from = elementStart + 1;
    return java.util.Arrays.equals(bytes, from, nameEnd, name, 0, name.length);
  }

  public BsonValue value() {
    return Values.read(type, bytes, nameEnd + 1);
  }

  /** Points {@code slice} at the current value. */
  public Slice into(Slice slice) {
    return slice.set(bytes, type, nameEnd + 1);
  }
}
