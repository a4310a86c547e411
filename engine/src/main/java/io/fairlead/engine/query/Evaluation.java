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
  private final byte[] bytes;
  private final int offset;
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

  RawBsonDocument root() {
    return new RawBsonDocument(bytes, offset, RawBytes.int32(bytes, offset));
  }
}
