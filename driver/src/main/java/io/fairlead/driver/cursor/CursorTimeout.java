// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.client.cursor.TimeoutMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is left of an operation's timeout for the next command of its cursor. */
final class CursorTimeout {
  private final @Nullable Duration each;
  private final long deadlineNanos;
  private final boolean wholeLife;

  private CursorTimeout(@Nullable Duration each, long deadlineNanos, boolean wholeLife) {
    this.each = each;
    this.deadlineNanos = deadlineNanos;
    this.wholeLife = wholeLife;
  }

  /** Starts now. */
  static CursorTimeout start(@Nullable Duration timeout, @Nullable TimeoutMode mode) {
    if (timeout == null || timeout.isZero() || mode == TimeoutMode.ITERATION) {
      return new CursorTimeout(timeout, 0, false);
    }
    return new CursorTimeout(timeout, System.nanoTime() + timeout.toNanos(), true);
  }

  /**
   * The timeout of the next command; null when there is none.
   *
   * @throws MongoOperationTimeoutException if nothing is left
   */
  @Nullable Duration forNextCommand() {
    if (!wholeLife) {
      return each;
    }
    long left = deadlineNanos - System.nanoTime();
    if (left <= 0) {
      throw new MongoOperationTimeoutException(
          "the timeout of " + each + " ended before the cursor was read whole");
    }
    return Duration.ofNanos(left);
  }
}
