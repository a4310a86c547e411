// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.format;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** {@code major.minor.patch}; what is missing is 0. */
public record Version(int major, int minor, int patch) implements Comparable<Version> {
  private static final Pattern DOT = Pattern.compile("\\.");
  private static final Comparator<Version> ORDER =
      Comparator.comparingInt(Version::major)
          .thenComparingInt(Version::minor)
          .thenComparingInt(Version::patch);

  public static Version parse(String text) {
    List<Integer> parts = new ArrayList<>();
    for (String part : DOT.split(text, -1)) {
      parts.add(Integer.parseInt(part));
    }
    while (parts.size() < 3) {
      parts.add(0);
    }
    return new Version(parts.get(0), parts.get(1), parts.get(2));
  }

  @Override
  public int compareTo(Version other) {
    return ORDER.compare(this, other);
  }
}
