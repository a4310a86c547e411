// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.value.Metadata;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records, pulled one by one. Used by one thread. */
public abstract class RecordCursor {
  /** The id of the record, where it is at hand. */
  byte @Nullable [] record;

  byte @Nullable [] document;

  /** The index entry by which the record was found, or null. */
  byte @Nullable [] entry;

  /** What else is known of it, or null. */
  @Nullable Metadata metadata;

  /** Where this one stands, and where the id of the record is to be had. */
  private @Nullable RecordCursor origin;

  /** Goes to the next record; false when there are no more. */
  public abstract boolean next();

  /** The id of the record. */
  public final byte[] record() {
    byte[] known = record;
    if (known == null) {
      known = recordHere();
      record = known;
    }
    return known;
  }

  /** The id of the record here, put together: most readers never ask for it. */
  byte[] recordHere() {
    return Objects.requireNonNull(origin, "no record here").record();
  }

  /** The bytes of its document: shared, not to be changed. */
  public final byte[] document() {
    return Objects.requireNonNull(document, "no record here");
  }

  /** What else is known of the record: a score, a distance; null for nothing. */
  public final @Nullable Metadata metadata() {
    return metadata;
  }

  /** Stands where another cursor stands, until that one moves. */
  final void standAt(RecordCursor source) {
    origin = source;
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
