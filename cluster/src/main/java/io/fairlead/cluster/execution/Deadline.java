// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When an operation's own time is up.
 *
 * @param atNanos by the client's monotonic clock; {@link Long#MAX_VALUE}: never
 */
record Deadline(long atNanos, LongSupplier nanoTime) {
  static Deadline in(@Nullable Duration timeout, LongSupplier nanoTime) {
    if (timeout == null || timeout.isZero()) {
      return new Deadline(Long.MAX_VALUE, nanoTime);
    }
    return new Deadline(nanoTime.getAsLong() + timeout.toNanos(), nanoTime);
  }

  boolean isLimited() {
    return atNanos != Long.MAX_VALUE;
  }

  /** What is left; zero or less when time is up, {@link Long#MAX_VALUE} without limit. */
  long leftNanos() {
    return isLimited() ? atNanos - nanoTime.getAsLong() : Long.MAX_VALUE;
  }

  boolean isOver() {
    return isLimited() && leftNanos() <= 0;
  }

  /** The earlier of this and {@code other} from now; a negative {@code other} is no limit. */
  long earlierNanos(Duration other) {
    if (other.isNegative()) {
      return atNanos;
    }
    long its = nanoTime.getAsLong() + other.toNanos();
    return isLimited() && atNanos - its < 0 ? atNanos : its;
  }
}
