// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.context.OperationContext.Interrupt;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Operators that bind variables: {@code $let $map $filter $reduce}. */
final class Variables {
  private Variables() {}

  static void register(Operators.Registrar operators) {
    operators.custom("$let", Variables::let);
    operators.custom("$map", Variables::map);
    operators.custom("$filter", Variables::filter);
    operators.custom("$reduce", Variables::reduce);
  }

  /** Evaluates a body with variables bound. */
  private abstract static class Binding extends Node {
    final List<Node> parts;

    Binding(List<Node> parts) {
      this.parts = parts;
    }

    @Override
    void eachField(Consumer<String> action) {
      parts.forEach(part -> part.eachField(action));
    }
  }

  /** Asks now and then, while a loop over an array goes on, whether it may. */
  private static final class Pulse {
    private final Interrupt interrupt;
    private int beats;

    Pulse(Interrupt interrupt) {
      this.interrupt = interrupt;
    }

    void beat() {
      if ((++beats & 0xff) == 0) {
        interrupt.check();
      }
    }
  }

  private static Node let(String name, BsonValue operand, ExpressionParser parser) {
    if (!operand.isDocument()) {
      throw new EngineException(16874, "$let only supports an object as its argument");
    }
    BsonDocument arguments = operand.asDocument();
    for (String key : arguments.keySet()) {
      if (!key.equals("vars") && !key.equals("in")) {
        throw new EngineException(16875, "Unrecognized parameter to $let: " + key);
      }
    }
    BsonValue vars = arguments.get("vars");
    BsonValue in = arguments.get("in");
    if (vars == null) {
      throw new EngineException(16876, "Missing 'vars' parameter to $let");
    }
    if (in == null) {
      throw new EngineException(16877, "Missing 'in' parameter to $let");
    }
    if (!vars.isDocument()) {
      throw new EngineException(10065, "invalid parameter: expected an object (vars)");
    }
    List<Node> values = new ArrayList<>();
    Map<String, Integer> slots = new HashMap<>();
    for (Map.Entry<String, BsonValue> entry : vars.asDocument().entrySet()) {
      ExpressionParser.checkVariableName(entry.getKey());
      values.add(parser.parse(entry.getValue()));
      slots.put(entry.getKey(), parser.slot());
    }
    int[] order =
        vars.asDocument().keySet().stream()
            .mapToInt(key -> java.util.Objects.requireNonNull(slots.get(key)))
            .toArray();
    Node body = within(parser, new ArrayList<>(slots.entrySet()), 0, in);
    List<Node> parts = new ArrayList<>(values);
    parts.add(body);
    return new Binding(parts) {
      @Override
      @Nullable BsonValue evaluate(Scope scope) {
        @Nullable BsonValue[] bound = new @Nullable BsonValue[order.length];
        for (int i = 0; i < bound.length; i++) {
          bound[i] = values.get(i).evaluate(scope);
        }
        for (int i = 0; i < bound.length; i++) {
          scope.set(order[i], bound[i]);
        }
        return body.evaluate(scope);
      }
    };
  }

  private static Node within(
      ExpressionParser parser, List<Map.Entry<String, Integer>> slots, int index, BsonValue body) {
    if (index == slots.size()) {
      return parser.parse(body);
    }
    Map.Entry<String, Integer> entry = slots.get(index);
    return parser.with(
        entry.getKey(), entry.getValue(), () -> within(parser, slots, index + 1, body));
  }

