// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.text;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.tartarus.snowball.SnowballStemmer;

/** Cuts texts of one language into words and stems them. Reusable; used by one thread. */
final class Words {
  private static final Pattern MARKS = Pattern.compile("\\p{M}+");

  private final TextLanguage language;
  private final @Nullable SnowballStemmer stemmer;

  Words(TextLanguage language) {
    this.language = language;
    this.stemmer = language.newStemmer();
  }

  /**
   * The stems of a text in order, without stop words.
   *
   * @param keepCase whether upper and lower case are told apart
   * @param keepMarks whether letters with and without diacritics are
   */
  List<String> stems(String text, boolean keepCase, boolean keepMarks) {
    List<String> stems = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      int start = at;
      while (at < text.length() && !isDelimiter(text.codePointAt(at))) {
        at += Character.charCount(text.codePointAt(at));
      }
      if (at > start) {
        String word = text.substring(start, at);
        String lower = lower(word);
        if (!language.isStopWord(lower)) {
          String stem = stem(keepCase ? word : lower);
          stems.add(keepMarks ? stem : withoutMarks(stem));
        }
      } else {
        at += Character.charCount(text.codePointAt(at));
      }
    }
    return stems;
  }

  private String stem(String word) {
    if (stemmer == null) {
      return word;
    }
    stemmer.setCurrent(word);
    stemmer.stem();
    return stemmer.getCurrent();
  }

  private String lower(String word) {
    return word.toLowerCase(
        language == TextLanguage.TURKISH ? Locale.forLanguageTag("tr") : Locale.ROOT);
  }

  /** The text as phrases are looked for in it. */
  String folded(String text, boolean keepCase, boolean keepMarks) {
    String folded = keepCase ? text : lower(text);
    return keepMarks ? folded : withoutMarks(folded);
  }

  static String withoutMarks(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0x7F) {
        return MARKS.matcher(Normalizer.normalize(text, Normalizer.Form.NFD)).replaceAll("");
      }
    }
    return text;
  }

  private boolean isDelimiter(int point) {
    if (point < 0x80) {
      return point == '\''
          ? language != TextLanguage.ENGLISH
          : point != '_' && !Character.isLetterOrDigit(point);
    }
    return switch (Character.getType(point)) {
      case Character.DASH_PUNCTUATION,
          Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION,
          Character.OTHER_PUNCTUATION,
          Character.MATH_SYMBOL,
          Character.OTHER_SYMBOL,
          Character.SPACE_SEPARATOR,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> Character.isWhitespace(point);
    };
  }
}
