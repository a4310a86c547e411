// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.value.Metadata;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records, pulled one by one. Used by one thread. */
public abstract class RecordCursor {
  byte @Nullable [] record;
  byte @Nullable [] document;

  /** The index entry by which the record was found, or null. */
  byte @Nullable [] entry;

  /** What else is known of it, or null. */
  @Nullable Metadata metadata;

  /** Goes to the next record; false when there are no more. */
  public abstract boolean next();

  /** The id of the record. */
  public final byte[] record() {
    return Objects.requireNonNull(record, "no record here");
  }

  /** The bytes of its document: shared, not to be changed. */
  public final byte[] document() {
    return Objects.requireNonNull(document, "no record here");
  }

  /** What else is known of the record: a score, a distance; null for nothing. */
  public final @Nullable Metadata metadata() {
    return metadata;
  }

  /** Stands where another cursor stands. */
  final void standAt(RecordCursor source) {
    record = source.record;
    document = source.document;
    entry = source.entry;
    metadata = source.metadata;
  }

  /**
   * Passes over records without looking at them, as far as that is cheaper than pulling them;
   * returns how many.
   */
  long skip(long count) {
    return 0;
  }
}
