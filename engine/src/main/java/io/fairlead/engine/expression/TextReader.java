// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Takes numbers and words off a text from left to right. */
final class TextReader {
  private static final Map<String, Integer> MONTHS =
      Map.ofEntries(
          Map.entry("jan", 1),
          Map.entry("january", 1),
          Map.entry("feb", 2),
          Map.entry("february", 2),
          Map.entry("mar", 3),
          Map.entry("march", 3),
          Map.entry("apr", 4),
          Map.entry("april", 4),
          Map.entry("may", 5),
          Map.entry("jun", 6),
          Map.entry("june", 6),
          Map.entry("jul", 7),
          Map.entry("july", 7),
          Map.entry("aug", 8),
          Map.entry("august", 8),
          Map.entry("sep", 9),
          Map.entry("sept", 9),
          Map.entry("september", 9),
          Map.entry("oct", 10),
          Map.entry("october", 10),
          Map.entry("nov", 11),
          Map.entry("november", 11),
          Map.entry("dec", 12),
          Map.entry("december", 12),
          Map.entry("i", 1),
          Map.entry("ii", 2),
          Map.entry("iii", 3),
          Map.entry("iv", 4),
          Map.entry("v", 5),
          Map.entry("vi", 6),
          Map.entry("vii", 7),
          Map.entry("viii", 8),
          Map.entry("ix", 9),
          Map.entry("x", 10),
          Map.entry("xi", 11),
          Map.entry("xii", 12));

  private static final Set<String> ORDINAL_SUFFIXES = Set.of("st", "nd", "rd", "th");

  final String text;
  int at;

  /** How many digits the last number had. */
  int digits;

  TextReader(String text) {
    this.text = text;
  }

  boolean ended() {
    return at >= text.length();
  }

  /** The character that comes next, 0 at the end. */
  char peek() {
    return ended() ? 0 : text.charAt(at);
  }

  static boolean digit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  /** The next number, wherever it begins, of so many digits at most; UNSET if none follows. */
  long number(int most) {
    int from = at;
    while (from < text.length() && !digit(text.charAt(from))) {
      from++;
    }
    if (from == text.length()) {
      return ParsedDate.UNSET;
    }
    at = from;
    while (digit(peek()) && at - from < most) {
      at++;
    }
    digits = at - from;
    return Long.parseLong(text.substring(from, at));
  }

  /** The next number with the sign before it; several minus signs cancel out. */
  long signed(int most) {
    long sign = 1;
    while (!ended() && !digit(peek())) {
      if (peek() == '-') {
        sign = -sign;
      }
      at++;
    }
    return sign * number(most);
  }

  /** A year; one of fewer than four digits that is below 100 lies between 1970 and 2069. */
  long year() {
    long year = number(4);
    boolean whole = digits == 4 || year == ParsedDate.UNSET || year >= 100;
    return whole ? year : year + (year < 70 ? 2000 : 1900);
  }

  /** The letters that come next, in small letters. */
  String word() {
    int from = at;
    while (letter(peek())) {
      at++;
    }
    return text.substring(from, at).toLowerCase(Locale.ROOT);
  }

  /** Past the suffix of an ordinal number. */
  TextReader pastOrdinal() {
    if (ORDINAL_SUFFIXES.contains(
        text.substring(at, Math.min(text.length(), at + 2)).toLowerCase(Locale.ROOT))) {
      at += 2;
    }
    return this;
  }

  /** A month by number or by name; 0 if what follows is neither. */
  long anyMonth() {
    while (!ended() && !digit(peek()) && !letter(peek())) {
      at++;
    }
    return letter(peek()) ? monthName() : number(2);
  }

  /** The month whose English name or abbreviation, or Roman number, comes next; 0 if none does. */
  int monthName() {
    return MONTHS.getOrDefault(word(), 0);
  }

  /** Whether a separator of a time's parts comes next. */
  boolean separated() {
    return peek() == ':' || peek() == '.';
  }

  /** Microseconds from the separator on. */
  long fraction() {
    at++;
    long micros = 0;
    for (int i = 0; i < 6; i++) {
      micros = micros * 10 + (digit(peek()) ? text.charAt(at++) - '0' : 0);
    }
    while (digit(peek())) {
      at++;
    }
    return micros;
  }

  /** What a.m. or p.m. adds to an hour; nothing if neither is left in the text. */
  long meridian(long hour) {
    while (!ended() && "AaPp".indexOf(peek()) < 0) {
      at++;
    }
    if (ended()) {
      return 0;
    }
    boolean morning = Character.toLowerCase(peek()) == 'a';
    at = text.length();
    return morning ? hour == 12 ? -12 : 0 : hour == 12 ? 0 : 12;
  }

  /** The unit of time that stands at the end, in small letters. */
  String unit() {
    while (!ended() && !letter(peek()) && peek() != 'µ') {
      at++;
    }
    return rest().toLowerCase(Locale.ROOT);
  }

  /** Everything that is left. */
  String rest() {
    String rest = text.substring(at);
    at = text.length();
    return rest;
  }
}
