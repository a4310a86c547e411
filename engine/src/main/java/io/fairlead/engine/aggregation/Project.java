// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.projection.Shape;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** {@code $project}, {@code $addFields} (or {@code $set}) and {@code $unset}. */
final class Project extends Stage {
  private final Shape shape;

  private Project(String name, BsonValue operand, Shape shape) {
    super(name, operand);
    this.shape = shape;
  }

  static Stage project(String name, BsonValue operand, StageContext context) {
    if (!operand.isDocument()) {
      throw new EngineException(15969, "$project specification must be an object");
    }
    return new Project(
        name,
        operand,
        wrapped(name, () -> Shape.project(operand.asDocument(), context.operation())));
  }

  static Stage addFields(String name, BsonValue operand, StageContext context) {
    if (!operand.isDocument()) {
      throw new EngineException(
          40272,
          name
              + " specification stage must be an object, got "
              + io.fairlead.engine.value.BsonTypes.nameOf(operand));
    }
    return new Project(
        name,
        operand,
        wrapped(name, () -> Shape.addFields(operand.asDocument(), context.operation())));
  }

  static Stage unset(String name, BsonValue operand, StageContext context) {
    List<String> paths = new ArrayList<>();
    if (operand.isString()) {
      paths.add(operand.asString().getValue());
    } else if (operand.isArray()) {
      if (operand.asArray().isEmpty()) {
        throw new EngineException(
            31119, "$unset specification must be a string or an array with at least one field");
      }
      for (BsonValue path : operand.asArray()) {
        if (!path.isString()) {
          throw new EngineException(
              31120,
              "$unset specification must be a string or an array containing only string values");
        }
        paths.add(path.asString().getValue());
      }
    } else {
      throw new EngineException(31002, "$unset specification must be a string or an array");
    }
    return new Project(name, operand, wrapped(name, () -> Shape.exclude(paths)));
  }

  private static Shape wrapped(String name, java.util.function.Supplier<Shape> parse) {
    try {
      return parse.get();
    } catch (EngineException e) {
      throw e.withMessage("Invalid " + name + " :: caused by :: " + e.message());
    }
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return () -> {
      RawBsonDocument document = input.next();
      return document == null ? null : shape.apply(document);
    };
  }
}
