// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.time.temporal.IsoFields;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Dates to text and back, in MongoDB's format specifiers, and time zones. */
final class DateFormat {
  private static final Pattern OFFSET = Pattern.compile("([+-])(\\d{2}):?(\\d{2})?");

  /** The names of the time zone database: {@link ZoneId#of} takes more, such as UTC+5. */
  private static final Set<String> NAMES = ZoneId.getAvailableZoneIds();

  private DateFormat() {}

  /**
   * A time zone: an Olson name or an offset.
   *
   * @throws EngineException 40485 when there is none of that name
   */
  static ZoneId zone(String name) {
    Matcher offset = OFFSET.matcher(name);
    try {
      if (offset.matches()) {
        int hours = Integer.parseInt(offset.group(2));
        int minutes = offset.group(3) == null ? 0 : Integer.parseInt(offset.group(3));
        int seconds = (hours * 60 + minutes) * 60;
        return ZoneOffset.ofTotalSeconds(offset.group(1).equals("-") ? -seconds : seconds);
      }
      return switch (name) {
        case "UTC", "GMT" -> ZoneOffset.UTC;
        // of the zones named by three letters these are in the time zone database
        case "EST" -> ZoneOffset.ofHours(-5);
        case "MST" -> ZoneOffset.ofHours(-7);
        case "HST" -> ZoneOffset.ofHours(-10);
        default -> {
          if (!NAMES.contains(name)) {
            throw new DateTimeException("not in the time zone database");
          }
          yield ZoneId.of(name);
        }
      };
    } catch (DateTimeException e) {
      throw new EngineException(40485, "unrecognized time zone identifier: \"" + name + "\"");
    }
  }

  /** {@code 2024-05-06T07:08:09.010Z}. */
  static String iso(Instant instant) {
    return format("%Y-%m-%dT%H:%M:%S.%LZ", instant.atZone(ZoneOffset.UTC));
  }

  /** Refuses unknown specifiers. */
  static void check(String format, boolean forParsing) {
    String known = forParsing ? "dGHjLmMSuVYzZ%bB" : "dGHjLmMSwuUVYzZ%bB";
    for (int i = 0; i < format.length(); i++) {
      if (format.charAt(i) == '%') {
        if (++i == format.length()) {
          throw new EngineException(18535, "Unmatched '%' at end of format string");
        }
        if (known.indexOf(format.charAt(i)) < 0) {
          throw new EngineException(
              18536, "Invalid format character '%" + format.charAt(i) + "' in format string");
        }
      }
    }
  }

  static String format(String format, ZonedDateTime date) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c == '%') {
        append(format.charAt(++i), date, out);
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static void append(char specifier, ZonedDateTime date, StringBuilder out) {
    switch (specifier) {
      case 'd' -> padded(date.getDayOfMonth(), 2, out);
      case 'G' -> padded(date.get(IsoFields.WEEK_BASED_YEAR), 4, out);
      case 'H' -> padded(date.getHour(), 2, out);
      case 'j' -> padded(date.getDayOfYear(), 3, out);
      case 'L' -> padded(date.getNano() / 1_000_000, 3, out);
      case 'm' -> padded(date.getMonthValue(), 2, out);
      case 'M' -> padded(date.getMinute(), 2, out);
      case 'S' -> padded(date.getSecond(), 2, out);
      case 'w' -> out.append(dayOfWeek(date));
      case 'u' -> out.append(date.getDayOfWeek().getValue());
      case 'U' -> padded(week(date), 2, out);
      case 'V' -> padded(date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2, out);
      case 'Y' -> {
        if (date.getYear() < 0 || date.getYear() > 9999) {
          throw new EngineException(
              18537,
              "$dateToString is only defined on year 0-9999, tried to use year " + date.getYear());
        }
        padded(date.getYear(), 4, out);
      }
      case 'z' -> {
        int minutes = date.getOffset().getTotalSeconds() / 60;
        out.append(minutes < 0 ? '-' : '+');
        padded(Math.abs(minutes) / 60, 2, out);
        padded(Math.abs(minutes) % 60, 2, out);
      }
      case 'Z' -> out.append(date.getOffset().getTotalSeconds() / 60);
      case 'b' -> out.append(date.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH));
      case 'B' -> out.append(date.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH));
      default -> out.append('%');
    }
  }

  private static void padded(int number, int width, StringBuilder out) {
    String digits = Integer.toString(number);
    out.append("0".repeat(Math.max(0, width - digits.length()))).append(digits);
  }

  /** 1 for Sunday. */
  static int dayOfWeek(ZonedDateTime date) {
    return date.getDayOfWeek() == DayOfWeek.SUNDAY ? 1 : date.getDayOfWeek().getValue() + 1;
  }

  /** Weeks start on Sundays; days before the first are in week 0. */
  static int week(ZonedDateTime date) {
    return (date.getDayOfYear() - 1 + 7 - (dayOfWeek(date) - 1)) / 7;
  }

  /** Milliseconds of a date in any of the usual ways of writing it. */
  static long parse(String text, ZoneId otherwise) {
    return DatePhrases.read(text).millis(otherwise);
  }

  /** Milliseconds of a date in a given format. */
  static long parse(String text, String format, ZoneId otherwise) {
    return DateReader.read(text, format).millis(otherwise);
  }
}
