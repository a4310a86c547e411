// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import io.fairlead.engine.context.OperationContext.Interrupt;
import io.fairlead.engine.error.EngineException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression in MongoDB's dialect (PCRE), run by {@code java.util.regex}. What the two
 * read differently inside a character class is rewritten; what Java cannot do is refused as
 * invalid. A long match asks the operation's interrupt.
 */
public final class Regex {
  private static final Map<String, String> POSIX =
      Map.ofEntries(
          Map.entry("alpha", "\\p{Alpha}"),
          Map.entry("digit", "\\p{Digit}"),
          Map.entry("alnum", "\\p{Alnum}"),
          Map.entry("upper", "\\p{Upper}"),
          Map.entry("lower", "\\p{Lower}"),
          Map.entry("punct", "\\p{Punct}"),
          Map.entry("graph", "\\p{Graph}"),
          Map.entry("print", "\\p{Print}"),
          Map.entry("blank", "\\p{Blank}"),
          Map.entry("cntrl", "\\p{Cntrl}"),
          Map.entry("xdigit", "\\p{XDigit}"),
          Map.entry("space", "\\s"),
          Map.entry("word", "\\w"));

  private final Pattern pattern;

  private Regex(Pattern pattern) {
    this.pattern = pattern;
  }

  /**
   * Compiles a pattern.
   *
   * @param options any of {@code i m s x u}
   * @throws EngineException 51108 for an unknown option, 51091 for a bad pattern
   */
  public static Regex compile(String pattern, String options) {
    int flags = Pattern.UNIX_LINES;
    for (int i = 0; i < options.length(); i++) {
      flags |=
          switch (options.charAt(i)) {
            case 'i' -> Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
            case 'm' -> Pattern.MULTILINE;
            case 's' -> Pattern.DOTALL;
            case 'x' -> Pattern.COMMENTS;
            case 'u' -> 0;
            default ->
                throw new EngineException(
                    51108, "invalid flag in regex options: " + options.charAt(i));
          };
    }
    if (pattern.indexOf('\0') >= 0) {
      throw new EngineException(2, "Regular expression cannot contain an embedded null byte");
    }
    Preamble preamble = Preamble.of(pattern);
    try {
      return new Regex(
          Pattern.compile(
              translate(pattern.substring(preamble.length())), flags | preamble.flags()));
    } catch (PatternSyntaxException e) {
      throw new EngineException(51091, "Regular expression is invalid: " + e.getDescription());
    } catch (StackOverflowError e) {
      throw new EngineException(51091, "Regular expression is invalid: nested too deeply");
    }
  }

  /**
   * The options that PCRE takes at the start of a pattern, as {@code (*UTF8)}.
   *
   * @param length of what they take of the pattern
   */
  private record Preamble(int length, int flags) {
    static Preamble of(String pattern) {
      int at = 0;
      int flags = 0;
      while (pattern.startsWith("(*", at)) {
        int end = pattern.indexOf(')', at);
        String option = pattern.substring(at + 2, end < 0 ? pattern.length() : end);
        switch (option) {
          // texts are Unicode and a line feed ends a line as it is
          case "UTF", "UTF8", "LF" -> {}
          case "UCP" -> flags |= Pattern.UNICODE_CHARACTER_CLASS;
          default ->
              throw new EngineException(
                  51091,
                  "Regular expression is invalid: (*" + option + ") is not known or not supported");
        }
        at = end + 1;
      }
      return new Preamble(at, flags);
    }
  }

  /**
   * PCRE's spelling in Java's: properties, named groups, POSIX classes, literal brackets and
   * ampersands within classes.
   */
  private static String translate(String pattern) {
    StringBuilder out = new StringBuilder(pattern.length() + 8);
    int i = 0;
    while (i < pattern.length()) {
      char c = pattern.charAt(i);
      if (c == '\\' && pattern.startsWith("\\Q", i)) {
        int end = pattern.indexOf("\\E", i + 2);
        int to = end < 0 ? pattern.length() : end + 2;
        out.append(pattern, i, to);
        i = to;
      } else if (c == '\\' && i + 1 < pattern.length()) {
        i = escape(pattern, i, out);
      } else if (c == '[') {
        i = characterClass(pattern, i, out);
      } else if (pattern.startsWith("(?P<", i)) {
        out.append("(?<");
        i += 4;
      } else {
        out.append(c);
        i++;
      }
    }
    return out.toString();
  }

