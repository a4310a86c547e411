// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;

/**
 * How often queries have used an index, and since when that is counted. All states of one index
 * share it; any thread may count.
 */
public final class IndexUse {
  private final LongAdder operations = new LongAdder();
  private volatile Instant since = Instant.EPOCH;

  /** Counting begins: the index was made, changed or loaded at that time. */
  public void begin(Instant now) {
    since = now;
  }

  /** One more operation reads the index. */
  public void count() {
    operations.increment();
  }

  /** How many operations have read it. */
  public long operations() {
    return operations.sum();
  }

  public Instant since() {
    return since;
  }
}
