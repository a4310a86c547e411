// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collation;

import java.io.ByteArrayOutputStream;
import java.text.Normalizer;

/**
 * Builds the key of one string, level by level: base letters, accents, case, then what the
 * collation's strength adds. Each level ends with 0, so that a shorter one sorts first. Not for
 * several threads.
 */
final class KeyBuilder {
  private static final String SPACES = "\t\n\u000B\f\r\u0085\u2028\u2029 ";
  private static final String PUNCTUATION = "_-,;:!?.'\"()[]{}@*/\\&#%";
  private static final String SYMBOLS = "`^+<=>|~$";

  /** Where the kinds of characters start; each weight is four bytes. */
  private static final int SPACE = 0x0100_0000;

  private static final int PUNCT = 0x0200_0000;
  private static final int SYMBOL = 0x0300_0000;
  private static final int DIGIT = 0x0400_0000;
  private static final int LATIN = 0x0500_0000;
  private static final int OTHER = 0x0600_0000;

  private final Collation collation;
  private final ByteArrayOutputStream primary = new ByteArrayOutputStream();
  private final ByteArrayOutputStream secondary = new ByteArrayOutputStream();
  private final ByteArrayOutputStream cases = new ByteArrayOutputStream();
  private final ByteArrayOutputStream quaternary = new ByteArrayOutputStream();

  KeyBuilder(Collation collation) {
    this.collation = collation;
  }

  byte[] build(String value) {
    String text = Normalizer.normalize(value, Normalizer.Form.NFD);
    int i = 0;
    while (i < text.length()) {
      int c = text.codePointAt(i);
      i =
          collation.numeric() && isDigit(c)
              ? number(text, i)
              : character(c, i + Character.charCount(c));
    }
    return joined(text);
  }

  private byte[] joined(String text) {
    ByteArrayOutputStream key = new ByteArrayOutputStream();
    key.writeBytes(primary.toByteArray());
    end(key);
    if (collation.strength() >= 2) {
      byte[] accents = secondary.toByteArray();
      key.writeBytes(collation.backwards() ? reversed(accents) : accents);
      end(key);
    }
    if (collation.strength() >= 3 || collation.caseLevel()) {
      key.writeBytes(cases.toByteArray());
      end(key);
    }
    if (collation.strength() >= 4) {
      key.writeBytes(quaternary.toByteArray());
      end(key);
    }
    if (collation.strength() == 5) {
      text.codePoints().forEach(c -> weight(key, c + 1));
    }
    return key.toByteArray();
  }

  private static void end(ByteArrayOutputStream key) {
    key.write(0);
    key.write(0);
    key.write(0);
    key.write(0);
  }

  private static byte[] reversed(byte[] weights) {
    byte[] reversed = new byte[weights.length];
    for (int i = 0; i < weights.length; i += 4) {
      System.arraycopy(weights, i, reversed, weights.length - 4 - i, 4);
    }
    return reversed;
  }

  private static boolean isDigit(int c) {
    return Character.getType(c) == Character.DECIMAL_DIGIT_NUMBER;
  }

  /** A run of digits as one number: how many digits, then the digits. */
  private int number(String text, int from) {
    int at = from;
    StringBuilder digits = new StringBuilder();
    while (at < text.length() && isDigit(text.codePointAt(at))) {
      digits.append(Character.digit(text.codePointAt(at), 10));
      at += Character.charCount(text.codePointAt(at));
    }
    int zeros = 0;
    while (zeros < digits.length() - 1 && digits.charAt(zeros) == '0') {
      zeros++;
    }
    base(DIGIT + 0x100 + digits.length() - zeros, false);
    for (int i = zeros; i < digits.length(); i++) {
      base(DIGIT + 1 + (digits.charAt(i) - '0'), false);
    }
    return at;
  }

  private int character(int c, int next) {
    int type = Character.getType(c);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      weight(secondary, 0x100 + c);
      return next;
    }
    int space = SPACES.indexOf(c);
    boolean white = space >= 0 || type == Character.SPACE_SEPARATOR;
    boolean ignorable = type == Character.CONTROL || type == Character.FORMAT;
    if (!white && ignorable) {
      return next;
    }
    int punctuation = PUNCTUATION.indexOf(c);
    boolean punct = punctuation >= 0 || isPunctuation(type);
    if (collation.shifted() && (white || (punct && !collation.onlySpaceShifted()))) {
      weight(quaternary, 0x100 + c);
      return next;
    }
    if (white) {
      base(SPACE + (space >= 0 ? space : 0x100 + c), false);
    } else if (punct) {
      base(PUNCT + (punctuation >= 0 ? punctuation : 0x100 + c), false);
    } else if (isDigit(c)) {
      base(DIGIT + 1 + Character.digit(c, 10), false);
    } else {
      letterOrSymbol(c);
    }
    return next;
  }

  private static boolean isPunctuation(int type) {
    return type == Character.CONNECTOR_PUNCTUATION
        || type == Character.DASH_PUNCTUATION
        || type == Character.START_PUNCTUATION
        || type == Character.END_PUNCTUATION
        || type == Character.INITIAL_QUOTE_PUNCTUATION
        || type == Character.FINAL_QUOTE_PUNCTUATION
        || type == Character.OTHER_PUNCTUATION;
  }

  private void letterOrSymbol(int c) {
    int symbol = SYMBOLS.indexOf(c);
    if (symbol >= 0 || !Character.isLetter(c)) {
      base(SYMBOL + (symbol >= 0 ? symbol : 0x100 + c), false);
      return;
    }
    int lower = Character.toLowerCase(c);
    boolean upper = lower != c;
    String expanded = Collation.BASES.get(lower);
    if (expanded != null) {
      expanded.chars().forEach(letter -> base(LATIN + letter, upper));
      weight(secondary, 0x100 + lower);
    } else {
      base(
          (Character.UnicodeScript.of(lower) == Character.UnicodeScript.LATIN ? LATIN : OTHER)
              + lower,
          upper);
    }
  }

  private void base(int weight, boolean upper) {
    weight(primary, weight);
    weight(secondary, 1);
    weight(cases, upper == collation.upperFirst() ? 1 : 2);
    weight(quaternary, 1 << 24);
  }

  private static void weight(ByteArrayOutputStream out, int weight) {
    out.write(weight >>> 24);
    out.write(weight >>> 16);
    out.write(weight >>> 8);
    out.write(weight);
  }
}
