// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Every expression operator by name; families register theirs. */
public final class Operators {
  private static final Map<String, Factory> ALL = new TreeMap<>();

  static {
    Registrar registrar = new Registrar(ALL);
    Arithmetic.register(registrar);
    Rounding.register(registrar);
    RealFunctions.register(registrar);
    Bitwise.register(registrar);
    Logic.register(registrar);
    Variables.register(registrar);
    Arrays.register(registrar);
    SortedArrays.register(registrar);
    Pairs.register(registrar);
    Objects.register(registrar);
    Sets.register(registrar);
    Strings.register(registrar);
    Substrings.register(registrar);
    RegexOperators.register(registrar);
    Types.register(registrar);
    Dates.register(registrar);
    DateTexts.register(registrar);
    DateArithmetic.register(registrar);
    Trigonometry.register(registrar);
    AccumulatorOperators.register(registrar);
  }

  private Operators() {}

  /** Makes a node of an operator and its operand. */
  @FunctionalInterface
  interface Factory {
    Node parse(String name, BsonValue operand, ExpressionParser parser);
  }

  static @Nullable Factory find(String name) {
    return ALL.get(name);
  }

  /** The names of all supported operators. */
  public static Set<String> names() {
    return Set.copyOf(ALL.keySet());
  }

  /** How families register. */
  static final class Registrar {
    private final Map<String, Factory> into;

    Registrar(Map<String, Factory> into) {
      this.into = into;
    }

    void custom(String name, Factory factory) {
      if (into.put(name, factory) != null) {
        throw new IllegalStateException(name + " is registered twice");
      }
    }

    /** An operator with exactly so many arguments. */
    void fixed(String name, int count, CallNode.Function function) {
      custom(
          name,
          (n, operand, parser) -> {
            List<Node> arguments = parser.operands(operand);
            if (arguments.size() != count) {
              throw new EngineException(
                  16020,
                  "Expression "
                      + n
                      + " takes exactly "
                      + count
                      + " arguments. "
                      + arguments.size()
                      + " were passed in.");
            }
            return CallNode.of(arguments, function);
          });
    }

    void between(String name, int least, int most, CallNode.Function function) {
      custom(
          name,
          (n, operand, parser) -> {
            List<Node> arguments = parser.operands(operand);
            checkBetween(n, arguments, least, most);
            return CallNode.of(arguments, function);
          });
    }

    void variadic(String name, CallNode.Function function) {
      custom(name, (n, operand, parser) -> CallNode.of(parser.operands(operand), function));
    }
  }

  static void checkBetween(String name, List<Node> arguments, int least, int most) {
    if (arguments.size() < least || arguments.size() > most) {
      throw new EngineException(
          28667,
          "Expression "
              + name
              + " takes at least "
              + least
              + " arguments, and at most "
              + most
              + ", but "
              + arguments.size()
              + " were passed in.");
    }
  }
}
