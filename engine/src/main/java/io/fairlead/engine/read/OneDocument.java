// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.cursor.DocumentCursor;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** The document of one {@code _id}, or nothing. */
final class OneDocument implements DocumentCursor {
  private byte @Nullable [] left;

  OneDocument(byte @Nullable [] document) {
    left = document;
  }

  @Override
  public @Nullable RawBsonDocument next() {
    byte[] document = left;
    left = null;
    return document == null ? null : new RawBsonDocument(document);
  }

  @Override
  public void readAll(Reader reader) {
    byte[] document = left;
    left = null;
    if (document != null) {
      reader.read(document, 0);
    }
  }

  @Override
  public void close() {
    left = null;
  }
}
