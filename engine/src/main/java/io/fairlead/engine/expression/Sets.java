// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.ValueSet;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Set operators: arrays without regard to order and repetition. */
final class Sets {
  private Sets() {}

  private interface SetFunction {
    @Nullable BsonValue apply(@Nullable BsonValue[] arguments, BsonOrder order);
  }

  static void register(Operators.Registrar operators) {
    set(operators, "$setEquals", 2, Integer.MAX_VALUE, Sets::equalSets);
    set(operators, "$setIntersection", 0, Integer.MAX_VALUE, Sets::intersection);
    set(operators, "$setUnion", 0, Integer.MAX_VALUE, Sets::union);
    set(operators, "$setDifference", 2, 2, Sets::difference);
    set(operators, "$setIsSubset", 2, 2, Sets::subset);
    operators.fixed("$allElementsTrue", 1, a -> all("$allElementsTrue", 17040, a[0], true));
    operators.fixed("$anyElementTrue", 1, a -> all("$anyElementTrue", 17041, a[0], false));
  }

  private static void set(
      Operators.Registrar operators, String operator, int least, int most, SetFunction function) {
    operators.custom(
        operator,
        (name, operand, parser) -> {
          List<Node> arguments = parser.operands(operand);
          if (least == most && arguments.size() != least) {
            throw new EngineException(
                16020,
                "Expression "
                    + name
                    + " takes exactly "
                    + least
                    + " arguments. "
                    + arguments.size()
                    + " were passed in.");
          }
          if (arguments.size() < least) {
            throw new EngineException(
                17045, name + " needs at least two arguments had: " + arguments.size());
          }
          BsonOrder order = parser.context().order();
          return CallNode.of(arguments, a -> function.apply(a, order));
        });
  }

  private static ValueSet of(BsonArray array, BsonOrder order) {
    ValueSet set = new ValueSet(order);
    array.forEach(set::add);
    return set;
  }

  private static BsonArray sorted(List<BsonValue> values, BsonOrder order) {
    List<BsonValue> sorted = new ArrayList<>(values);
    sorted.sort(order::compare);
    return new BsonArray(sorted);
  }

  private static BsonArray array(@Nullable BsonValue value, int code, String message) {
    if (!(value instanceof BsonArray array)) {
      throw new EngineException(code, message + BsonTypes.nameOf(value));
    }
    return array;
  }

  private static BsonValue equalSets(@Nullable BsonValue[] a, BsonOrder order) {
    ValueSet first = null;
    boolean equal = true;
    for (BsonValue argument : a) {
      ValueSet set =
          of(
              array(
                  argument,
                  17044,
                  "All operands of $setEquals must be arrays. One argument is of type: "),
              order);
      if (first == null) {
        first = set;
      } else if (set.size() != first.size() || !set.values().stream().allMatch(first::contains)) {
        equal = false;
      }
    }
    return BsonBoolean.valueOf(equal);
  }

  private static BsonValue intersection(@Nullable BsonValue[] a, BsonOrder order) {
    ValueSet result = null;
    for (BsonValue argument : a) {
      if (argument == null || Values.isNullish(argument)) {
        return BsonNull.VALUE;
      }
      ValueSet set =
          of(
              array(
                  argument,
                  17047,
                  "All operands of $setIntersection must be arrays. One argument is of type: "),
              order);
      if (result == null) {
        result = set;
      } else {
        ValueSet kept = result;
        kept.values().stream().filter(value -> !set.contains(value)).forEach(kept::remove);
      }
    }
    return result == null ? new BsonArray() : sorted(result.values(), order);
  }

  private static BsonValue union(@Nullable BsonValue[] a, BsonOrder order) {
    ValueSet result = new ValueSet(order);
    for (BsonValue argument : a) {
      if (argument == null || Values.isNullish(argument)) {
        return BsonNull.VALUE;
      }
      array(argument, 17043, "All operands of $setUnion must be arrays. One argument is of type: ")
          .forEach(result::add);
    }
    return sorted(result.values(), order);
  }

  private static BsonValue difference(@Nullable BsonValue[] a, BsonOrder order) {
    BsonValue left = a[0];
    BsonValue right = a[1];
    if (left == null || Values.isNullish(left) || right == null || Values.isNullish(right)) {
      return BsonNull.VALUE;
    }
    BsonArray from =
        array(
            left,
            17048,
            "both operands of $setDifference must be arrays. First argument is of type: ");
    ValueSet removed =
        of(
            array(
                right,
                17049,
                "both operands of $setDifference must be arrays. Second argument is of type: "),
            order);
    BsonArray result = new BsonArray();
    for (BsonValue value : from) {
      if (removed.add(value)) {
        result.add(value);
      }
    }
    return result;
  }

  private static BsonValue subset(@Nullable BsonValue[] a, BsonOrder order) {
    BsonArray part =
        array(
            a[0],
            17046,
            "both operands of $setIsSubset must be arrays. First argument is of type: ");
    ValueSet whole =
        of(
            array(
                a[1],
                17042,
                "both operands of $setIsSubset must be arrays. Second argument is of type: "),
            order);
    return BsonBoolean.valueOf(part.stream().allMatch(whole::contains));
  }

  private static BsonValue all(String name, int code, @Nullable BsonValue value, boolean every) {
    BsonArray array = array(value, code, name + "'s argument must be an array, but is ");
    return BsonBoolean.valueOf(
        every ? array.stream().allMatch(Values::truthy) : array.stream().anyMatch(Values::truthy));
  }
}
