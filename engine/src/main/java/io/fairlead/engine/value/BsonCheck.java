// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;

/** Doubts every length: bytes that pass are safe for the in-place readers. */
public final class BsonCheck {
  /** How deep documents may nest. */
  public static final int NESTING_MAX = 200;

  private BsonCheck() {}

  /**
   * Checks one document.
   *
   * @throws EngineException 22 InvalidBSON; 15 Overflow when it nests deeper than {@link
   *     #NESTING_MAX}
   */
  public static void check(byte[] bytes, int offset, int length) {
    if (length < 5 || offset < 0 || length > bytes.length - offset) {
      throw invalid("a document of " + length + " bytes");
    }
    if (RawBytes.int32(bytes, offset) != length) {
      throw invalid("the document's length is not that of its bytes");
    }
    checkDocument(bytes, offset, offset + length, 1);
  }

  static EngineException invalid(String what) {
    return new EngineException(ErrorCodes.INVALID_BSON, "invalid BSON: " + what);
  }

  private static void checkDocument(byte[] bytes, int offset, int limit, int depth) {
    if (depth > NESTING_MAX) {
      throw new EngineException(
          ErrorCodes.OVERFLOW, "BSONObj exceeded maximum nested object depth: " + NESTING_MAX);
    }
    int end = offset + RawBytes.int32(bytes, offset) - 1;
    if (end >= limit || end < offset + 4 || bytes[end] != 0) {
      throw invalid("a nested document exceeds its parent or is not closed");
    }
    int at = offset + 4;
    while (at < end) {
      int type = bytes[at++];
      at = textEnd(bytes, at, end) + 1;
      at = checkValue(type, bytes, at, end, depth);
    }
    if (at != end) {
      throw invalid("a document ends within a value");
    }
  }

  private static int checkValue(int type, byte[] bytes, int at, int end, int depth) {
    int next =
        switch (type) {
          case BsonTypes.STRING, BsonTypes.JAVASCRIPT, BsonTypes.SYMBOL -> string(bytes, at, end);
          case BsonTypes.DOCUMENT, BsonTypes.ARRAY -> {
            room(at, 5, end);
            int size = sized(bytes, at, 5, end);
            checkDocument(bytes, at, at + size, depth + 1);
            yield at + size;
          }
          case BsonTypes.BINARY -> {
            room(at, 5, end);
            int size = RawBytes.int32(bytes, at);
            if (size < 0) {
              throw invalid("a negative binary length");
            }
            room(at + 5, size, end);
            yield at + 5 + size;
          }
          case BsonTypes.REGEX -> textEnd(bytes, textEnd(bytes, at, end) + 1, end) + 1;
          case BsonTypes.DB_POINTER -> string(bytes, at, end) + 12;
          case BsonTypes.JAVASCRIPT_WITH_SCOPE -> {
            room(at, 14, end);
            int size = sized(bytes, at, 14, end);
            int scope = string(bytes, at + 4, at + size);
            room(scope, 5, at + size);
            checkDocument(bytes, scope, at + size, depth + 1);
            yield at + size;
          }
          case BsonTypes.BOOLEAN -> {
            room(at, 1, end);
            if (bytes[at] != 0 && bytes[at] != 1) {
              throw invalid("a boolean that is neither 0 nor 1");
            }
            yield at + 1;
          }
          default -> at + RawBytes.valueLength(type, bytes, at);
        };
    if (next > end) {
      throw invalid("a value exceeds its document");
    }
    return next;
  }

  private static int sized(byte[] bytes, int at, int least, int end) {
    int size = RawBytes.int32(bytes, at);
    if (size < least) {
      throw invalid("a nested length of " + size);
    }
    room(at, size, end);
    return size;
  }

  private static int string(byte[] bytes, int at, int end) {
    room(at, 5, end);
    int size = RawBytes.int32(bytes, at);
    if (size < 1) {
      throw invalid("a string length of " + size);
    }
    room(at + 4, size, end);
    if (bytes[at + 4 + size - 1] != 0) {
      throw invalid("a string without its end");
    }
    return at + 4 + size;
  }

  private static int textEnd(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && bytes[at] != 0) {
      at++;
    }
    if (at >= end) {
      throw invalid("a name without its end");
    }
    return at;
  }

  private static void room(int at, int size, int end) {
    if (size > end - at) {
      throw invalid("a value exceeds its document");
    }
  }
}
