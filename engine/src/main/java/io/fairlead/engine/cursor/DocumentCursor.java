// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.cursor;

import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A pull stream of documents. Used by one thread at a time; what it reads is fixed when it is
 * opened, whatever is written meanwhile.
 */
public interface DocumentCursor extends AutoCloseable {
  /**
   * The next document, or null when there are no more (and on every call after that).
   *
   * @throws io.fairlead.engine.error.EngineException when a document cannot be computed or the
   *     {@link Interruption} strikes
   */
  @Nullable RawBsonDocument next();

  /** Lets go of the snapshot. Idempotent; a closed cursor has no next document. */
  @Override
  void close();
}
