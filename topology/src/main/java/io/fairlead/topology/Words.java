// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How durations and tags are written in messages, traces and tables. */
public final class Words {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;

  private Words() {}

  /** Three digits and a unit: {@code 850 us}, {@code 1.25 ms}, {@code 15 ms}, {@code 2.5 s}. */
  public static String duration(Duration duration) {
    long nanos = duration.toNanos();
    if (Math.abs(nanos) >= SECOND) {
      return number(nanos, SECOND) + " s";
    }
    return Math.abs(nanos) >= MILLI || nanos == 0
        ? number(nanos, MILLI) + " ms"
        : number(nanos, MICRO) + " us";
  }

  private static String number(long nanos, long unit) {
    double value = (double) nanos / unit;
    int decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
    String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
  }

  /** {@code {dc: "ams", disk: "ssd"}}, sorted by name. */
  public static String tags(Map<String, String> tags) {
    return new TreeMap<>(tags)
        .entrySet().stream()
            .map(tag -> tag.getKey() + ": \"" + tag.getValue() + "\"")
            .collect(Collectors.joining(", ", "{", "}"));
  }
}
