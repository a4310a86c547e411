// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * {@code $bucket}: a {@code $group} by the bucket that a value falls in, and a {@code $sort} by its
 * lower bound.
 */
final class Bucket extends Stage {
  private final Pipeline parts;

  private Bucket(String name, BsonValue operand, Pipeline parts) {
    super(name, operand);
    this.parts = parts;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (!operand.isDocument()) {
      throw new EngineException(
          40201,
          "Argument to $bucket stage must be an object, but found type: "
              + BsonTypes.nameOf(operand)
              + ".");
    }
    BsonValue groupBy = null;
    List<BsonValue> boundaries = null;
    BsonValue otherwise = null;
    BsonDocument output = new BsonDocument("count", new BsonDocument("$sum", new BsonInt32(1)));
    for (Map.Entry<String, BsonValue> option : operand.asDocument().entrySet()) {
      BsonValue value = option.getValue();
      switch (option.getKey()) {
        case "groupBy" -> groupBy = groupBy(value, 40202);
        case "boundaries" -> boundaries = boundaries(value, context.operation());
        case "default" ->
            otherwise =
                constant(
                    value,
                    context.operation(),
                    40195,
                    "The $bucket 'default' field must be a constant expression");
        case "output" -> {
          if (!value.isDocument()) {
            throw new EngineException(
                40196,
                "The $bucket 'output' field must be an object, but found type: "
                    + BsonTypes.nameOf(value)
                    + ".");
          }
          output = value.asDocument();
        }
        default ->
            throw new EngineException(
                40197, "Unrecognized option to $bucket: " + option.getKey() + ".");
      }
    }
    if (groupBy == null || boundaries == null) {
      throw new EngineException(
          40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
    }
    BsonOrder order = context.operation().order();
    if (otherwise != null
        && BsonTypes.rank(BsonTypes.codeOf(otherwise))
            == BsonTypes.rank(BsonTypes.codeOf(boundaries.getFirst()))
        && order.compare(otherwise, boundaries.getFirst()) >= 0
        && order.compare(otherwise, boundaries.getLast()) < 0) {
      throw new EngineException(
          40199,
          "The $bucket 'default' field must be less than the lowest boundary or greater than or"
              + " equal to the highest boundary.");
    }
    List<BsonDocument> stages = new ArrayList<>();
    BsonDocument group = new BsonDocument("_id", bucketOf(groupBy, boundaries, otherwise));
    group.putAll(output);
    stages.add(new BsonDocument("$group", group));
    stages.add(new BsonDocument("$sort", new BsonDocument("_id", new BsonInt32(1))));
    return new Bucket(name, operand, Pipeline.compile(stages, context));
  }

  static BsonValue groupBy(BsonValue value, int code) {
    boolean path = value.isString() && value.asString().getValue().startsWith("$");
    boolean expression =
        value.isDocument()
            && !value.asDocument().isEmpty()
            && value.asDocument().getFirstKey().startsWith("$");
    if (!path && !expression) {
      throw new EngineException(
          code,
          "The 'groupBy' field must be defined as a $-prefixed path or an expression, but found: "
              + Values.show(value)
              + ".");
    }
    return value;
  }

  private static BsonValue constant(
      BsonValue value, OperationContext context, int code, String message) {
    Expression expression = Expression.compile(value, context);
    BsonValue constant =
        expression.isConstant()
            ? expression.evaluate(DocumentWriter.write(new BsonDocument()))
            : null;
    if (constant == null) {
      throw new EngineException(code, message + ", but found: " + Values.show(value) + ".");
    }
    return constant;
  }

  private static List<BsonValue> boundaries(BsonValue value, OperationContext context) {
    if (!value.isArray()) {
      throw new EngineException(
          40200,
          "The $bucket 'boundaries' field must be an array, but found type: "
              + BsonTypes.nameOf(value)
              + ".");
    }
    List<BsonValue> boundaries = new ArrayList<>();
    for (BsonValue each : value.asArray()) {
      boundaries.add(
          constant(
              each,
              context,
              40191,
              "The $bucket 'boundaries' field must be an array of constant values"));
    }
    if (boundaries.size() < 2) {
      throw new EngineException(
          40192,
          "The $bucket 'boundaries' field must have at least 2 values, but found "
              + boundaries.size()
              + " value(s).");
    }
    for (int i = 1; i < boundaries.size(); i++) {
      BsonValue lower = boundaries.get(i - 1);
      BsonValue upper = boundaries.get(i);
      if (BsonTypes.rank(BsonTypes.codeOf(lower)) != BsonTypes.rank(BsonTypes.codeOf(upper))) {
        throw new EngineException(
            40193,
            "All values in the the 'boundaries' option to $bucket must have the same type. Found"
                + " conflicting types "
                + BsonTypes.nameOf(lower)
                + " and "
                + BsonTypes.nameOf(upper)
                + ".");
      }
      if (context.order().compare(lower, upper) >= 0) {
        throw new EngineException(
            40194,
            "The 'boundaries' option to $bucket must be sorted, but elements "
                + (i - 1)
                + " and "
                + i
                + " are not in ascending order ("
                + Values.show(lower)
                + " is not less than "
                + Values.show(upper)
                + ").");
      }
    }
    return boundaries;
  }

  /** A {@code $switch} from a value to its bucket's lower bound. */
  private static BsonDocument bucketOf(
      BsonValue groupBy, List<BsonValue> boundaries, @Nullable BsonValue otherwise) {
    BsonArray branches = new BsonArray();
    for (int i = 1; i < boundaries.size(); i++) {
      BsonDocument lower = literal(boundaries.get(i - 1));
      branches.add(
          new BsonDocument(
                  "case",
                  call(
                      "$and",
                      call("$gte", groupBy, lower),
                      call("$lt", groupBy, literal(boundaries.get(i)))))
              .append("then", lower));
    }
    BsonDocument arguments = new BsonDocument("branches", branches);
    if (otherwise != null) {
      arguments.append("default", literal(otherwise));
    }
    return new BsonDocument("$switch", arguments);
  }

  private static BsonDocument call(String operator, BsonValue a, BsonValue b) {
    return new BsonDocument(operator, new BsonArray(List.of(a, b)));
  }

  private static BsonDocument literal(BsonValue value) {
    return new BsonDocument("$literal", value);
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return parts.run(input, environment);
  }
}
