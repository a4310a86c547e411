// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Comparison, boolean and conditional operators, and {@code $literal}. */
final class Logic {
  private Logic() {}

  static void register(Operators.Registrar operators) {
    comparison(operators, "$eq", c -> c == 0);
    comparison(operators, "$ne", c -> c != 0);
    comparison(operators, "$gt", c -> c > 0);
    comparison(operators, "$gte", c -> c >= 0);
    comparison(operators, "$lt", c -> c < 0);
    comparison(operators, "$lte", c -> c <= 0);
    operators.custom(
        "$cmp",
        (name, operand, parser) -> {
          BsonOrder order = parser.context().order();
          return CallNode.of(
              two(name, operand, parser),
              a -> new BsonInt32(Integer.signum(order.compare(a[0], a[1]))));
        });
    operators.custom("$and", (name, operand, parser) -> new All(parser.operands(operand), false));
    operators.custom("$or", (name, operand, parser) -> new All(parser.operands(operand), true));
    operators.fixed("$not", 1, a -> BsonBoolean.valueOf(!Values.truthy(a[0])));
    operators.custom("$cond", Logic::cond);
    operators.custom("$ifNull", Logic::ifNull);
    operators.custom("$switch", Logic::switchOf);
    operators.custom("$literal", (name, operand, parser) -> new Node.Constant(operand));
    operators.custom("$const", (name, operand, parser) -> new Node.Constant(operand));
  }

  private static List<Node> two(String name, BsonValue operand, ExpressionParser parser) {
    List<Node> arguments = parser.operands(operand);
    if (arguments.size() != 2) {
      throw new EngineException(
          16020,
          "Expression "
              + name
              + " takes exactly 2 arguments. "
              + arguments.size()
              + " were passed in.");
    }
    return arguments;
  }

  private static void comparison(
      Operators.Registrar operators, String operator, IntPredicate holds) {
    operators.custom(
        operator,
        (name, operand, parser) -> {
          BsonOrder order = parser.context().order();
          return CallNode.of(
              two(name, operand, parser),
              a -> BsonBoolean.valueOf(holds.test(order.compare(a[0], a[1]))));
        });
  }

  /** {@code $and}, or {@code $or} when {@code any}: stops at the first that decides. */
  private static final class All extends Node {
    private final List<Node> operands;
    private final boolean any;

    All(List<Node> operands, boolean any) {
      this.operands = operands;
      this.any = any;
    }

    @Override
    BsonValue evaluate(Scope scope) {
      for (Node operand : operands) {
        if (Values.truthy(operand.evaluate(scope)) == any) {
          return BsonBoolean.valueOf(any);
        }
      }
      return BsonBoolean.valueOf(!any);
    }

    @Override
    void eachField(Consumer<String> action) {
      operands.forEach(operand -> operand.eachField(action));
    }
  }

  /** Cases in order, each a condition and a value; then a default. */
  private static final class Cases extends Node {
    private final List<Node> conditions;
    private final List<Node> values;
    private final @Nullable Node otherwise;

    Cases(List<Node> conditions, List<Node> values, @Nullable Node otherwise) {
      this.conditions = conditions;
      this.values = values;
      this.otherwise = otherwise;
    }

    @Override
    @Nullable BsonValue evaluate(Scope scope) {
      for (int i = 0; i < conditions.size(); i++) {
        if (Values.truthy(conditions.get(i).evaluate(scope))) {
          return values.get(i).evaluate(scope);
        }
      }
      if (otherwise == null) {
        throw new EngineException(
            40066,
            "$switch could not find a matching branch for an input, and no default was specified.");
      }
      return otherwise.evaluate(scope);
    }

    @Override
    void eachField(Consumer<String> action) {
      conditions.forEach(node -> node.eachField(action));
      values.forEach(node -> node.eachField(action));
      if (otherwise != null) {
        otherwise.eachField(action);
      }
    }
  }

