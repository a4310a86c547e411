// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Slice;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One document after another in place, for stages that mostly look at fields: only an expression
 * that is evaluated makes a document object of it. Used by one thread.
 */
final class Row {
  private byte[] bytes = new byte[0];
  private int offset;
  private @Nullable RawBsonDocument document;

  static Row of(RawBsonDocument document) {
    Row row = new Row();
    row.moveTo(RawBytes.bytes(document), RawBytes.offset(document));
    row.document = document;
    return row;
  }

  /** Goes on to the document that starts at {@code at}. */
  void moveTo(byte[] documentBytes, int at) {
    bytes = documentBytes;
    offset = at;
    document = null;
  }

  /** The whole of it, which may be kept. */
  RawBsonDocument document() {
    RawBsonDocument made = document;
    if (made == null) {
      made = new RawBsonDocument(bytes, offset, RawBytes.int32(bytes, offset));
      document = made;
    }
    return made;
  }

  /**
   * Points {@code into} at the value of a path; false when an array lies on the way, so that the
   * value is nowhere as such and its expression has to be evaluated.
   */
  boolean read(FieldPath path, Slice into) {
    return !path.follow(bytes, offset, into);
  }

  @Nullable BsonValue evaluate(Expression expression) {
    return expression.evaluate(document());
  }
}
