// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/** The phrases of which a date's text may consist, and what each tells. */
final class DateGrammar {
  private static final String DAY = "(?:3[01]|[0-2]?[0-9])(?:st|nd|rd|th)?";
  private static final String DAY2 = "(?:3[01]|[0-2][0-9])";
  private static final String MONTH = "(?:1[0-2]|0?[0-9])";
  private static final String MONTH2 = "(?:1[0-2]|0[0-9])";
  private static final String YEAR = "[0-9]{1,4}";
  private static final String YEAR4 = "[0-9]{4}";
  private static final String HOUR24 = "(?:2[0-4]|[01]?[0-9])";
  private static final String HOUR24_2 = "(?:2[0-4]|[01][0-9])";
  private static final String HOUR12 = "(?:1[0-2]|0?[1-9])";
  private static final String MINUTE = "[0-5]?[0-9]";
  private static final String MINUTE2 = "[0-5][0-9]";
  private static final String SECOND = "(?:60|[0-5]?[0-9])";
  private static final String SECOND2 = "(?:60|[0-5][0-9])";
  private static final String FRACTION = "\\.[0-9]+";
  private static final String SPACE = "(?:[ \\t]+|\u00a0+|\u202f+)";
  private static final String MERIDIAN = "[AaPp]\\.?[Mm]\\.?(?=[\\x00\\t ]|\\z)";
  private static final String ZONE = "(?:[A-Z][a-z]+(?:[_/-][A-Za-z]+)+|\\(?[A-Za-z]{1,6}\\)?)";
  private static final String OFFSET =
      "(?:GMT)?[+-](?:"
          + HOUR24_2
          + ":"
          + MINUTE2
          + ":"
          + SECOND2
          + "|"
          + HOUR24_2
          + MINUTE2
          + SECOND2
          + "|"
          + HOUR24
          + "(?::?"
          + MINUTE
          + ")?)";
  private static final String MONTH_SHORT =
      "(?i:sept|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)";
  private static final String MONTH_NAME =
      "(?:(?i:january|february|march|april|may|june|july|august|september|october|november|december)|"
          + MONTH_SHORT
          + ")";
  private static final String MONTH_TEXT =
      "(?:" + MONTH_NAME + "|VIII|VII|VI|V|IV|IX|III|II|I|XII|XI|X)";
  private static final String DAY_NAME =
      "(?i:(?:sun|mon|tues|wednes|thurs|fri|satur)days?|sun|mon|tue|wed|thu|fri|sat)";
  private static final String UNIT =
      "(?i:ms|[µu]s|(?:m|milli|[µu]|micro)?sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|forth?nights?|months?|years?|weeks?|"
          + DAY_NAME
          + ")(?![A-Za-z])";
  private static final String WHICH = "(?i:next|last|previous|this)";
  private static final String ORDINAL =
      "(?i:first|second|third|fourth|fifth|sixth|seventh|eighth|eight|ninth|tenth|eleventh|twelfth)";
  private static final String NO_YEAR =
      MONTH_TEXT + "[ .\\t-]*" + DAY + "(?:[,.stndrh\\t ]+|\\x00|\\z)";
  private static final String LONG24 = HOUR24 + "[:.]" + MINUTE + "[:.]" + SECOND;
  private static final String DAY_OF_YEAR =
      "(?:00[1-9]|0[1-9][0-9]|[12][0-9][0-9]|3[0-5][0-9]|36[0-6])";
  private static final String WEEK = "(?:0[1-9]|[1-4][0-9]|5[0-3])";

  /** A kind of phrase: how it is written, and what it does to the date that is being read. */
  record Form(Pattern pattern, BiConsumer<DatePhrases, TextReader> effect) {}

  /** In the order in which equally long ones are preferred. */
  static final List<Form> FORMS = forms();

  private DateGrammar() {}

  private static List<Form> forms() {
    List<Form> forms = new ArrayList<>();
    forms.addAll(words());
    forms.addAll(times());
    forms.addAll(datesOfNumbers());
    forms.addAll(datesWithNames());
    forms.addAll(datesWithTimes());
    forms.addAll(moves());
    forms.addAll(form(DatePhrases::zone, OFFSET, ZONE));
    forms.addAll(form((date, phrase) -> {}, "[.,]", SPACE, "[\\x00\\n]"));
    return List.copyOf(forms);
  }

