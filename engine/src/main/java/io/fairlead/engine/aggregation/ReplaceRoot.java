// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.MetaDocument;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Values;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** {@code $replaceRoot} and {@code $replaceWith}. */
final class ReplaceRoot extends Stage {
  private final Expression root;

  private ReplaceRoot(String name, BsonValue operand, Expression root) {
    super(name, operand);
    this.root = root;
  }

  static Stage replaceRoot(String name, BsonValue operand, StageContext context) {
    if (!operand.isDocument()) {
      throw new EngineException(
          40229,
          "expected an object as specification for $replaceRoot stage, got "
              + BsonTypes.nameOf(operand));
    }
    BsonDocument options = operand.asDocument();
    for (String option : options.keySet()) {
      if (!option.equals("newRoot")) {
        throw new EngineException(40230, "unrecognized option to $replaceRoot stage: " + option);
      }
    }
    BsonValue root = options.get("newRoot");
    if (root == null) {
      throw new EngineException(40231, "no newRoot specified for the $replaceRoot stage");
    }
    return new ReplaceRoot(name, operand, Expression.compile(root, context.operation()));
  }

  static Stage replaceWith(String name, BsonValue operand, StageContext context) {
    return new ReplaceRoot(name, operand, Expression.compile(operand, context.operation()));
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return () -> {
      RawBsonDocument document = input.next();
      if (document == null) {
        return null;
      }
      BsonValue value = root.evaluate(document);
      if (!(value instanceof BsonDocument replacement)) {
        throw new EngineException(
            40228,
            "'newRoot' expression "
                + " must evaluate to an object, but resulting value was: "
                + Values.show(value)
                + ". Type of resulting value: '"
                + BsonTypes.nameOf(value)
                + "'. Input document: "
                + Values.showDocument(document));
      }
      return MetaDocument.madeOf(document, RawBytes.raw(replacement));
    };
  }
}
