// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.bytes;

import java.nio.charset.StandardCharsets;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;

/** Walks over the elements of one document in place. */
public final class Elements {

  public static final int DOCUMENT = 0x03;
  public static final int ARRAY = 0x04;
  public static final int INT64 = 0x12;

  private final byte[] bytes;
  private final int end;
  private int next;
  private int start;
  private int nameEnd;

  private Elements(byte[] bytes, int offset) {
    this.bytes = bytes;
    this.end = offset + int32(bytes, offset) - 1;
    this.next = offset + 4;
  }

  /** Before the first element of a document. */
  public static Elements of(RawBsonDocument document) {
    ByteBuf buffer = document.getByteBuffer();
    return new Elements(buffer.array(), buffer.position());
  }

  /** Before the first element of the document or array that the current element holds. */
  public Elements inside() {
    return new Elements(bytes, valueStart());
  }

  /** Moves to the next element; false at the end. */
  public boolean next() {
    if (next >= end) {
      return false;
    }
    start = next;
    nameEnd = terminator(bytes, start + 1);
    next = afterValue(bytes, type(), nameEnd + 1);
    return true;
  }

  /** Moves to the element of this name, from the current place on; false when there is none. */
  public boolean find(String name) {
    while (next()) {
      if (isNamed(name)) {
        return true;
      }
    }
    return false;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int type() {
    return bytes[start];
  }

  public boolean isNamed(String name) {
    int length = nameEnd - start - 1;
    if (length != name.length()) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (bytes[start + 1 + i] != (byte) name.charAt(i)) {
        return false; // names that are looked for are ASCII
      }
    }
    return true;
  }

  public String name() {
    return new String(bytes, start + 1, nameEnd - start - 1, StandardCharsets.UTF_8);
  }

  /** Where the element begins: its type byte. */
  public int start() {
    return start;
  }

  public int valueStart() {
    return nameEnd + 1;
  }

  /** Where the next element begins. */
  public int end() {
    return next;
  }

  /** The document that the current element holds, on the same bytes. */
  public RawBsonDocument document() {
    return new RawBsonDocument(bytes, valueStart(), int32(bytes, valueStart()));
  }

  static int int32(byte[] bytes, int at) {
    return (bytes[at] & 0xFF)
        | ((bytes[at + 1] & 0xFF) << 8)
        | ((bytes[at + 2] & 0xFF) << 16)
        | (bytes[at + 3] << 24);
  }

  public static long int64(byte[] bytes, int at) {
    return (int32(bytes, at) & 0xFFFF_FFFFL) | ((long) int32(bytes, at + 4) << 32);
  }

  private static int terminator(byte[] bytes, int from) {
    int at = from;
    while (bytes[at] != 0) {
      at++;
    }
    return at;
  }

  private static int afterValue(byte[] bytes, int type, int at) {
    return switch (type) {
      case 0x06, 0x0A, -1, 0x7F -> at;
      case 0x08 -> at + 1;
      case 0x10 -> at + 4;
      case 0x01, 0x09, 0x11, 0x12 -> at + 8;
      case 0x07 -> at + 12;
      case 0x13 -> at + 16;
      case 0x02, 0x0D, 0x0E -> at + 4 + int32(bytes, at);
      case 0x03, 0x04, 0x0F -> at + int32(bytes, at);
      case 0x05 -> at + 5 + int32(bytes, at);
      case 0x0B -> terminator(bytes, terminator(bytes, at) + 1) + 1;
      case 0x0C -> at + 4 + int32(bytes, at) + 12;
      default -> throw new IllegalArgumentException("no BSON type has the number " + type);
    };
  }
}
