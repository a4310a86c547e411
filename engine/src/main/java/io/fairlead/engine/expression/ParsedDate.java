// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * What has been read of a date's text so far, and how far it is to be moved. Whatever cannot be a
 * date is refused with ConversionFailure (241).
 */
final class ParsedDate {
  /** A part that the text has not given. */
  static final long UNSET = Long.MIN_VALUE;

  /** Which day of its month a date is moved to. */
  enum DayOfMonth {
    AS_IT_IS,
    FIRST,
    LAST
  }

  private final String text;
  long year = UNSET;
  long month = UNSET;
  long day = UNSET;
  long hour = UNSET;
  long minute = UNSET;
  long second = UNSET;
  long micros;
  @Nullable Integer zone;

  long years;
  long months;
  long days;
  long hours;
  long minutes;
  long seconds;
  long moreMicros;
  @Nullable Integer weekday;

  /** How a weekday is looked for: 0 after the date, 1 from the date on, 2 in the date's week. */
  int weekdayBehaviour;

  DayOfMonth dayOfMonth = DayOfMonth.AS_IT_IS;

  ParsedDate(String text) {
    this.text = text;
  }

  void time(long hour, long minute, long second) {
    this.hour = hour;
    this.minute = minute;
    this.second = second;
    this.micros = 0;
  }

  /** Moves the date by an amount of a unit, whose name is in small letters. */
  void move(long amount, String unit) {
    switch (unit.endsWith("s") && unit.length() > 2 ? unit.substring(0, unit.length() - 1) : unit) {
      case "ms", "msec", "millisecond" -> moreMicros += amount * 1000;
      case "µs", "µsec", "usec", "microsecond" -> moreMicros += amount;
      case "sec", "second" -> seconds += amount;
      case "min", "minute" -> minutes += amount;
      case "hour" -> hours += amount;
      case "day" -> days += amount;
      case "week" -> days += amount * 7;
      case "fortnight", "forthnight" -> days += amount * 14;
      case "month" -> months += amount;
      case "year" -> years += amount;
      default -> throw unparsable("no unit of time is called '" + unit + "'");
    }
  }

  /** Turns every movement so far around, but for parts of seconds. */
  void reverse() {
    years = -years;
    months = -months;
    days = -days;
    hours = -hours;
    minutes = -minutes;
    seconds = -seconds;
    weekday =
        weekday == null ? null : weekday == 0 ? Integer.valueOf(-7) : Integer.valueOf(-weekday);
  }

  /** Days from January 1st of a year to a day of an ISO week of it; Sunday is 0 or 7. */
  static long dayOfIsoWeek(long year, long week, long dayOfWeek) {
    int first = LocalDate.of((int) year, 1, 1).getDayOfWeek().getValue() % 7;
    return -(first > 4 ? first - 7 : first) + (week - 1) * 7 + dayOfWeek;
  }

  void readZone(String name, int at) {
    zone = ZoneText.seconds(name);
    if (zone == null) {
      throw unparsable(
          at + ": passing a time zone identifier as part of the string is not allowed");
    }
  }

  EngineException unparsable(String why) {
    return new EngineException(
        ErrorCodes.CONVERSION_FAILURE, "Error parsing date string '" + text + "'; " + why);
  }

  /** Milliseconds since the epoch. */
  long millis(ZoneId otherwise) {
    if (hour == UNSET && minute == UNSET && second == UNSET) {
      time(0, 0, 0);
    }
    if (year == UNSET
        || month == UNSET
        || day == UNSET
        || hour == UNSET
        || minute == UNSET
        || second == UNSET) {
      throw failure(
          "an incomplete date/time string has been found, with elements missing: \"" + text + "\"");
    }
    if (hour > 23 || minute > 59 || second > 59 || hour < 0) {
      throw unparsable("the parsed time was invalid");
    }
    if (month < 1
        || month > 12
        || day < 1
        || year < 0
        || year > 999_999_999
        || day > YearMonth.of((int) year, (int) month).lengthOfMonth()) {
      throw unparsable("The parsed date was invalid");
    }
    if (zone != null && !otherwise.equals(ZoneOffset.UTC)) {
      throw failure(
          "you cannot pass in a date/time string with time zone information together with a"
              + " timezone argument");
    }
    return moved(otherwise);
  }

  private long moved(ZoneId otherwise) {
    try {
      long local =
          Dates.instant(
                  date().atTime((int) hour, (int) minute, (int) second),
                  zone == null ? otherwise : ZoneOffset.UTC)
              .getEpochSecond();
      long moved =
          Math.addExact(local - (zone == null ? 0 : zone), hours * 3600 + minutes * 60 + seconds);
      return Math.addExact(
          Math.multiplyExact(moved, 1000L), Math.floorDiv(micros + moreMicros, 1000L));
    } catch (DateTimeException | ArithmeticException e) {
      throw failure("the date of '" + text + "' is out of range");
    }
  }

  private LocalDate date() {
    LocalDate date = LocalDate.of((int) year, (int) month, (int) day);
    if (weekday != null) {
      date = date.plusDays(daysTo(weekday, date.getDayOfWeek().getValue() % 7));
    }
    LocalDate first =
        date.withDayOfMonth(1).plusMonths(Math.addExact(Math.multiplyExact(years, 12L), months));
    return switch (dayOfMonth) {
      case FIRST -> first;
      case LAST -> first.withDayOfMonth(first.lengthOfMonth());
      case AS_IT_IS -> first.plusDays(date.getDayOfMonth() - 1 + days);
    };
  }

  /** Days from a weekday to the one looked for; Sunday is 0. */
  private long daysTo(int wanted, int present) {
    if (weekdayBehaviour == 2) {
      int sought = present == 0 && wanted != 0 ? wanted - 7 : wanted;
      return (sought == 0 && present != 0 ? 7L : sought) - present;
    }
    if (wanted < 0) {
      return -(7L - (-wanted - present));
    }
    int difference = wanted - present;
    boolean before = days < 0 ? difference < 0 : difference <= -weekdayBehaviour;
    return before ? difference + 7L : difference;
  }

  private static EngineException failure(String message) {
    return new EngineException(ErrorCodes.CONVERSION_FAILURE, message);
  }
}
