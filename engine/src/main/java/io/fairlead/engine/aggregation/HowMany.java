// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.expression.CountArgument;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.DocumentWriter;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * The {@code n} of {@code $firstN}, {@code $topN} and their kin: the same for all, or, in {@code
 * $group}, another for each group, computed from the fields of its key.
 */
final class HowMany {
  /** What stands for the key of a group whose key has no fields. */
  static final RawBsonDocument NO_KEY = DocumentWriter.write(new BsonDocument());

  private final Expression expression;
  private final boolean keyed;
  private final long fixed;

  private HowMany(Expression expression) {
    this.expression = expression;
    this.keyed = !expression.fields().isEmpty();
    this.fixed = keyed ? 0 : CountArgument.of(expression.evaluate(NO_KEY));
  }

  static HowMany of(BsonValue spec, OperationContext context) {
    return new HowMany(Expression.compile(spec, context));
  }

  static HowMany one(OperationContext context) {
    return of(new BsonInt32(1), context);
  }

  /** Whether it differs between groups. */
  boolean isKeyed() {
    return keyed;
  }

  /** The number for the group of that key. */
  long in(RawBsonDocument key) {
    return keyed ? CountArgument.of(expression.evaluate(key)) : fixed;
  }
}
