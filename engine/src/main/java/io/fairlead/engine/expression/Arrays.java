// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Array operators that bind no variables. */
final class Arrays {
  private static final long RANGE_MAX = 64L * 1024 * 1024;

  private Arrays() {}

  static void register(Operators.Registrar operators) {
    operators.fixed("$arrayElemAt", 2, a -> elementAt(a[0], a[1]));
    operators.variadic("$concatArrays", Arrays::concat);
    operators.fixed("$first", 1, a -> end("$first", a[0], true));
    operators.fixed("$last", 1, a -> end("$last", a[0], false));
    operators.custom("$in", Arrays::in);
    operators.custom("$indexOfArray", Arrays::indexOf);
    operators.fixed("$isArray", 1, a -> BsonBoolean.valueOf(a[0] instanceof BsonArray));
    operators.between("$range", 2, 3, Arrays::range);
    operators.fixed("$reverseArray", 1, a -> reversed(a[0]));
    operators.fixed("$size", 1, a -> size(a[0]));
    operators.between("$slice", 2, 3, Arrays::slice);
    operators.custom("$zip", Arrays::zip);
  }

  private static @Nullable BsonValue elementAt(
      @Nullable BsonValue array, @Nullable BsonValue index) {
    if (array == null || Values.isNullish(array) || index == null || Values.isNullish(index)) {
      return BsonNull.VALUE;
    }
    if (!(array instanceof BsonArray elements)) {
      throw new EngineException(
          28689,
          "$arrayElemAt's first argument must be an array, but is " + BsonTypes.nameOf(array));
    }
    if (!index.isNumber()) {
      throw new EngineException(
          28690,
          "$arrayElemAt's second argument must be a numeric value, but is "
              + BsonTypes.nameOf(index));
    }
    if (!Numbers.isInt(index)) {
      throw new EngineException(
          28691,
          "$arrayElemAt's second argument must be representable as a 32-bit integer: "
              + Values.show(index));
    }
    long at = Numbers.toLong(index);
    if (at < 0) {
      at += elements.size();
    }
    return at < 0 || at >= elements.size() ? null : elements.get((int) at);
  }

  private static @Nullable BsonValue concat(@Nullable BsonValue[] arguments) {
    BsonArray joined = new BsonArray();
    for (BsonValue argument : arguments) {
      if (argument == null || Values.isNullish(argument)) {
        return BsonNull.VALUE;
      }
      if (!(argument instanceof BsonArray array)) {
        throw new EngineException(
            28664, "$concatArrays only supports arrays, not " + BsonTypes.nameOf(argument));
      }
      joined.addAll(array);
    }
    return joined;
  }

  private static @Nullable BsonValue end(String name, @Nullable BsonValue value, boolean first) {
    if (value == null || Values.isNullish(value)) {
      return BsonNull.VALUE;
    }
    if (!(value instanceof BsonArray array)) {
      throw new EngineException(
          28689, name + "'s argument must be an array, but is " + BsonTypes.nameOf(value));
    }
    return array.isEmpty() ? null : array.get(first ? 0 : array.size() - 1);
  }

  private static Node in(String name, BsonValue operand, ExpressionParser parser) {
    List<Node> arguments = parser.operands(operand);
    if (arguments.size() != 2) {
      throw new EngineException(
          16020,
          "Expression $in takes exactly 2 arguments. " + arguments.size() + " were passed in.");
    }
    BsonOrder order = parser.context().order();
    return CallNode.of(
        arguments,
        a -> {
          if (!(a[1] instanceof BsonArray array)) {
            throw new EngineException(
                40081,
                "$in requires an array as a second argument, found: " + BsonTypes.nameOf(a[1]));
          }
          for (BsonValue element : array) {
            if (order.equal(element, a[0])) {
              return BsonBoolean.TRUE;
            }
          }
          return BsonBoolean.FALSE;
        });
  }

