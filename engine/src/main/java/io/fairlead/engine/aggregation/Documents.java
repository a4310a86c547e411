// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.RawBytes;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** {@code $documents}: literal documents as the source. */
final class Documents extends Stage {
  private final Expression expression;

  private Documents(String name, BsonValue operand, Expression expression) {
    super(name, operand);
    this.expression = expression;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    return new Documents(name, operand, Expression.compile(operand, context.operation()));
  }

  @Override
  boolean isSource() {
    return true;
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    input.close();
    BsonValue value = expression.evaluate(DocumentWriter.write(new BsonDocument()));
    if (!(value instanceof BsonArray array)) {
      throw new EngineException(5858203, "an array is expected, found " + BsonTypes.nameOf(value));
    }
    List<RawBsonDocument> documents = new ArrayList<>();
    for (BsonValue each : array) {
      if (!each.isDocument()) {
        throw new EngineException(
            40228, "$documents must be an array of objects, found " + BsonTypes.nameOf(each));
      }
      documents.add(RawBytes.raw(each.asDocument()));
    }
    return DocumentCursor.of(documents);
  }
}
