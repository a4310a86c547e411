// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.time.temporal.IsoFields;
import java.util.Locale;

/** Reads one date by a format of {@code $dateFromString}. */
final class DateReader {
  private final String text;
  private final String format;
  private ZoneId zone;
  private int at;
  private int year = -1;
  private int month = -1;
  private int day = -1;
  private int dayOfYear = -1;
  private int isoYear = -1;
  private int isoWeek = 1;
  private int isoDay = 1;
  private int hour;
  private int minute;
  private int second;
  private int millis;

  DateReader(String text, String format, ZoneId zone) {
    this.text = text;
    this.format = format;
    this.zone = zone;
  }

  long read() {
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c == '%') {
        specifier(format.charAt(++i));
      } else if (at < text.length() && text.charAt(at) == c) {
        at++;
      } else {
        throw DateFormat.unparsable(text, at + ": Format literal not found");
      }
    }
    if (at < text.length()) {
      throw DateFormat.unparsable(text, at + ": Trailing data");
    }
    try {
      return ZonedDateTime.of(date(), LocalTime.of(hour, minute, second, millis * 1_000_000), zone)
          .toInstant()
          .toEpochMilli();
    } catch (DateTimeException e) {
      throw DateFormat.unparsable(text, e.getMessage() == null ? "not a date" : e.getMessage());
    }
  }

  private LocalDate date() {
    if (isoYear >= 0) {
      return LocalDate.of(isoYear, 1, 4)
          .with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, isoWeek)
          .with(java.time.temporal.ChronoField.DAY_OF_WEEK, isoDay);
    }
    if (year < 0) {
      throw DateFormat.unparsable(
          text, "an incomplete date/time string has been found, with elements missing");
    }
    if (dayOfYear >= 0) {
      return LocalDate.ofYearDay(year, dayOfYear);
    }
    if (month < 0 || day < 0) {
      throw DateFormat.unparsable(
          text, "an incomplete date/time string has been found, with elements missing");
    }
    return LocalDate.of(year, month, day);
  }

  private void specifier(char specifier) {
    switch (specifier) {
      case 'Y' -> year = digits(4);
      case 'm' -> month = digits(2);
      case 'd' -> day = digits(2);
      case 'j' -> dayOfYear = digits(3);
      case 'G' -> isoYear = digits(4);
      case 'V' -> isoWeek = digits(2);
      case 'u' -> isoDay = digits(1);
      case 'H' -> hour = digits(2);
      case 'M' -> minute = digits(2);
      case 'S' -> second = digits(2);
      case 'L' -> millis = digits(3);
      case 'b' -> month = monthName(TextStyle.SHORT);
      case 'B' -> month = monthName(TextStyle.FULL);
      case 'z' -> zone = zoneOffset();
      case 'Z' -> zone = java.time.ZoneOffset.ofTotalSeconds(signed() * 60);
      default -> {
        if (at >= text.length() || text.charAt(at++) != '%') {
          throw DateFormat.unparsable(text, at + ": Format literal not found");
        }
      }
    }
  }

  private int digits(int most) {
    int from = at;
    while (at < text.length() && at - from < most && Character.isDigit(text.charAt(at))) {
      at++;
    }
    if (from == at) {
      throw DateFormat.unparsable(text, from + ": A number was expected");
    }
    return Integer.parseInt(text.substring(from, at));
  }

  private int signed() {
    int sign = 1;
    if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
      sign = text.charAt(at++) == '-' ? -1 : 1;
    }
    return sign * digits(4);
  }

  private ZoneId zoneOffset() {
    int from = at;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || "+-:/_".indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    return DateFormat.zone(text.substring(from, at));
  }

  private int monthName(TextStyle style) {
    for (Month candidate : Month.values()) {
      String name = candidate.getDisplayName(style, Locale.ENGLISH);
      if (text.regionMatches(true, at, name, 0, name.length())) {
        at += name.length();
        return candidate.getValue();
      }
    }
    throw DateFormat.unparsable(text, at + ": A textual month could not be found");
  }
}