  private static Node indexOf(String name, BsonValue operand, ExpressionParser parser) {
    List<Node> arguments = parser.operands(operand);
    Operators.checkBetween(name, arguments, 2, 4);
    BsonOrder order = parser.context().order();
    return CallNode.of(
        arguments,
        a -> {
          BsonValue input = a[0];
          if (input == null || Values.isNullish(input)) {
            return BsonNull.VALUE;
          }
          if (!(input instanceof BsonArray array)) {
            throw new EngineException(
                40090,
                "$indexOfArray requires an array as a first argument, found: "
                    + BsonTypes.nameOf(input));
          }
          int start = a.length > 2 ? index(name, "starting", a[2]) : 0;
          int end =
              a.length > 3 ? Math.min(array.size(), index(name, "ending", a[3])) : array.size();
          for (int i = start; i < end; i++) {
            if (order.equal(array.get(i), a[1])) {
              return new BsonInt32(i);
            }
          }
          return new BsonInt32(-1);
        });
  }

  /** A non-negative index argument. */
  static int index(String name, String which, @Nullable BsonValue value) {
    if (value == null || !value.isNumber() || !Numbers.isInt(value)) {
      throw new EngineException(
          40096,
          name
              + "requires an integral "
              + which
              + " index, found a value of type: "
              + BsonTypes.nameOf(value)
              + ", with value: \""
              + Values.show(value)
              + "\"");
    }
    long index = Numbers.toLong(value);
    if (index < 0) {
      throw new EngineException(
          40097, name + " requires a nonnegative " + which + " index, found: " + index);
    }
    return (int) index;
  }

  private static BsonValue range(@Nullable BsonValue[] a) {
    long start = rangeNumber("starting", a[0], 34443, 34444);
    long end = rangeNumber("ending", a[1], 34445, 34446);
    long step = a.length > 2 ? rangeNumber("step", a[2], 34447, 34448) : 1;
    if (step == 0) {
      throw new EngineException(34449, "$range requires a non-zero step value");
    }
    long count = Math.max(0, (end - start + step - Long.signum(step)) / step);
    if (count * 17 > RANGE_MAX) {
      throw new EngineException(
          ErrorCodes.EXCEEDED_MEMORY_LIMIT,
          "$range would use too much memory (" + count * 17 + " bytes)");
    }
    BsonArray numbers = new BsonArray((int) count);
    for (long i = start; step > 0 ? i < end : i > end; i += step) {
      numbers.add(new BsonInt32((int) i));
    }
    return numbers;
  }

  private static long rangeNumber(
      String which, @Nullable BsonValue value, int typeCode, int rangeCode) {
    if (value == null || !value.isNumber()) {
      throw new EngineException(
          typeCode,
          "$range requires a numeric "
              + which
              + " value, found value of type: "
              + BsonTypes.nameOf(value));
    }
    if (!Numbers.isInt(value)) {
      throw new EngineException(
          rangeCode,
          "$range requires a "
              + which
              + " value that can be represented as a 32-bit integer, found value: "
              + Values.show(value));
    }
    return Numbers.toLong(value);
  }

  private static BsonValue reversed(@Nullable BsonValue value) {
    if (value == null || Values.isNullish(value)) {
      return BsonNull.VALUE;
    }
    if (!(value instanceof BsonArray array)) {
      throw new EngineException(
          34435,
          "The argument to $reverseArray must be an array, but was of type: "
              + BsonTypes.nameOf(value));
    }
    List<BsonValue> elements = new ArrayList<>(array);
    Collections.reverse(elements);
    return new BsonArray(elements);
  }

  private static BsonValue size(@Nullable BsonValue value) {
    if (!(value instanceof BsonArray array)) {
      throw new EngineException(
          17124,
          "The argument to $size must be an array, but was of type: " + BsonTypes.nameOf(value));
    }
    return new BsonInt32(array.size());
  }