  private static Node cond(String name, BsonValue operand, ExpressionParser parser) {
    if (!operand.isDocument()) {
      List<Node> three = parser.operands(operand);
      if (three.size() != 3) {
        throw new EngineException(
            16020,
            "Expression $cond takes exactly 3 arguments. " + three.size() + " were passed in.");
      }
      return new Cases(List.of(three.get(0)), List.of(three.get(1)), three.get(2));
    }
    BsonDocument arguments = operand.asDocument();
    for (String key : arguments.keySet()) {
      if (!Set.of("if", "then", "else").contains(key)) {
        throw new EngineException(17083, "Unrecognized parameter to $cond: " + key);
      }
    }
    return new Cases(
        List.of(parser.required(name, arguments, "if", 17080)),
        List.of(parser.required(name, arguments, "then", 17081)),
        parser.required(name, arguments, "else", 17082));
  }

  private static Node ifNull(String name, BsonValue operand, ExpressionParser parser) {
    List<Node> operands = parser.operands(operand);
    if (operands.size() < 2) {
      throw new EngineException(
          1257300, "$ifNull needs at least two arguments, had: " + operands.size());
    }
    return new IfNull(operands);
  }

  private static final class IfNull extends Node {
    private final List<Node> operands;

    IfNull(List<Node> operands) {
      this.operands = operands;
    }

    @Override
    @Nullable BsonValue evaluate(Scope scope) {
      for (int i = 0; i < operands.size() - 1; i++) {
        BsonValue value = operands.get(i).evaluate(scope);
        if (!(value == null || Values.isNullish(value))) {
          return value;
        }
      }
      return operands.getLast().evaluate(scope);
    }

    @Override
    void eachField(Consumer<String> action) {
      operands.forEach(operand -> operand.eachField(action));
    }
  }

  private static Node switchOf(String name, BsonValue operand, ExpressionParser parser) {
    if (!operand.isDocument()) {
      throw new EngineException(
          40060, "$switch requires an object as an argument, found: " + BsonTypes.nameOf(operand));
    }
    List<Node> conditions = new ArrayList<>();
    List<Node> values = new ArrayList<>();
    Node otherwise = null;
    for (Map.Entry<String, BsonValue> entry : operand.asDocument().entrySet()) {
      switch (entry.getKey()) {
        case "default" -> otherwise = parser.parse(entry.getValue());
        case "branches" -> branches(entry.getValue(), parser, conditions, values);
        default ->
            throw new EngineException(
                40067, "$switch found an unknown argument: " + entry.getKey());
      }
    }
    if (conditions.isEmpty()) {
      throw new EngineException(40068, "$switch requires at least one branch.");
    }
    return new Cases(conditions, values, otherwise);
  }

  private static void branches(
      BsonValue branches, ExpressionParser parser, List<Node> conditions, List<Node> values) {
    if (!branches.isArray()) {
      throw new EngineException(
          40061, "$switch expected an array for 'branches', found: " + BsonTypes.nameOf(branches));
    }
    for (BsonValue branch : branches.asArray()) {
      if (!branch.isDocument()) {
        throw new EngineException(
            40062,
            "$switch expected each branch to be an object, found: " + BsonTypes.nameOf(branch));
      }
      BsonDocument parts = branch.asDocument();
      for (String key : parts.keySet()) {
        if (!key.equals("case") && !key.equals("then")) {
          throw new EngineException(40063, "$switch found an unknown argument to a branch: " + key);
        }
      }
      BsonValue condition = parts.get("case");
      BsonValue value = parts.get("then");
      if (condition == null) {
        throw new EngineException(40064, "$switch requires each branch have a 'case' expression");
      }
      if (value == null) {
        throw new EngineException(40065, "$switch requires each branch have a 'then' expression.");
      }
      conditions.add(parser.parse(condition));
      values.add(parser.parse(value));
    }
  }

  static BsonValue orNull(@Nullable BsonValue value) {
    return value == null ? BsonNull.VALUE : value;
  }
}