  /** Takes over a backslash and what belongs to it; scripts are named otherwise in Java. */
  private static int escape(String pattern, int at, StringBuilder out) {
    char kind = pattern.charAt(at + 1);
    int end = pattern.startsWith("{", at + 2) ? pattern.indexOf('}', at) : -1;
    if ((kind != 'p' && kind != 'P') || end < 0) {
      out.append('\\').append(kind);
      return at + 2;
    }
    String name = pattern.substring(at + 3, end);
    boolean negated = name.startsWith("^");
    if (negated) {
      name = name.substring(1);
    }
    out.append('\\').append(negated ? (kind == 'p' ? 'P' : 'p') : kind).append('{');
    if (name.equals("L&")) {
      out.append("LC");
    } else {
      // general categories have names of one or two letters
      out.append(name.length() > 2 ? "Is" : "").append(name);
    }
    out.append('}');
    return end + 1;
  }

  private static int characterClass(String pattern, int start, StringBuilder out) {
    int i = start + 1;
    out.append('[');
    if (i < pattern.length() && pattern.charAt(i) == '^') {
      out.append('^');
      i++;
    }
    boolean first = true;
    while (i < pattern.length()) {
      char c = pattern.charAt(i);
      if (c == ']' && !first) {
        out.append(']');
        return i + 1;
      }
      first = false;
      if (c == '\\' && i + 1 < pattern.length()) {
        i = escape(pattern, i, out);
      } else if (pattern.startsWith("[:", i) && pattern.indexOf(":]", i) > 0) {
        int end = pattern.indexOf(":]", i);
        String name = pattern.substring(i + 2, end);
        boolean negated = name.startsWith("^");
        String known = POSIX.get(negated ? name.substring(1) : name);
        if (known == null) {
          throw new EngineException(
              51091, "Regular expression is invalid: unknown POSIX class name");
        }
        out.append(
            negated
                ? known.replace("\\p", "\\P").replace("\\s", "\\S").replace("\\w", "\\W")
                : known);
        i = end + 2;
      } else {
        if (c == '[' || c == '&' || c == ']') {
          out.append('\\');
        }
        out.append(c);
        i++;
      }
    }
    return i;
  }

  /** Whether the pattern is found anywhere in the text. */
  public boolean found(String text, Interrupt interrupt) {
    return find(matcher(text, interrupt));
  }

  /** A matcher over the text whose reading is interruptible. */
  public Matcher matcher(String text, Interrupt interrupt) {
    return pattern.matcher(new Watched(text, 0, text.length(), interrupt));
  }

  /**
   * The next match.
   *
   * @throws EngineException 51156 when the match needs more stack than there is
   */
  public static boolean find(Matcher matcher) {
    try {
      return matcher.find();
    } catch (StackOverflowError e) {
      throw new EngineException(
          51156,
          "Error occurred while executing the regular expression. Result code: match limit"
              + " exceeded");
    }
  }

  /** Text that asks the interrupt every few thousand characters read. */
  private static final class Watched implements CharSequence {
    private static final int READS_BETWEEN_CHECKS = 1 << 14;

    private final String text;
    private final int from;
    private final int to;
    private final Interrupt interrupt;
    private int reads;

    Watched(String text, int from, int to, Interrupt interrupt) {
      this.text = text;
      this.from = from;
      this.to = to;
      this.interrupt = interrupt;
    }

    @Override
    public int length() {
      return to - from;
    }

    @Override
    public char charAt(int index) {
      if (++reads == READS_BETWEEN_CHECKS) {
        reads = 0;
        interrupt.check();
      }
      return text.charAt(from + index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Watched(text, from + start, from + end, interrupt);
    }

    @Override
    public String toString() {
      return text.substring(from, to);
    }
  }
}