  private static List<Form> form(
      BiConsumer<DatePhrases, TextReader> effect, String... alternatives) {
    return Arrays.stream(alternatives).map(one -> new Form(Pattern.compile(one), effect)).toList();
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the lists are only read
  private static List<Form> all(List<Form>... kinds) {
    return Arrays.stream(kinds).flatMap(List::stream).toList();
  }

  private static List<Form> words() {
    return all(
        form((date, phrase) -> date.beginningOfDay(-1), "(?i:yesterday)"),
        form((date, phrase) -> {}, "(?i:now)"),
        form((date, phrase) -> date.noon(), "(?i:noon)"),
        form((date, phrase) -> date.midnight(), "(?i:midnight|today)"),
        form((date, phrase) -> date.beginningOfDay(1), "(?i:tomorrow)"),
        form(DatePhrases::timestamp, "@-?[0-9]+", "@-?[0-9]+\\.[0-9]{0,6}"),
        form(DatePhrases::firstOrLastDay, "(?i:first day of|last day of)"),
        form(
            DatePhrases::quarter,
            "(?i:back of |front of )" + HOUR24 + "(?:" + SPACE + "?" + MERIDIAN + ")?"));
  }

  private static List<Form> times() {
    return all(
        form(
            DatePhrases::time12,
            HOUR12 + SPACE + "?" + MERIDIAN,
            HOUR12 + "[:.]" + MINUTE2 + SPACE + "?" + MERIDIAN,
            HOUR12 + "[:.]" + MINUTE + "[:.]" + SECOND2 + SPACE + "?" + MERIDIAN,
            HOUR12 + ":" + MINUTE2 + ":" + SECOND2 + "[:.][0-9]+" + MERIDIAN),
        form(
            DatePhrases::time24,
            "[tT]" + HOUR24,
            "[tT]?" + HOUR24 + "[:.]" + MINUTE,
            "[tT]?" + LONG24,
            "[tT]?" + LONG24 + FRACTION),
        form(DatePhrases::fourDigits, "[tT]?" + HOUR24_2 + MINUTE2),
        form(DatePhrases::time24, "[tT]?" + HOUR24_2 + MINUTE2 + SECOND2));
  }

  private static List<Form> datesOfNumbers() {
    return all(
        form(DatePhrases::monthDay, MONTH + "/" + DAY),
        form(DatePhrases::monthDayYear, MONTH + "/" + DAY + "/" + YEAR),
        form(
            DatePhrases::signedYearMonthDay,
            "[+-]?" + YEAR4 + "-" + MONTH2 + "-" + DAY2,
            YEAR4 + "/" + MONTH2 + "/" + DAY2 + "/?",
            YEAR4 + "/" + MONTH + "/" + DAY),
        form(DatePhrases::yearMonthDay, "[0-9]{2}-" + MONTH2 + "-" + DAY2),
        form(DatePhrases::signedYearMonthDay, "[+-][0-9]{5,18}-" + MONTH2 + "-" + DAY2),
        form(DatePhrases::yearMonth, YEAR4 + "-" + MONTH),
        form(DatePhrases::yearMonthDay, YEAR + "-" + MONTH + "-" + DAY),
        form(
            DatePhrases::dayMonthYear,
            DAY + "[.\\t-]" + MONTH + "[.-]" + YEAR4,
            DAY + "[.\\t]" + MONTH + "\\.[0-9]{2}"),
        form(DatePhrases::yearMonthDay, YEAR4 + MONTH2 + DAY2),
        form(DatePhrases::yearDay, YEAR4 + "[.-]?" + DAY_OF_YEAR),
        form(DatePhrases::isoWeek, YEAR4 + "-?W" + WEEK + "(?:-?[0-7])?"),
        form(DatePhrases::year, YEAR4));
  }

  private static List<Form> datesWithNames() {
    return all(
        form(DatePhrases::dayMonthYear, DAY + "[ \\t.-]*" + MONTH_TEXT + "[ \\t.-]*" + YEAR),
        form(DatePhrases::nameYear, MONTH_TEXT + "[ .\\t-]*" + YEAR4),
        form(DatePhrases::yearMonth, YEAR4 + "[ .\\t-]*" + MONTH_TEXT),
        form(
            DatePhrases::nameDayYear,
            MONTH_TEXT + "[ .\\t-]*" + DAY + "[,.stndrh\\t ]+" + YEAR,
            MONTH_SHORT + "-" + DAY2 + "-" + YEAR),
        form(DatePhrases::nameDay, NO_YEAR),
        form(DatePhrases::dayMonth, DAY + "[ .\\t-]*" + MONTH_TEXT),
        form(DatePhrases::yearMonthDay, YEAR + "-" + MONTH_SHORT + "-" + DAY2),
        form(DatePhrases::monthName, MONTH_NAME));
  }

  private static List<Form> datesWithTimes() {
    String clock = HOUR24_2 + ":" + MINUTE2 + ":" + SECOND2;
    return all(
        form(
            (date, phrase) -> {
              date.yearMonthDay(phrase);
              date.time24(phrase);
            },
            YEAR4 + MONTH2 + DAY2 + "T" + HOUR24 + ":" + MINUTE2 + ":" + SECOND2,
            YEAR4 + MONTH2 + DAY2 + "[tT]" + HOUR24 + MINUTE2 + SECOND2,
            YEAR4 + "-" + MONTH2 + "-" + DAY2 + "T" + clock + FRACTION + "(?:" + OFFSET + ")?",
            YEAR4 + "-" + MONTH + "-" + DAY + "T" + HOUR24 + ":" + MINUTE + ":" + SECOND,
            YEAR4 + ":" + MONTH2 + ":" + DAY2 + " " + clock),
        form(
            (date, phrase) -> {
              date.dayMonthYear(phrase);
              date.time24(phrase);
            },
            DAY + "/" + MONTH_SHORT + "/" + YEAR4 + ":" + clock + SPACE + OFFSET),
        form(
            (date, phrase) -> {
              date.nameDay(phrase);
              date.time12(phrase);
            },
            NO_YEAR + HOUR12 + "[:.]" + MINUTE2 + SPACE + "?" + MERIDIAN,
            NO_YEAR + HOUR12 + "[:.]" + MINUTE + "[:.]" + SECOND2 + SPACE + "?" + MERIDIAN),
        form(
            (date, phrase) -> {
              date.nameDay(phrase);
              date.time24(phrase);
            },
            NO_YEAR + "[tT]?" + HOUR24 + "[:.]" + MINUTE,
            NO_YEAR + "[tT]?" + LONG24));
  }

  private static List<Form> moves() {
    return all(
        form((date, phrase) -> date.ago(), "(?i:ago)"),
        form(DatePhrases::weekday, DAY_NAME),
        form(DatePhrases::moveByWord, "(?:" + ORDINAL + "|" + WHICH + ")" + SPACE + UNIT),
        form(DatePhrases::moveByNumber, "[+-]*[ \\t]*[0-9]{1,13}" + SPACE + "?" + UNIT));
  }
}
