// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.cursor;

import java.util.Iterator;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Documents, pulled one by one. Used by one thread at a time; what a find reads is fixed when it is
 * opened, whatever is written meanwhile.
 */
@FunctionalInterface
public interface DocumentCursor extends AutoCloseable {
  /**
   * The next document, or null when there are no more, and from then on.
   *
   * @throws io.fairlead.engine.error.EngineException when a document cannot be computed or the
   *     operation is interrupted
   */
  @Nullable RawBsonDocument next();

  /** What looks at documents in place. */
  @FunctionalInterface
  interface Reader {
    /**
     * Reads the document that starts at {@code offset}; the bytes are shared and not to be changed.
     */
    void read(byte[] bytes, int offset);
  }

  /**
   * Shows all documents that are left, for who needs no object for each.
   *
   * @throws io.fairlead.engine.error.EngineException as {@link #next()}
   */
  default void readAll(Reader reader) {
    for (RawBsonDocument document = next(); document != null; document = next()) {
      reader.read(document.getBackingArray(), document.getByteOffset());
    }
  }

  /**
   * Another cursor, over all the documents that this one has from its beginning, in the same order;
   * null when they cannot be read once more, as of a cursor that was closed or is at its end.
   */
  default @Nullable DocumentCursor again() {
    return null;
  }

  /** Lets go of what it reads. Idempotent; a closed cursor has no next document. */
  @Override
  default void close() {}

  static DocumentCursor of(Iterator<RawBsonDocument> documents) {
    return () -> documents.hasNext() ? documents.next() : null;
  }

  static DocumentCursor of(Iterable<RawBsonDocument> documents) {
    return of(documents.iterator());
  }

  static DocumentCursor empty() {
    return () -> null;
  }
}
