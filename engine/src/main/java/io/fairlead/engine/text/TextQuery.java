// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.text;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The operand of {@code $text}, read.
 *
 * @param words everything that is looked for, phrases included, as one text
 * @param negatedWords what must not be there
 * @param phrases that must all be there
 * @param negatedPhrases that must not be there
 * @param language that was asked for; null for the index's own
 */
public record TextQuery(
    String words,
    String negatedWords,
    List<String> phrases,
    List<String> negatedPhrases,
    @Nullable TextLanguage language,
    boolean caseSensitive,
    boolean diacriticSensitive) {
  public TextQuery {
    phrases = List.copyOf(phrases);
    negatedPhrases = List.copyOf(negatedPhrases);
  }

  /**
   * Reads an operand.
   *
   * @throws EngineException 14 for a wrong type, 9 for a missing {@code $search}, 2 for an unknown
   *     option or language
   */
  public static TextQuery parse(BsonValue operand) {
    if (!(operand instanceof BsonDocument options)) {
      throw new EngineException(ErrorCodes.BAD_VALUE, "$text expects an object");
    }
    String search = null;
    TextLanguage language = null;
    boolean caseSensitive = false;
    boolean diacriticSensitive = false;
    for (Map.Entry<String, BsonValue> option : options.entrySet()) {
      BsonValue value = option.getValue();
      switch (option.getKey()) {
        case "$search" -> search = string("$search", value);
        case "$language" -> language = language(string("$language", value));
        case "$caseSensitive" -> caseSensitive = flag("$caseSensitive", value);
        case "$diacriticSensitive" -> diacriticSensitive = flag("$diacriticSensitive", value);
        default ->
            throw new EngineException(
                ErrorCodes.BAD_VALUE, "extra fields in $text: " + option.getKey());
      }
    }
    if (search == null) {
      throw new EngineException(ErrorCodes.FAILED_TO_PARSE, "Missing expected field \"$search\"");
    }
    return read(search, language, caseSensitive, diacriticSensitive);
  }

  private static String string(String option, BsonValue value) {
    if (!value.isString()) {
      throw wrongType(option, "string", value);
    }
    return value.asString().getValue();
  }

  private static boolean flag(String option, BsonValue value) {
    if (!value.isBoolean()) {
      throw wrongType(option, "bool", value);
    }
    return value.asBoolean().getValue();
  }

  private static EngineException wrongType(String option, String wanted, BsonValue value) {
    return new EngineException(
        ErrorCodes.TYPE_MISMATCH,
        "\""
            + option
            + "\" had the wrong type. Expected "
            + wanted
            + ", found "
            + BsonTypes.nameOf(value));
  }

  private static @Nullable TextLanguage language(String name) {
    if (name.isEmpty()) {
      return null;
    }
    TextLanguage language = TextLanguage.named(name);
    if (language == null) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE, "unsupported language: \"" + name + "\" for text index version 3");
    }
    return language;
  }

  /** A minus after a space negates the word or phrase behind it; quotes make a phrase. */
  private static TextQuery read(
      String search,
      @Nullable TextLanguage language,
      boolean caseSensitive,
      boolean diacriticSensitive) {
    StringBuilder words = new StringBuilder();
    StringBuilder negated = new StringBuilder();
    List<String> phrases = new ArrayList<>();
    List<String> negatedPhrases = new ArrayList<>();
    int at = 0;
    boolean spaceBefore = true;
    boolean negates = false;
    while (at < search.length()) {
      char next = search.charAt(at);
      if (next == '"') {
        int end = search.indexOf('"', at + 1);
        String phrase = search.substring(at + 1, end < 0 ? search.length() : end);
        if (end < 0) {
          words.append(' ').append(phrase); // never closed: just words
        } else if (negates) {
          negatedPhrases.add(phrase);
        } else {
          phrases.add(phrase);
          words.append(' ').append(phrase);
        }
        negates = false;
        at = end < 0 ? search.length() : end + 1;
        spaceBefore = false;
      } else if (next == '-' && spaceBefore) {
        negates = true;
        at++;
        spaceBefore = false;
      } else if (Character.isWhitespace(next)) {
        negates = false;
        spaceBefore = true;
        words.append(' ');
        negated.append(' ');
        at++;
      } else {
        (negates ? negated : words).append(next);
        spaceBefore = false;
        at++;
      }
    }
    return new TextQuery(
        words.toString(),
        negated.toString(),
        phrases,
        negatedPhrases,
        language,
        caseSensitive,
        diacriticSensitive);
  }
}
