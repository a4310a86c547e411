// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of {@code $percentile} and {@code $median}, as accumulators and as expressions.
 *
 * @param wanted which percentiles, from 0 to 1
 */
public record Percentiles(BsonValue input, List<Double> wanted) {
  private static final String OUT_OF_PLACE =
      "The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: ";

  /**
   * Reads them.
   *
   * @param notDocument the code for an operand that is no document
   */
  public static Percentiles parse(
      String operator, BsonValue operand, int notDocument, OperationContext context) {
    if (!operand.isDocument()) {
      throw new EngineException(
          notDocument, "specification must be an object; found " + Values.show(operand));
    }
    BsonDocument arguments = operand.asDocument();
    boolean median = operator.equals("$median");
    for (String name : arguments.keySet()) {
      if (!name.equals("input") && !name.equals("method") && (median || !name.equals("p"))) {
        throw new EngineException(
            40415, "BSON field '" + operator + "." + name + "' is an unknown field.");
      }
    }
    BsonValue input = required(operator, arguments, "input");
    checkMethod(operator, required(operator, arguments, "method"));
    return new Percentiles(
        input, median ? List.of(0.5) : wanted(required(operator, arguments, "p"), context));
  }

  private static BsonValue required(String operator, BsonDocument arguments, String name) {
    BsonValue value = arguments.get(name);
    if (value == null) {
      throw new EngineException(
          40414, "BSON field '" + operator + "." + name + "' is missing but a required field");
    }
    return value;
  }

  private static void checkMethod(String operator, BsonValue method) {
    if (!method.isString()) {
      throw new EngineException(
          ErrorCodes.TYPE_MISMATCH,
          "BSON field '"
              + operator
              + ".method' is the wrong type '"
              + BsonTypes.nameOf(method)
              + "', expected type 'string'");
    }
    if (!method.asString().getValue().equals("approximate")) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE, "Currently only 'approximate' can be used as percentile 'method'.");
    }
  }

  private static List<Double> wanted(BsonValue spec, OperationContext context) {
    Expression expression = Expression.compile(spec, context);
    if (!expression.fields().isEmpty()) {
      throw new EngineException(
          7750300,
          "The $percentile 'p' field must be an array of constant values, but found value: "
              + Values.show(spec)
              + ".");
    }
    BsonValue list = expression.evaluate(DocumentWriter.write(new BsonDocument()));
    if (list == null || !list.isArray() || list.asArray().isEmpty()) {
      throw outOfPlace(7750301, list);
    }
    List<Double> wanted = new ArrayList<>();
    for (BsonValue each : list.asArray()) {
      if (!each.isNumber()) {
        throw outOfPlace(7750302, each);
      }
      double value = Numbers.toDouble(each);
      if (!(value >= 0 && value <= 1)) {
        throw outOfPlace(7750303, each);
      }
      wanted.add(value);
    }
    return wanted;
  }

  private static EngineException outOfPlace(int code, @Nullable BsonValue found) {
    return new EngineException(code, OUT_OF_PLACE + Values.show(found));
  }
}
