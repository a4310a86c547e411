// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;

/**
 * Reads dates as people and programs write them: {@code July 4th, 2017 11am}, {@code 7/4/17},
 * {@code Tue, 04 Jul 2017 11:56:02 GMT}, {@code 2017-W27-2}, {@code @1499169362}.
 *
 * <p>A text is a row of phrases ({@link DateGrammar}). Of those that could begin at a place the
 * longest is taken. Two dates, two times or two zones in one text are an error, and so is a
 * character that begins no phrase.
 */
final class DatePhrases {
  private static final List<String> WEEKDAYS =
      List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");
  private static final List<String> ORDINALS =
      List.of(
          "this",
          "first",
          "second",
          "third",
          "fourth",
          "fifth",
          "sixth",
          "seventh",
          "eighth",
          "ninth",
          "tenth",
          "eleventh",
          "twelfth");
  private static final Map<String, Integer> WORDS =
      Map.of("next", 1, "last", -1, "previous", -1, "eight", 8);

  private final String text;
  private final ParsedDate date;
  private int at;
  private int clocks;
  private boolean dated;
  private boolean zoned;

  private DatePhrases(String text) {
    this.text = text;
    this.date = new ParsedDate(text);
  }

  /** The date that a text tells. */
  static ParsedDate read(String text) {
    DatePhrases phrases = new DatePhrases(text.strip());
    if (phrases.text.isEmpty()) {
      throw phrases.error("Empty string");
    }
    while (phrases.at < phrases.text.length()) {
      phrases.next();
    }
    return phrases.date;
  }

  private void next() {
    DateGrammar.Form best = null;
    int end = at;
    for (DateGrammar.Form form : DateGrammar.FORMS) {
      Matcher matcher = form.pattern().matcher(text).region(at, text.length());
      if (matcher.lookingAt() && matcher.end() > end) {
        best = form;
        end = matcher.end();
      }
    }
    if (best == null) {
      throw error("Unexpected character '" + text.charAt(at) + "'");
    }
    best.effect().accept(this, new TextReader(text.substring(at, end)));
    at = end;
  }

  private EngineException error(String why) {
    return date.unparsable(at + ": " + why);
  }

  private void time(long hour, long minute, long second) {
    if (clocks > 0) {
      throw error("Double time specification");
    }
    clocks = 1;
    date.time(hour, minute, second);
  }

  private void day(long year, long month, long day) {
    if (dated) {
      throw error("Double date specification");
    }
    dated = true;
    date.year = year;
    date.month = month;
    date.day = day;
  }

  void midnight() {
    clocks = 0;
    date.time(0, 0, 0);
  }

  void noon() {
    midnight();
    time(12, 0, 0);
  }

  void beginningOfDay(int days) {
    midnight();
    date.days = days;
  }

  void timestamp(TextReader phrase) {
    boolean negative = phrase.text.startsWith("@-");
    dated = false;
    midnight();
    day(1970, 1, 1);
    zone(new TextReader("UTC"));
    date.seconds += phrase.signed(18);
    if (phrase.peek() == '.') {
      long micros = phrase.fraction();
      date.moreMicros = negative ? -micros : micros;
    }
  }

  void firstOrLastDay(TextReader phrase) {
    midnight();
    date.dayOfMonth =
        phrase.word().equals("last") ? ParsedDate.DayOfMonth.LAST : ParsedDate.DayOfMonth.FIRST;
  }

  /** A quarter after or before the hour. */
  void quarter(TextReader phrase) {
    midnight();
    boolean back = phrase.word().equals("back");
    long hour = phrase.number(2) - (back ? 0 : 1);
    time(hour + phrase.meridian(hour), back ? 15 : 45, 0);
  }

  void time12(TextReader phrase) {
    long hour = phrase.number(2);
    long minute = phrase.separated() ? phrase.number(2) : 0;
    long second = phrase.separated() ? phrase.number(2) : 0;
    long micros = phrase.separated() ? phrase.fraction() : 0;
    time(hour + phrase.meridian(hour), minute, second);
    date.micros = micros;
  }

  void time24(TextReader phrase) {
    long hour = phrase.number(2);
    boolean more = phrase.separated() || TextReader.digit(phrase.peek());
    long minute = more ? phrase.number(2) : 0;
    more = phrase.separated() || TextReader.digit(phrase.peek());
    time(hour, minute, more ? phrase.number(2) : 0);
    if (phrase.peek() == '.') {
      date.micros = phrase.fraction();
    }
    if (!phrase.ended()) {
      date.readZone(phrase.rest(), at);
    }
  }

