// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.look;

import io.fairlead.topology.readpreference.LatencyWindow;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a latency window: {@code 15ms}, {@code 20%}, or {@code 20%,2ms} with a floor. */
final class Windows implements ITypeConverter<LatencyWindow> {
  private static final Pattern PERCENT = Pattern.compile("(\\d{1,6})%(?:,(.+))?");

  @Override
  public LatencyWindow convert(String text) {
    Matcher matcher = PERCENT.matcher(text.strip());
    if (!matcher.matches()) {
      try {
        return new LatencyWindow.Absolute(new Times().convert(text));
      } catch (TypeConversionException e) {
        throw new TypeConversionException(
            "'" + text + "' is not a window such as 15ms, 20% or 20%,2ms");
      }
    }
    int percent = Integer.parseInt(matcher.group(1));
    Duration floor =
        matcher.group(2) == null
            ? LatencyWindow.Proportional.DEFAULT_FLOOR
            : new Times().convert(matcher.group(2));
    return new LatencyWindow.Proportional(percent, floor);
  }
}
