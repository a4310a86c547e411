// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.accumulator.Accumulator;
import io.fairlead.engine.accumulator.Extreme;
import io.fairlead.engine.accumulator.Statistics;
import io.fairlead.engine.accumulator.Sum;
import io.fairlead.engine.value.BsonOrder;
import java.util.List;
import java.util.function.Function;
import org.bson.BsonArray;
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
    Percentiles parsed =
        Percentiles.parse(name, operand, median ? 7436201 : 7436200, parser.context());
    return CallNode.of(
        List.of(parser.parse(parsed.input())),
        a -> all(new Statistics.Percentile(parsed.wanted(), median), a));
  }
}
