// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records, pulled one by one. Used by one thread. */
public abstract class RecordCursor {
  byte @Nullable [] record;
  byte @Nullable [] document;

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

  /**
   * Passes over records without looking at them, as far as that is cheaper than pulling them;
   * returns how many.
   */
  long skip(long count) {
    return 0;
  }
}
