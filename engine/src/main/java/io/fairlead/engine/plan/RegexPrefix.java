// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import org.bson.BsonRegularExpression;

/**
 * The text with which everything that a pattern matches begins; empty when there is none to be
 * seen.
 */
final class RegexPrefix {
  private RegexPrefix() {}

  static String of(BsonRegularExpression expression) {
    String pattern = expression.getPattern();
    String options = expression.getOptions();
    // Ignoring case, multiple lines and free spacing give the first characters another meaning.
    if (options.chars().anyMatch(option -> option != 's' && option != 'u')
        || !pattern.startsWith("^")
        || pattern.indexOf('|') >= 0) {
      return "";
    }
    StringBuilder prefix = new StringBuilder();
    for (int i = 1; i < pattern.length(); i++) {
      char next = pattern.charAt(i);
      if (next == '\\') {
        if (i + 1 == pattern.length() || Character.isLetterOrDigit(pattern.charAt(i + 1))) {
          break;
        }
        i++;
        prefix.append(pattern.charAt(i));
      } else if (next == '*' || next == '?' || next == '{') {
        // The character before may be absent.
        if (!prefix.isEmpty()) {
          prefix.setLength(prefix.length() - 1);
        }
        break;
      } else if (".$^[]()+}".indexOf(next) >= 0) {
        break;
      } else {
        prefix.append(next);
      }
    }
    // Half of a surrogate pair is no text.
    if (!prefix.isEmpty() && Character.isHighSurrogate(prefix.charAt(prefix.length() - 1))) {
      prefix.setLength(prefix.length() - 1);
    }
    return prefix.toString();
  }
}
