// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.codec;

import static io.fairlead.wire.codec.LittleEndian.int32;

import io.fairlead.wire.message.MalformedMessageException;

/**
 * Checks once, on arrival, that bytes are a BSON document: every length lies within its document,
 * every string and name ends where it says, every type is known, and nesting is bounded. Afterwards
 * readers may follow the lengths without doubting them. The characters of strings are not judged,
 * as MongoDB doesn't.
 */
final class BsonStructure {

  /** Documents nest deeper than {@link Protocol#NESTING_MAX}. */
  static final class TooDeepException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooDeepException() {
      super(null, null, false, false);
    }
  }

  private BsonStructure() {}

  /**
   * Checks the document that starts at an offset.
   *
   * @return the offset after its last byte
   * @throws TooDeepException when it is not read to its end because it nests too deep
   */
  static int check(byte[] bytes, int at, int limit) throws MalformedMessageException {
    return document(bytes, at, limit, 1);
  }

  private static int document(byte[] bytes, int at, int limit, int depth)
      throws MalformedMessageException {
    if (depth > Protocol.NESTING_MAX) {
      throw new TooDeepException();
    }
    if (limit - at < 5) {
      throw new MalformedMessageException("a document is cut off");
    }
    int length = int32(bytes, at);
    if (length < 5 || length > limit - at) {
      throw new MalformedMessageException(
          "a document of " + length + " bytes where " + (limit - at) + " are left");
    }
    int last = at + length - 1;
    if (bytes[last] != 0) {
      throw new MalformedMessageException("a document does not end with 0");
    }
    int position = at + 4;
    while (position < last) {
      byte type = bytes[position];
      position = value(type, bytes, afterName(bytes, position + 1, last), last, depth);
    }
    return last + 1;
  }

  private static int value(byte type, byte[] bytes, int at, int last, int depth)
      throws MalformedMessageException {
    return switch (type) {
      case 0x06, 0x0A, (byte) 0xFF, 0x7F -> at;
      case 0x08 -> bool(bytes, at, last);
      case 0x10 -> fixed(4, at, last);
      case 0x01, 0x09, 0x11, 0x12 -> fixed(8, at, last);
      case 0x07 -> fixed(12, at, last);
      case 0x13 -> fixed(16, at, last);
      case 0x02, 0x0D, 0x0E -> string(bytes, at, last);
      case 0x03, 0x04 -> document(bytes, at, last, depth + 1);
      case 0x05 -> binary(bytes, at, last);
      case 0x0B -> afterName(bytes, afterName(bytes, at, last), last);
      case 0x0C -> fixed(12, string(bytes, at, last), last);
      case 0x0F -> codeWithScope(bytes, at, last, depth);
      default -> throw new MalformedMessageException("no BSON type has the number " + type);
    };
  }

  private static int fixed(int size, int at, int last) throws MalformedMessageException {
    if (last - at < size) {
      throw new MalformedMessageException("a value of " + size + " bytes is cut off");
    }
    return at + size;
  }

  private static int bool(byte[] bytes, int at, int last) throws MalformedMessageException {
    int next = fixed(1, at, last);
    if ((bytes[at] & 0xFE) != 0) {
      throw new MalformedMessageException("a boolean is neither 0 nor 1");
    }
    return next;
  }

  private static int string(byte[] bytes, int at, int last) throws MalformedMessageException {
    int content = fixed(4, at, last);
    int length = int32(bytes, at);
    if (length < 1 || length > last - content) {
      throw new MalformedMessageException(
          "a string of " + length + " bytes where " + (last - content) + " are left");
    }
    if (bytes[content + length - 1] != 0) {
      throw new MalformedMessageException("a string does not end with 0");
    }
    return content + length;
  }

  private static int binary(byte[] bytes, int at, int last) throws MalformedMessageException {
    int content = fixed(5, at, last);
    int length = int32(bytes, at);
    if (length < 0 || length > last - content) {
      throw new MalformedMessageException(
          "binary data of " + length + " bytes where " + (last - content) + " are left");
    }
    boolean oldSubtype = bytes[at + 4] == 2;
    if (oldSubtype && (length < 4 || int32(bytes, content) != length - 4)) {
      throw new MalformedMessageException(
          "binary data of subtype 2 disagrees with its inner length");
    }
    return content + length;
  }

  private static int codeWithScope(byte[] bytes, int at, int last, int depth)
      throws MalformedMessageException {
    int content = fixed(4, at, last);
    int length = int32(bytes, at);
    if (length < 14 || length > last - at) {
      throw new MalformedMessageException(
          "code with scope of " + length + " bytes where " + (last - at) + " are left");
    }
    int end = at + length;
    if (document(bytes, string(bytes, content, end), end, depth + 1) != end) {
      throw new MalformedMessageException("code with scope disagrees with its length");
    }
    return end;
  }

  /** The offset after a name that starts here and ends with 0 before {@code last}. */
  private static int afterName(byte[] bytes, int at, int last) throws MalformedMessageException {
    for (int position = at; position < last; position++) {
      if (bytes[position] == 0) {
        return position + 1;
      }
    }
    throw new MalformedMessageException("a name does not end");
  }
}
