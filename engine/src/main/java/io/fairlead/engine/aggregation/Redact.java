// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.ElementCursor;
import io.fairlead.engine.value.Values;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** {@code $redact}: keeps, prunes or descends into each document and the documents within it. */
final class Redact extends Stage {
  private final Expression expression;

  private Redact(String name, BsonValue operand, Expression expression) {
    super(name, operand);
    this.expression = expression;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    BsonDocument variables = new BsonDocument();
    variables.putAll(context.operation().let());
    for (String decision : List.of("KEEP", "PRUNE", "DESCEND")) {
      variables.put(decision, new BsonString("$$" + decision));
    }
    return new Redact(
        name, operand, Expression.compile(operand, context.operation().withLet(variables)));
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return () -> {
      RawBsonDocument document;
      while ((document = input.next()) != null) {
        RawBsonDocument kept = redacted(document, document);
        if (kept != null) {
          return kept;
        }
      }
      return null;
    };
  }

  private @Nullable RawBsonDocument redacted(RawBsonDocument root, RawBsonDocument current) {
    BsonValue decision = expression.evaluate(root, current);
    String word = decision instanceof BsonString text ? text.getValue() : "";
    return switch (word) {
      case "$$KEEP" -> current;
      case "$$PRUNE" -> null;
      case "$$DESCEND" -> descended(root, current);
      default ->
          throw new EngineException(
              17053,
              "$redact's expression should not return anything aside from the variables $$KEEP,"
                  + " $$DESCEND, and $$PRUNE, but returned "
                  + Values.show(decision));
    };
  }

  private RawBsonDocument descended(RawBsonDocument root, RawBsonDocument current) {
    BsonDocument kept = new BsonDocument();
    ElementCursor cursor = new ElementCursor(current);
    while (cursor.next()) {
      BsonValue value = value(root, cursor.value());
      if (value != null) {
        kept.put(cursor.name(), value);
      }
    }
    return DocumentWriter.write(kept);
  }

  private @Nullable BsonValue value(RawBsonDocument root, BsonValue value) {
    if (value instanceof RawBsonDocument document) {
      return redacted(root, document);
    }
    if (value instanceof BsonArray array) {
      BsonArray kept = new BsonArray();
      for (BsonValue element : array) {
        BsonValue inner = value(root, element);
        if (inner != null) {
          kept.add(inner);
        }
      }
      return kept;
    }
    return value;
  }
}
