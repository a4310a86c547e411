// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** {@code $sortArray}, and the first, last, least or greatest so many elements of an array. */
final class SortedArrays {
  private SortedArrays() {}

  static void register(Operators.Registrar operators) {
    operators.custom("$sortArray", SortedArrays::sortArray);
    for (String name : List.of("$firstN", "$lastN", "$minN", "$maxN")) {
      operators.custom(name, SortedArrays::several);
    }
  }

  private static Node sortArray(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(name, operand, 2942500, 2942501, Set.of("input", "sortBy"));
    Node input = parser.required(name, arguments, "input", 2942502);
    BsonValue sortBy = arguments.get("sortBy");
    if (sortBy == null) {
      throw new EngineException(2942503, "$sortArray requires 'sortBy' to be specified");
    }
    BsonOrder order = parser.context().order();
    java.util.Comparator<BsonValue> comparator;
    if (sortBy.isDocument()) {
      if (sortBy.asDocument().isEmpty()) {
        throw new EngineException(
            2942505,
            "The sort pattern of $sortArray is empty when it should" + " be a set of fields.");
      }
      var documents = SortPattern.parse(sortBy.asDocument()).plainComparator(order);
      BsonDocument none = new BsonDocument();
      comparator =
          (a, b) ->
              documents.compare(
                  RawBytes.raw(a.isDocument() ? a.asDocument() : none),
                  RawBytes.raw(b.isDocument() ? b.asDocument() : none));
    } else {
      long direction = sortBy.isNumber() && Numbers.isLong(sortBy) ? Numbers.toLong(sortBy) : 0;
      if (direction != 1 && direction != -1) {
        throw new EngineException(2942507, "The $sort element value must be either 1 or -1");
      }
      comparator = direction == 1 ? order::compare : (a, b) -> order.compare(b, a);
    }
    return CallNode.of(
        List.of(input),
        a -> {
          BsonValue value = a[0];
          if (value == null || Values.isNullish(value)) {
            return BsonNull.VALUE;
          }
          if (!(value instanceof BsonArray array)) {
            throw new EngineException(
                2942504,
                "The input argument to $sortArray must be an array, but was of type: "
                    + BsonTypes.nameOf(value));
          }
          List<BsonValue> sorted = new ArrayList<>(array);
          sorted.sort(comparator);
          return new BsonArray(sorted);
        });
  }

  /** {@code $firstN $lastN $minN $maxN} on an array. */
  private static Node several(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(
            name,
            operand,
            name.equals("$firstN") || name.equals("$lastN") ? 5787801 : 5787900,
            5787901,
            Set.of("input", "n"));
    Node n = parser.required(name, arguments, "n", 5787906);
    Node input = parser.required(name, arguments, "input", 5787907);
    OperationContext context = parser.context();
    return CallNode.of(
        List.of(input, n),
        a -> {
          long count = CountArgument.of(a[1]);
          if (!(a[0] instanceof BsonArray array)) {
            throw new EngineException(5788200, "Input must be an array");
          }
          return few(name, array, count, context.order());
        });
  }

  private static BsonArray few(String name, BsonArray array, long n, BsonOrder order) {
    List<BsonValue> values = new ArrayList<>(array);
    if (name.equals("$minN") || name.equals("$maxN")) {
      values.removeIf(Values::isNullish);
      values.sort(name.equals("$minN") ? order::compare : (a, b) -> order.compare(b, a));
    }
    int size = values.size();
    return new BsonArray(
        name.equals("$lastN")
            ? values.subList((int) Math.max(0, size - n), size)
            : values.subList(0, (int) Math.min(size, n)));
  }
}
