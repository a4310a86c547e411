// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.accumulator.Accumulator;
import io.fairlead.engine.accumulator.Holding;
import io.fairlead.engine.context.MemoryUse;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.Slice;

/**
 * Feeds the accumulators of one stage and bounds what they keep together: {@code $push}, {@code
 * $addToSet} and their kin hold every value that they have taken. Used by one thread.
 */
final class HeldValues {
  private final MemoryUse memory;

  HeldValues(String stage) {
    memory =
        new MemoryUse(
            ErrorCodes.EXCEEDED_MEMORY_LIMIT,
            "The accumulators of " + stage + " used too much memory and cannot spill to disk");
  }

  void feed(AccumulatorSpec field, Accumulator accumulator, Row row, Slice slice) {
    if (accumulator instanceof Holding holding) {
      long before = holding.held();
      field.feed(accumulator, row, slice);
      memory.add(holding.held() - before);
    } else {
      field.feed(accumulator, row, slice);
    }
  }
}
