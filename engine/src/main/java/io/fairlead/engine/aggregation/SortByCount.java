// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** {@code $sortByCount}: a {@code $group} and a {@code $sort}. */
final class SortByCount extends Stage {
  private final Pipeline parts;

  private SortByCount(String name, BsonValue operand, Pipeline parts) {
    super(name, operand);
    this.parts = parts;
  }

  static List<BsonDocument> expanded(BsonValue operand) {
    return List.of(
        new BsonDocument(
            "$group",
            new BsonDocument("_id", operand)
                .append("count", new BsonDocument("$sum", new BsonInt32(1)))),
        new BsonDocument("$sort", new BsonDocument("count", new BsonInt32(-1))));
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (operand.isDocument()) {
      BsonDocument spec = operand.asDocument();
      if (spec.isEmpty() || !spec.getFirstKey().startsWith("$")) {
        throw new EngineException(
            40147,
            "the sortByCount field must be defined as a $-prefixed path or an expression inside an"
                + " object");
      }
    } else if (operand.isString()) {
      if (!operand.asString().getValue().startsWith("$")) {
        throw new EngineException(
            40148,
            "the sortByCount field must be defined as a $-prefixed path or an expression inside an"
                + " object");
      }
    } else {
      throw new EngineException(
          40149, "the sortByCount field must be specified as a string or as an object");
    }
    return new SortByCount(name, operand, Pipeline.compile(expanded(operand), context));
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return parts.run(input, environment);
  }
}
