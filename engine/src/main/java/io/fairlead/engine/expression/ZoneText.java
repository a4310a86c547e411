// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import static java.util.Map.entry;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Time zones as they stand inside a date's text: offsets ({@code +2}, {@code +0545}, {@code
 * GMT-02:00}) and abbreviations. Names of the time zone database are not allowed there. An
 * abbreviation that means several zones in the world and is not in common use for one of them is
 * not known.
 */
final class ZoneText {
  private static final int HOUR = 3600;
  private static final String MILITARY_EAST = "abcdefghiklm";
  private static final String MILITARY_WEST = "nopqrstuvwxy";
  private static final Map<String, Integer> SECONDS =
      Map.ofEntries(
          entry("utc", 0),
          entry("gmt", 0),
          entry("z", 0),
          entry("wet", 0),
          entry("west", HOUR),
          entry("bst", HOUR),
          entry("cet", HOUR),
          entry("cest", 2 * HOUR),
          entry("met", HOUR),
          entry("mest", 2 * HOUR),
          entry("eet", 2 * HOUR),
          entry("eest", 3 * HOUR),
          entry("sast", 2 * HOUR),
          entry("msk", 3 * HOUR),
          entry("msd", 4 * HOUR),
          entry("hkt", 8 * HOUR),
          entry("awst", 8 * HOUR),
          entry("jst", 9 * HOUR),
          entry("acst", 9 * HOUR + HOUR / 2),
          entry("acdt", 10 * HOUR + HOUR / 2),
          entry("aest", 10 * HOUR),
          entry("aedt", 11 * HOUR),
          entry("nzst", 12 * HOUR),
          entry("nzdt", 13 * HOUR),
          entry("nst", -(3 * HOUR + HOUR / 2)),
          entry("ndt", -(2 * HOUR + HOUR / 2)),
          entry("adt", -3 * HOUR),
          entry("ast", -4 * HOUR),
          entry("edt", -4 * HOUR),
          entry("est", -5 * HOUR),
          entry("cdt", -5 * HOUR),
          entry("cst", -6 * HOUR),
          entry("mdt", -6 * HOUR),
          entry("mst", -7 * HOUR),
          entry("pdt", -7 * HOUR),
          entry("pst", -8 * HOUR),
          entry("akdt", -8 * HOUR),
          entry("akst", -9 * HOUR),
          entry("hst", -10 * HOUR));

  private ZoneText() {}

  /** Where the zone that begins at {@code from} ends. */
  static int end(String text, int from) {
    int at = from;
    while (at < text.length()
        && (text.charAt(at) == ' ' || text.charAt(at) == '\t' || text.charAt(at) == '(')) {
      at++;
    }
    if (text.startsWith("GMT+", at) || text.startsWith("GMT-", at)) {
      at += 3;
    }
    boolean offset = at < text.length() && "+-".indexOf(text.charAt(at)) >= 0;
    if (offset) {
      at++;
    }
    while (at < text.length() && belongs(text.charAt(at), offset)) {
      at++;
    }
    while (at < text.length() && text.charAt(at) == ')') {
      at++;
    }
    return at;
  }

  private static boolean belongs(char c, boolean offset) {
    return offset
        ? (c >= '0' && c <= '9') || c == ':'
        : c < 128 && (Character.isLetterOrDigit(c) || "/_-+".indexOf(c) >= 0);
  }

  /** Seconds east of Greenwich, or null if this is no such zone. */
  static @Nullable Integer seconds(String zone) {
    String name = zone.replaceAll("^[ \t(]+|\\)+$", "");
    if (name.startsWith("GMT+") || name.startsWith("GMT-")) {
      name = name.substring(3);
    }
    if (name.startsWith("+") || name.startsWith("-")) {
      Integer east = offset(name.substring(1));
      return east == null || name.charAt(0) == '+' ? east : Integer.valueOf(-east);
    }
    String small = name.toLowerCase(Locale.ROOT);
    if (small.length() == 1) {
      int east = MILITARY_EAST.indexOf(small);
      int west = MILITARY_WEST.indexOf(small);
      if (east >= 0 || west >= 0) {
        return (east - west) * HOUR;
      }
    }
    return SECONDS.get(small);
  }

  private static @Nullable Integer offset(String digits) {
    String[] parts = digits.split(":", -1);
    if (parts.length > 3 || digits.isEmpty()) {
      return null;
    }
    if (parts.length == 1) {
      return switch (digits.length()) {
        case 1, 2 -> Integer.parseInt(digits) * HOUR;
        case 3, 4 -> sexagesimal(Integer.parseInt(digits) * 100);
        case 6 -> sexagesimal(Integer.parseInt(digits));
        default -> null;
      };
    }
    int seconds = 0;
    for (int i = 0; i < 3; i++) {
      String part = i < parts.length ? parts[i] : "0";
      if (part.isEmpty() || part.length() > 2) {
        return null;
      }
      seconds = seconds * 60 + Integer.parseInt(part);
    }
    return seconds;
  }

  /** Hours, minutes and seconds as two decimal digits each. */
  private static int sexagesimal(int decimal) {
    return decimal / 10000 * HOUR + decimal / 100 % 100 * 60 + decimal % 100;
  }
}