  private static String as(String operator, BsonDocument arguments) {
    BsonValue as = arguments.get("as");
    if (as == null) {
      return "this";
    }
    if (!as.isString()) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE, "'as' of " + operator + " must be a string");
    }
    ExpressionParser.checkVariableName(as.asString().getValue());
    return as.asString().getValue();
  }

  private static @Nullable BsonArray array(@Nullable BsonValue input, int code, String operator) {
    if (input == null || Values.isNullish(input)) {
      return null;
    }
    if (!(input instanceof BsonArray array)) {
      throw new EngineException(
          code, "input to " + operator + " must be an array not " + BsonTypes.nameOf(input));
    }
    return array;
  }

  private static Node map(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(name, operand, 16878, 16879, Set.of("input", "as", "in"));
    Node input = parser.required(name, arguments, "input", 16880);
    int slot = parser.slot();
    Node body =
        parser.with(as(name, arguments), slot, () -> parser.required(name, arguments, "in", 16882));
    Interrupt interrupt = parser.context().interrupt();
    return new Binding(List.of(input, body)) {
      @Override
      BsonValue evaluate(Scope scope) {
        BsonArray array = array(input.evaluate(scope), 16883, "$map");
        if (array == null) {
          return BsonNull.VALUE;
        }
        BsonArray mapped = new BsonArray(array.size());
        Pulse pulse = new Pulse(interrupt);
        for (BsonValue element : array) {
          pulse.beat();
          scope.set(slot, element);
          mapped.add(Logic.orNull(body.evaluate(scope)));
        }
        return mapped;
      }
    };
  }

  private static Node filter(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(name, operand, 28646, 28647, Set.of("input", "as", "cond", "limit"));
    Node input = parser.required(name, arguments, "input", 28648);
    int slot = parser.slot();
    Node condition =
        parser.with(
            as(name, arguments), slot, () -> parser.required(name, arguments, "cond", 28650));
    Node limit = parser.optional(arguments, "limit", null);
    Interrupt interrupt = parser.context().interrupt();
    return new Binding(List.of(input, condition, limit)) {
      @Override
      BsonValue evaluate(Scope scope) {
        BsonArray array = array(input.evaluate(scope), 28651, "$filter");
        if (array == null) {
          return BsonNull.VALUE;
        }
        long most = limit(limit.evaluate(scope));
        BsonArray kept = new BsonArray();
        Pulse pulse = new Pulse(interrupt);
        for (BsonValue element : array) {
          pulse.beat();
          scope.set(slot, element);
          if (Values.truthy(condition.evaluate(scope))) {
            kept.add(element);
            if (kept.size() == most) {
              break;
            }
          }
        }
        return kept;
      }
    };
  }

  private static long limit(@Nullable BsonValue limit) {
    if (limit == null || Values.isNullish(limit)) {
      return Long.MAX_VALUE;
    }
    if (!limit.isNumber() || !Numbers.isInt(limit)) {
      throw new EngineException(
          327391,
          "$filter: limit must be represented as a 32-bit integral value: " + Values.show(limit));
    }
    long value = Numbers.toLong(limit);
    if (value <= 0) {
      throw new EngineException(327392, "$filter: limit must be greater than 0: " + value);
    }
    return value;
  }

  private static Node reduce(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(name, operand, 40075, 40076, Set.of("input", "initialValue", "in"));
    Node input = parser.required(name, arguments, "input", 40077);
    Node initial = parser.required(name, arguments, "initialValue", 40078);
    int value = parser.slot();
    int element = parser.slot();
    Node body =
        parser.with(
            "value",
            value,
            () ->
                parser.with("this", element, () -> parser.required(name, arguments, "in", 40079)));
    Interrupt interrupt = parser.context().interrupt();
    return new Binding(List.of(input, initial, body)) {
      @Override
      @Nullable BsonValue evaluate(Scope scope) {
        BsonValue source = input.evaluate(scope);
        if (source == null || Values.isNullish(source)) {
          return BsonNull.VALUE;
        }
        if (!(source instanceof BsonArray array)) {
          throw new EngineException(
              40080, "$reduce requires that 'input' be an array, found: " + Values.show(source));
        }
        BsonValue result = initial.evaluate(scope);
        Pulse pulse = new Pulse(interrupt);
        for (BsonValue each : array) {
          pulse.beat();
          scope.set(element, each);
          scope.set(value, result);
          result = body.evaluate(scope);
        }
        return result;
      }
    };
  }
}
