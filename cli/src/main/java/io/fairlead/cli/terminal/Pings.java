// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.terminal;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Round-trip times as people read them: {@code 0.42 ms}. */
public final class Pings {
  private Pings() {}

  /** One ping; a dash when there is none yet. */
  public static String text(@Nullable Duration ping) {
    return ping == null ? "-" : String.format(Locale.ROOT, "%.2f ms", millis(ping.toNanos()));
  }

  /** Nanoseconds as milliseconds with fractions. */
  public static double millis(long nanos) {
    return nanos / 1e6;
  }
}
