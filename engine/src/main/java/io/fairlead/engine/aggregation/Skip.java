// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** {@code $skip}. */
final class Skip extends Stage {
  private final long count;

  private Skip(String name, BsonValue operand, long count) {
    super(name, operand);
    this.count = count;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (!operand.isNumber() || !Numbers.isLong(operand) || Numbers.toLong(operand) < 0) {
      throw new EngineException(
          5107200,
          "invalid argument to $skip stage: Expected a non-negative number in: $skip: "
              + Values.show(operand));
    }
    return new Skip(name, operand, Numbers.toLong(operand));
  }

  long count() {
    return count;
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return new DocumentCursor() {
      private long left = count;

      @Override
      public @Nullable RawBsonDocument next() {
        while (left > 0) {
          left--;
          if (input.next() == null) {
            left = 0;
            return null;
          }
        }
        return input.next();
      }
    };
  }
}
