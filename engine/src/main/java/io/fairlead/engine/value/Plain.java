// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Filters and updates as values to be looked at again and again: bytes are read once here, while a
 * {@link RawBsonDocument} would read them anew for every question.
 */
public final class Plain {
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  private Plain() {}

  /** The document decoded to its depth; itself when it is already. */
  public static BsonDocument document(BsonDocument document) {
    return document instanceof RawBsonDocument raw ? raw.decode(CODEC) : document;
  }
}
