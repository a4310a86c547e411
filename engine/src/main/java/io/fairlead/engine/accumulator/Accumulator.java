// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.accumulator;

import io.fairlead.engine.value.Slice;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Takes values one by one and gives one for all. One per group and field; not for several threads.
 */
public abstract class Accumulator {
  /** Whether further values cannot change the result. */
  boolean settled;

  /** Takes a value; null when it is missing. */
  public abstract void add(@Nullable BsonValue value);

  /** Takes a value in place; {@code value} is reused by the caller. */
  public void add(Slice value) {
    add(value.value());
  }

  /** The result; null when the field is to be left out. */
  public abstract @Nullable BsonValue result();

  /** Whether further values cannot change the result. */
  public final boolean isSettled() {
    return settled;
  }
}
