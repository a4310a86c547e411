// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import java.time.LocalDate;

/** Reads one date by a format of {@code $dateFromString}. */
final class DateReader {
  private final TextReader text;
  private final String format;
  private final ParsedDate date;
  private long isoYear = ParsedDate.UNSET;
  private long isoWeek = ParsedDate.UNSET;
  private long isoDay = ParsedDate.UNSET;

  private DateReader(String text, String format) {
    this.text = new TextReader(text);
    this.format = format;
    this.date = new ParsedDate(text);
  }

  /** The date of a text in a format that has been checked. */
  static ParsedDate read(String text, String format) {
    return new DateReader(text, format).read();
  }

  private ParsedDate read() {
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (text.ended()) {
        throw error("Not enough data available to satisfy format");
      }
      if (c == '%') {
        specifier(format.charAt(++i));
      } else {
        literal(c);
      }
    }
    if (!text.ended()) {
      throw error("Trailing data");
    }
    if (date.hour != ParsedDate.UNSET
        || date.minute != ParsedDate.UNSET
        || date.second != ParsedDate.UNSET
        || date.micros != 0) {
      date.hour = Math.max(date.hour, 0);
      date.minute = Math.max(date.minute, 0);
      date.second = Math.max(date.second, 0);
    }
    isoDate();
    return date;
  }

  private void literal(char expected) {
    if (text.peek() != expected) {
      throw error("Format literal not found");
    }
    text.at++;
  }

  private void specifier(char specifier) {
    switch (specifier) {
      case 'Y' -> date.year = number(4);
      case 'm' -> date.month = number(2);
      case 'd' -> date.day = number(2);
      case 'j' -> dayOfYear(number(3));
      case 'G' -> isoYear = number(4);
      case 'V' -> isoWeek = between(number(2), 1, 53, "ISO Week must be between 1 and 53");
      case 'u' -> isoDay = between(number(1), 1, 7, "Day of week must be between 1 and 7");
      case 'H' -> date.hour = number(2);
      case 'M' -> date.minute = twoDigits("minute");
      case 'S' -> date.second = twoDigits("second");
      case 'L' -> {
        long millis = number(3);
        date.micros = millis * (text.digits == 1 ? 100_000 : text.digits == 2 ? 10_000 : 1000);
      }
      case 'b', 'B' -> {
        date.month = text.monthName();
        if (date.month == 0) {
          throw error("A textual month could not be found");
        }
      }
      case 'z' -> {
        int end = ZoneText.end(text.text, text.at);
        date.readZone(text.text.substring(text.at, end), text.at);
        text.at = end;
      }
      case 'Z' -> date.zone = minutesEast();
      default -> literal('%');
    }
  }

  private long number(int digits) {
    if (!TextReader.digit(text.peek())) {
      throw error("Unexpected data found.");
    }
    return text.number(digits);
  }

  private long twoDigits(String part) {
    long number = number(2);
    if (text.digits != 2) {
      throw error("A two digit " + part + " could not be found");
    }
    return number;
  }

  private long between(long number, int least, int most, String otherwise) {
    if (number < least || number > most) {
      throw error(otherwise);
    }
    return number;
  }

  private int minutesEast() {
    char sign = text.peek();
    if (sign != '+' && sign != '-') {
      throw error("Invalid timezone offset in minutes");
    }
    text.at++;
    long minutes = TextReader.digit(text.peek()) ? text.number(7) : 0;
    return (int) minutes * (sign == '-' ? -60 : 60);
  }

  /** Days beyond the year's end reach into the next one. */
  private void dayOfYear(long day) {
    if (date.year == ParsedDate.UNSET) {
      throw error("A 'day of year' can only come after a year has been found");
    }
    LocalDate reached = LocalDate.of((int) date.year, 1, 1).plusDays(day - 1);
    date.year = reached.getYear();
    date.month = reached.getMonthValue();
    date.day = reached.getDayOfMonth();
  }

  private void isoDate() {
    boolean iso =
        isoYear != ParsedDate.UNSET || isoWeek != ParsedDate.UNSET || isoDay != ParsedDate.UNSET;
    boolean natural =
        date.year != ParsedDate.UNSET
            || (isoYear != ParsedDate.UNSET
                && (date.month != ParsedDate.UNSET || date.day != ParsedDate.UNSET));
    if (iso && natural) {
      throw error("Mixing of ISO dates with natural dates is not allowed");
    }
    if (iso && isoYear == ParsedDate.UNSET) {
      throw error("The parsed date was invalid");
    }
    if (iso) {
      LocalDate day =
          LocalDate.of((int) isoYear, 1, 1)
              .plusDays(
                  ParsedDate.dayOfIsoWeek(isoYear, Math.max(isoWeek, 1), Math.max(isoDay, 1)));
      date.year = day.getYear();
      date.month = day.getMonthValue();
      date.day = day.getDayOfMonth();
    }
  }

  private EngineException error(String why) {
    return date.unparsable(text.at + ": " + why);
  }
}
