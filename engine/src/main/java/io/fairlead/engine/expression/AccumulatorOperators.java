// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.accumulator.Accumulator;
import io.fairlead.engine.accumulator.Extreme;
import io.fairlead.engine.accumulator.Statistics;
import io.fairlead.engine.accumulator.Sum;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Accumulators as expressions over their arguments, or over the elements of a single array. */
final class AccumulatorOperators {
  private AccumulatorOperators() {}

  static void register(Operators.Registrar operators) {
    over(operators, "$sum", order -> Sum.sum());
    over(operators, "$avg", order -> Sum.average());
    over(operators, "$min", order -> new Extreme(order, true));
    over(operators, "$max", order -> new Extreme(order, false));
    over(operators, "$stdDevPop", order -> new Statistics.Deviation(false));
    over(operators, "$stdDevSamp", order -> new Statistics.Deviation(true));
    operators.custom("$median", AccumulatorOperators::percentile);
    operators.custom("$percentile", AccumulatorOperators::percentile);
  }

  private static void over(
      Operators.Registrar operators, String operator, Function<BsonOrder, Accumulator> fresh) {
    operators.custom(
        operator,
        (name, operand, parser) -> {
          BsonOrder order = parser.context().order();
          return CallNode.of(parser.operands(operand), a -> all(fresh.apply(order), a));
        });
  }

  private static @Nullable BsonValue all(Accumulator accumulator, @Nullable BsonValue[] arguments) {
    if (arguments.length == 1 && arguments[0] instanceof BsonArray array) {
      array.forEach(accumulator::add);
    } else {
      for (BsonValue argument : arguments) {
        accumulator.add(argument);
      }
    }
    return accumulator.result();
  }

  private static Node percentile(String name, BsonValue operand, ExpressionParser parser) {
    boolean median = name.equals("$median");
    BsonDocument arguments =
        parser.arguments(
            name,
            operand,
            7436100,
            40415,
            median ? Set.of("input", "method") : Set.of("input", "method", "p"));
    Node input = parser.required(name, arguments, "input", 40414);
    BsonValue method = arguments.get("method");
    if (method == null) {
      throw new EngineException(
          40414, "BSON field '" + name + ".method' is missing but a required field");
    }
    if (!method.isString() || !method.asString().getValue().equals("approximate")) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE, "Currently only 'approximate' can be used as percentile 'method'.");
    }
    Node p = median ? new Node.Constant(null) : parser.required(name, arguments, "p", 40414);
    if (!p.isConstant()) {
      throw new EngineException(7750301, "The $percentile 'p' field must be a constant");
    }
    List<Double> wanted = median ? List.of(0.5) : wanted(p.constant());
    return CallNode.of(List.of(input), a -> all(new Statistics.Percentile(wanted, median), a));
  }

  private static List<Double> wanted(@Nullable BsonValue p) {
    List<Double> wanted = new ArrayList<>();
    if (p instanceof BsonArray array) {
      for (BsonValue each : array) {
        double value = each.isNumber() ? Numbers.toDouble(each) : Double.NaN;
        if (!(value >= 0 && value <= 1)) {
          throw new EngineException(
              7750303,
              "The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: "
                  + Values.show(each));
        }
        wanted.add(value);
      }
    }
    if (wanted.isEmpty()) {
      throw new EngineException(
          7750300,
          "The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: "
              + Values.show(p));
    }
    return wanted;
  }
}
