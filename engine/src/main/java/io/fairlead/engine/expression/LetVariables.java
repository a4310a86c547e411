// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.DocumentWriter;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * A command's {@code let}: expressions that are evaluated once, before any document is looked at.
 */
public final class LetVariables {
  private static final RawBsonDocument NOTHING = DocumentWriter.write(new BsonDocument());

  private LetVariables() {}

  /**
   * The context with these variables and its own before them; each may use those before it.
   *
   * @throws EngineException 9 for a bad name, 4890500 when one reads a field, and what evaluating
   *     them fails with
   */
  public static OperationContext bind(OperationContext context, BsonDocument let) {
    if (let.isEmpty()) {
      return context;
    }
    BsonDocument values = new BsonDocument();
    values.putAll(context.let());
    OperationContext inner = context.withLet(values);
    for (Map.Entry<String, BsonValue> variable : let.entrySet()) {
      Expression.checkVariableName(variable.getKey());
      Expression expression = Expression.compile(variable.getValue(), inner);
      if (!expression.fields().isEmpty()) {
        throw new EngineException(
            4890500,
            "Command let Expression tried to access a field, but this is not allowed because"
                + " command let expressions run before the query examines any documents.");
      }
      BsonValue value = expression.evaluate(NOTHING);
      values.put(variable.getKey(), value == null ? new BsonUndefined() : value);
    }
    return inner;
  }

  /** Values as the expressions that give them: for those that hand on what is evaluated already. */
  public static BsonDocument literals(BsonDocument values) {
    BsonDocument expressions = new BsonDocument();
    values.forEach((name, value) -> expressions.put(name, new BsonDocument("$literal", value)));
    return expressions;
  }
}
