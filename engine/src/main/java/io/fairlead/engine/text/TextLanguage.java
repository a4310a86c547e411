// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.tartarus.snowball.SnowballStemmer;
import org.tartarus.snowball.ext.DanishStemmer;
import org.tartarus.snowball.ext.DutchStemmer;
import org.tartarus.snowball.ext.EnglishStemmer;
import org.tartarus.snowball.ext.FinnishStemmer;
import org.tartarus.snowball.ext.FrenchStemmer;
import org.tartarus.snowball.ext.GermanStemmer;
import org.tartarus.snowball.ext.HungarianStemmer;
import org.tartarus.snowball.ext.ItalianStemmer;
import org.tartarus.snowball.ext.NorwegianStemmer;
import org.tartarus.snowball.ext.PortugueseStemmer;
import org.tartarus.snowball.ext.RomanianStemmer;
import org.tartarus.snowball.ext.RussianStemmer;
import org.tartarus.snowball.ext.SpanishStemmer;
import org.tartarus.snowball.ext.SwedishStemmer;
import org.tartarus.snowball.ext.TurkishStemmer;

/**
 * A language of texts: its stop words, and how its words are stemmed. The stemmers and the lists
 * are those of the Snowball project as Lucene ships them.
 */
public enum TextLanguage {
  /** Words as they are; no stop words. */
  NONE("none", "none", ""),
  DANISH("danish", "da", "snowball/danish_stop.txt"),
  DUTCH("dutch", "nl", "snowball/dutch_stop.txt"),
  ENGLISH("english", "en", "snowball/english_stop.txt"),
  FINNISH("finnish", "fi", "snowball/finnish_stop.txt"),
  FRENCH("french", "fr", "snowball/french_stop.txt"),
  GERMAN("german", "de", "snowball/german_stop.txt"),
  HUNGARIAN("hungarian", "hu", "snowball/hungarian_stop.txt"),
  ITALIAN("italian", "it", "snowball/italian_stop.txt"),
  NORWEGIAN("norwegian", "nb", "snowball/norwegian_stop.txt"),
  PORTUGUESE("portuguese", "pt", "snowball/portuguese_stop.txt"),
  ROMANIAN("romanian", "ro", "ro/stopwords.txt"),
  RUSSIAN("russian", "ru", "snowball/russian_stop.txt"),
  SPANISH("spanish", "es", "snowball/spanish_stop.txt"),
  SWEDISH("swedish", "sv", "snowball/swedish_stop.txt"),
  TURKISH("turkish", "tr", "tr/stopwords.txt");

  /** Read when first asked for. */
  private static final Map<TextLanguage, Set<String>> STOP_WORDS = new ConcurrentHashMap<>();

  private final String word;
  private final String code;
  private final String list;

  TextLanguage(String word, String code, String list) {
    this.word = word;
    this.code = code;
    this.list = list;
  }

  /** The language of that name or ISO 639-1 code, in any case; null when there is none. */
  public static @Nullable TextLanguage named(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    for (TextLanguage language : values()) {
      if (language.word.equals(lower) || language.code.equals(lower)) {
        return language;
      }
    }
    return null;
  }

  /** Its name in index options. */
  public String word() {
    return word;
  }

  /** A stemmer for one thread; null when words stay as they are. */
  @Nullable SnowballStemmer newStemmer() {
    return switch (this) {
      case NONE -> null;
      case DANISH -> new DanishStemmer();
      case DUTCH -> new DutchStemmer();
      case ENGLISH -> new EnglishStemmer();
      case FINNISH -> new FinnishStemmer();
      case FRENCH -> new FrenchStemmer();
      case GERMAN -> new GermanStemmer();
      case HUNGARIAN -> new HungarianStemmer();
      case ITALIAN -> new ItalianStemmer();
      case NORWEGIAN -> new NorwegianStemmer();
      case PORTUGUESE -> new PortugueseStemmer();
      case ROMANIAN -> new RomanianStemmer();
      case RUSSIAN -> new RussianStemmer();
      case SPANISH -> new SpanishStemmer();
      case SWEDISH -> new SwedishStemmer();
      case TURKISH -> new TurkishStemmer();
    };
  }

  boolean isStopWord(String lowerCase) {
    return STOP_WORDS.computeIfAbsent(this, TextLanguage::read).contains(lowerCase);
  }

  private static Set<String> read(TextLanguage language) {
    Set<String> words = new HashSet<>();
    if (language.list.isEmpty()) {
      return words;
    }
    String resource = "/org/apache/lucene/analysis/" + language.list;
    try (InputStream in = EnglishStemmer.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("no stop words at " + resource);
      }
      BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        // Comments begin with a bar or, in some lists, a number sign.
        String text = line.split("[|#]", 2)[0].strip();
        if (!text.isEmpty()) {
          words.addAll(java.util.List.of(text.split("\\s+")));
        }
      }
      return words;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