  private static BsonValue slice(@Nullable BsonValue[] a) {
    for (BsonValue argument : a) {
      if (argument == null || Values.isNullish(argument)) {
        return BsonNull.VALUE;
      }
    }
    if (!(a[0] instanceof BsonArray array)) {
      throw new EngineException(
          28724,
          "First argument to $slice must be an array, but is of type: " + BsonTypes.nameOf(a[0]));
    }
    long second = sliceNumber("Second", a[1], 28725, 28726);
    int size = array.size();
    if (a.length == 2) {
      return second >= 0
          ? new BsonArray(array.subList(0, (int) Math.min(size, second)))
          : new BsonArray(array.subList((int) Math.max(0, size + second), size));
    }
    long third = sliceNumber("Third", a[2], 28727, 28728);
    if (third <= 0) {
      throw new EngineException(28729, "Third argument to $slice must be positive: " + third);
    }
    int start = (int) (second < 0 ? Math.max(0, size + second) : Math.min(size, second));
    return new BsonArray(array.subList(start, (int) Math.min(size, start + third)));
  }

  private static long sliceNumber(
      String which, @Nullable BsonValue value, int typeCode, int rangeCode) {
    if (value == null || !value.isNumber()) {
      throw new EngineException(
          typeCode,
          which
              + " argument to $slice must be numeric, but is of type: "
              + BsonTypes.nameOf(value));
    }
    if (!Numbers.isInt(value)) {
      throw new EngineException(
          rangeCode,
          which
              + " argument to $slice can't be represented as a 32-bit integer: "
              + Values.show(value));
    }
    return Numbers.toLong(value);
  }

  private static Node zip(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(
            name, operand, 34460, 34464, Set.of("inputs", "useLongestLength", "defaults"));
    BsonValue inputs = arguments.get("inputs");
    if (inputs == null) {
      throw new EngineException(34465, "$zip requires at least one input array");
    }
    if (!inputs.isArray()) {
      throw new EngineException(
          34461, "inputs must be an array of expressions, found " + BsonTypes.nameOf(inputs));
    }
    if (inputs.asArray().isEmpty()) {
      throw new EngineException(34465, "$zip requires at least one input array");
    }
    BsonValue longestFlag = arguments.get("useLongestLength");
    boolean longest = longestFlag instanceof BsonBoolean flag && flag.getValue();
    if (longestFlag != null && !(longestFlag instanceof BsonBoolean)) {
      throw new EngineException(
          34463, "useLongestLength must be a bool, found " + BsonTypes.nameOf(longestFlag));
    }
    BsonValue defaults = arguments.get("defaults");
    List<Node> nodes = new ArrayList<>();
    inputs.asArray().forEach(input -> nodes.add(parser.parse(input)));
    int count = nodes.size();
    if (defaults != null) {
      if (!defaults.isArray()) {
        throw new EngineException(
            34462, "defaults must be an array of expressions, found " + BsonTypes.nameOf(defaults));
      }
      if (!longest && !defaults.asArray().isEmpty()) {
        throw new EngineException(34466, "cannot specify defaults unless useLongestLength is true");
      }
      if (!defaults.asArray().isEmpty() && defaults.asArray().size() != count) {
        throw new EngineException(34467, "defaults and inputs must have the same length");
      }
      defaults.asArray().forEach(each -> nodes.add(parser.parse(each)));
    }
    return CallNode.of(nodes, a -> zipped(a, count, longest));
  }

  private static BsonValue zipped(@Nullable BsonValue[] a, int count, boolean longest) {
    int length = longest ? 0 : Integer.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      BsonValue input = a[i];
      if (input == null || Values.isNullish(input)) {
        return BsonNull.VALUE;
      }
      if (!(input instanceof BsonArray array)) {
        throw new EngineException(
            34468, "$zip found a non-array expression in input: " + Values.show(input));
      }
      length = longest ? Math.max(length, array.size()) : Math.min(length, array.size());
    }
    BsonArray rows = new BsonArray(length);
    for (int row = 0; row < length; row++) {
      BsonArray tuple = new BsonArray(count);
      for (int i = 0; i < count; i++) {
        BsonArray array = java.util.Objects.requireNonNull(a[i]).asArray();
        tuple.add(
            row < array.size()
                ? array.get(row)
                : Logic.orNull(a.length > count ? a[count + i] : null));
      }
      rows.add(tuple);
    }
    return rows;
  }
}
