// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.update;

import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What one operator does at one path. Immutable. */
interface Modifier {
  /** A place in a document that can be read and changed. */
  interface Place {
    /**
     * The value there; null when it is missing. Not to be changed in place unless it was made with
     * {@link Mutable}.
     */
    @Nullable BsonValue get();

    void set(BsonValue value);

    /** Takes the field out; an element of an array becomes null. */
    void remove();

    /** The dotted path for messages. */
    String path();

    /** {@code {_id: …}} of the document, for messages. */
    String document();
  }

  void apply(Place place);

  /** Whether documents on the way that are missing are made. */
  default boolean creates() {
    return true;
  }

  /** Whether a value on the way that can have no such field is an error. */
  default boolean needsOpenPath() {
    return true;
  }

  /** Whether it works only when a document is inserted. */
  default boolean onlyOnInsert() {
    return false;
  }
}