  /** A time at first, a year after a time. */
  void fourDigits(TextReader phrase) {
    switch (clocks++) {
      case 0 -> {
        long hour = phrase.number(2);
        date.time(hour, phrase.number(2), 0);
      }
      case 1 -> date.year = phrase.number(4);
      default -> throw error("Double time specification");
    }
  }

  void monthDay(TextReader phrase) {
    long month = phrase.number(2);
    day(date.year, month, phrase.number(2));
  }

  void monthDayYear(TextReader phrase) {
    long month = phrase.number(2);
    long day = phrase.number(2);
    day(phrase.year(), month, day);
  }

  void signedYearMonthDay(TextReader phrase) {
    long year = phrase.signed(18);
    long month = phrase.number(2);
    day(year, month, phrase.number(2));
  }

  void yearMonthDay(TextReader phrase) {
    long year = phrase.year();
    long month = phrase.anyMonth();
    day(year, month, phrase.number(2));
    phrase.pastOrdinal();
  }

  void yearMonth(TextReader phrase) {
    long year = phrase.year();
    day(year, phrase.anyMonth(), 1);
  }

  void dayMonthYear(TextReader phrase) {
    long day = phrase.number(2);
    long month = phrase.pastOrdinal().anyMonth();
    day(phrase.year(), month, day);
  }

  void dayMonth(TextReader phrase) {
    long day = phrase.number(2);
    day(date.year, phrase.pastOrdinal().anyMonth(), day);
  }

  void yearDay(TextReader phrase) {
    long year = phrase.year();
    day(year, 1, phrase.number(3));
  }

  void isoWeek(TextReader phrase) {
    long year = phrase.number(4);
    long week = phrase.number(2);
    long dayOfWeek = phrase.ended() ? 1 : phrase.number(1);
    day(year, 1, 1);
    date.days = ParsedDate.dayOfIsoWeek(year, week, dayOfWeek);
  }

  void year(TextReader phrase) {
    date.year = phrase.number(4);
  }

  void nameYear(TextReader phrase) {
    long month = phrase.anyMonth();
    day(phrase.year(), month, 1);
  }

  void nameDayYear(TextReader phrase) {
    long month = phrase.anyMonth();
    long day = phrase.number(2);
    day(phrase.year(), month, day);
  }

  void nameDay(TextReader phrase) {
    long month = phrase.anyMonth();
    day(date.year, month, phrase.number(2));
  }

  void monthName(TextReader phrase) {
    day(date.year, phrase.anyMonth(), date.day);
  }

  void zone(TextReader phrase) {
    if (zoned) {
      throw error("Double timezone specification");
    }
    zoned = true;
    date.readZone(phrase.rest(), at);
  }

  void ago() {
    date.reverse();
  }

  void weekday(TextReader phrase) {
    midnight();
    date.weekday = WEEKDAYS.indexOf(phrase.word().substring(0, 3));
    if (date.weekdayBehaviour != 2) {
      date.weekdayBehaviour = 1;
    }
  }

  void moveByWord(TextReader phrase) {
    String word = phrase.word();
    int amount = WORDS.getOrDefault(word, ORDINALS.indexOf(word));
    String unit = phrase.unit();
    boolean ofWeek = unit.equals("week") && (amount <= 0 || word.equals("next"));
    move(amount, unit, word.equals("this") ? 1 : 0, true);
    if (ofWeek) {
      date.weekdayBehaviour = 2;
      if (date.weekday == null) {
        date.weekday = 1;
      }
    }
  }

  void moveByNumber(TextReader phrase) {
    long amount = phrase.signed(13);
    move(amount, phrase.unit(), 1, false);
  }

  private void move(long amount, String unit, int behaviour, boolean dayBegins) {
    boolean named = unit.length() == 3 || unit.matches(".+days?");
    int weekday = named ? WEEKDAYS.indexOf(unit.substring(0, 3)) : -1;
    if (weekday < 0) {
      date.move(amount, unit);
      return;
    }
    if (dayBegins) {
      midnight();
    }
    date.days += (amount > 0 ? amount - 1 : amount) * 7;
    date.weekday = weekday;
    date.weekdayBehaviour = behaviour;
  }
}
