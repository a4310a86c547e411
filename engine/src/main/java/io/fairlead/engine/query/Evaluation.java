// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Slice;
import org.bson.RawBsonDocument;

/**
 * One document being matched: the root for {@code $expr}, a slice to reuse, and which array element
 * satisfied a condition.
 */
final class Evaluation {
  private byte[] bytes;
  private int offset;
  final Slice slice = new Slice();

  /**
   * Set by path conditions within arrays; the last condition that met an array wins, as in MongoDB.
   */
  int arrayIndex = -1;

  /** Whether the plan has found the document by the words of {@code $text}. */
  boolean foundByWords = true;

  Evaluation(byte[] bytes, int offset) {
    this.bytes = bytes;
    this.offset = offset;
  }

  /** Goes on to another document. */
  Evaluation of(byte[] nextBytes, int nextOffset) {
    bytes = nextBytes;
    offset = nextOffset;
    arrayIndex = -1;
    foundByWords = true;
    return this;
  }

  RawBsonDocument root() {
    return new RawBsonDocument(bytes, offset, RawBytes.int32(bytes, offset));
  }
}
