// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.context.OperationContext.Interrupt;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Regex;
import io.fairlead.engine.value.Values;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code $regexFind $regexFindAll $regexMatch}. */
final class RegexOperators {
  private RegexOperators() {}

  static void register(Operators.Registrar operators) {
    for (String name : List.of("$regexFind", "$regexFindAll", "$regexMatch")) {
      operators.custom(name, RegexOperators::parse);
    }
  }

  private static Node parse(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(name, operand, 51103, 31024, Set.of("input", "regex", "options"));
    Node input = parser.required(name, arguments, "input", 31022);
    Node regex = parser.required(name, arguments, "regex", 31023);
    Node options = parser.optional(arguments, "options", null);
    Interrupt interrupt = parser.context().interrupt();
    // a pattern that is known beforehand is compiled once
    Regex known =
        regex.isConstant() && options.isConstant()
            ? regex(name, regex.constant(), options.constant())
            : null;
    return CallNode.of(
        List.of(input, regex, options),
        a -> {
          Regex pattern = known != null ? known : regex(name, a[1], a[2]);
          BsonValue text = a[0];
          if (text != null && !Values.isNullish(text) && !text.isString()) {
            throw new EngineException(51104, name + " needs 'input' to be of type string");
          }
          String string =
              text instanceof BsonString some && pattern != null ? some.getValue() : null;
          return find(name, string, pattern, interrupt);
        });
  }

  private static BsonValue find(
      String name, @Nullable String text, @Nullable Regex pattern, Interrupt interrupt) {
    if (text == null || pattern == null) {
      return switch (name) {
        case "$regexMatch" -> BsonBoolean.FALSE;
        case "$regexFind" -> BsonNull.VALUE;
        default -> new BsonArray();
      };
    }
    Matcher matcher = pattern.matcher(text, interrupt);
    if (name.equals("$regexMatch")) {
      return BsonBoolean.valueOf(Regex.find(matcher));
    }
    if (name.equals("$regexFind")) {
      return Regex.find(matcher) ? match(matcher, text) : BsonNull.VALUE;
    }
    BsonArray all = new BsonArray();
    while (Regex.find(matcher)) {
      if (matcher.start() == text.length() && !all.isEmpty()) {
        // an empty match behind the last character is found in an empty text only
        break;
      }
      all.add(match(matcher, text));
    }
    return all;
  }

  private static BsonDocument match(Matcher matcher, String text) {
    BsonArray captures = new BsonArray();
    for (int i = 1; i <= matcher.groupCount(); i++) {
      String group = matcher.group(i);
      captures.add(group == null ? BsonNull.VALUE : new BsonString(group));
    }
    return new BsonDocument("match", new BsonString(matcher.group()))
        .append("idx", new BsonInt32(text.codePointCount(0, matcher.start())))
        .append("captures", captures);
  }

  private static @Nullable Regex regex(
      String name, @Nullable BsonValue regex, @Nullable BsonValue options) {
    if (options != null && !Values.isNullish(options) && !options.isString()) {
      throw new EngineException(51106, name + " needs 'options' to be of type string");
    }
    String flags = options instanceof BsonString string ? string.getValue() : "";
    if (flags.indexOf('\0') >= 0) {
      throw new EngineException(
          51110, name + ": regular expression options cannot contain an embedded null byte");
    }
    if (regex == null || Values.isNullish(regex)) {
      return null;
    }
    if (regex instanceof BsonRegularExpression expression) {
      if (!expression.getOptions().isEmpty() && options instanceof BsonString) {
        throw new EngineException(
            51107, name + ": found regex option(s) specified in both 'regex' and 'option' fields");
      }
      return Regex.compile(
          expression.getPattern(), flags.isEmpty() ? expression.getOptions() : flags);
    }
    if (!(regex instanceof BsonString pattern)) {
      throw new EngineException(
          51105,
          name + " needs 'regex' to be of type string or regex, found " + BsonTypes.nameOf(regex));
    }
    if (pattern.getValue().indexOf('\0') >= 0) {
      throw new EngineException(
          51109, name + ": regular expression cannot contain an embedded null byte");
    }
    try {
      return Regex.compile(pattern.getValue(), flags);
    } catch (EngineException e) {
      throw new EngineException(e.code() == 51091 ? 51111 : e.code(), e.message());
    }
  }
}
