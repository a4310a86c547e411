// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.context.OperationContext;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** A compiled aggregation expression. Immutable; may be used by many threads. */
@SuppressWarnings("DoNotCallSuggester") // bodies follow their signatures
public abstract class Expression {
  /**
   * Compiles an expression; its variables are the system's and the context's {@code let}.
   *
   * @throws io.fairlead.engine.error.EngineException 168 for an unknown operator, 17276 for an
   *     undefined variable …
   */
  public static Expression compile(BsonValue spec, OperationContext context) {
    throw new UnsupportedOperationException();
  }

  /** The value for a document; null when it is missing. */
  public final @Nullable BsonValue evaluate(RawBsonDocument root) {
    throw new UnsupportedOperationException();
  }
}
