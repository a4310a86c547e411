// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.text;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;

/** A query against one text index. Immutable. */
public final class TextSearch {
  private final TextIndexOptions options;
  private final TextQuery query;
  private final Set<String> terms;
  private final Set<String> exactTerms;
  private final Set<String> negatedTerms;

  public TextSearch(TextIndexOptions options, TextQuery query) {
    this.options = options;
    this.query = query;
    Words words = new Words(language());
    this.terms = new LinkedHashSet<>(words.stems(query.words(), false, false));
    this.exactTerms = Set.copyOf(stems(words, query.words()));
    this.negatedTerms = Set.copyOf(stems(words, query.negatedWords()));
  }

  private TextLanguage language() {
    return query.language() != null ? query.language() : options.language();
  }

  private List<String> stems(Words words, String text) {
    return words.stems(text, query.caseSensitive(), query.diacriticSensitive());
  }

  public TextQuery query() {
    return query;
  }

  /** The language of its words. */
  public String languageName() {
    return language().word();
  }

  /** The stems to look up in the index: what has one of them is found. */
  public List<String> terms() {
    return List.copyOf(terms);
  }

  /**
   * Whether a document that has one of the terms matches: its phrases, and what must not be there.
   */
  public boolean accepts(BsonDocument document) {
    boolean exact = query.caseSensitive() || query.diacriticSensitive();
    if (!exact
        && negatedTerms.isEmpty()
        && query.phrases().isEmpty()
        && query.negatedPhrases().isEmpty()) {
      return true;
    }
    List<TextIndexOptions.Text> texts = options.texts(document);
    Set<String> stems = new HashSet<>();
    if (exact || !negatedTerms.isEmpty()) {
      for (TextIndexOptions.Text text : texts) {
        stems.addAll(stems(new Words(text.language()), text.text()));
      }
    }
    if (exact && exactTerms.stream().noneMatch(stems::contains)) {
      return false;
    }
    return negatedTerms.stream().noneMatch(stems::contains)
        && query.phrases().stream().allMatch(phrase -> has(texts, phrase))
        && query.negatedPhrases().stream().noneMatch(phrase -> has(texts, phrase));
  }

  private boolean has(List<TextIndexOptions.Text> texts, String phrase) {
    for (TextIndexOptions.Text text : texts) {
      Words words = new Words(text.language());
      if (folded(words, text.text()).contains(folded(words, phrase))) {
        return true;
      }
    }
    return false;
  }

  private String folded(Words words, String text) {
    return words.folded(text, query.caseSensitive(), query.diacriticSensitive());
  }
}
