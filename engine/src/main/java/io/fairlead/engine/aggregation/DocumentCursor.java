// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import java.util.Iterator;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** Documents, pulled one by one. Used by one thread at a time. */
@FunctionalInterface
public interface DocumentCursor extends AutoCloseable {
  /** The next document; null at the end, and from then on. */
  @Nullable RawBsonDocument next();

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
