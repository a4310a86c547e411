// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** {@code $limit}. */
final class Limit extends Stage {
  private final long count;

  private Limit(String name, BsonValue operand, long count) {
    super(name, operand);
    this.count = count;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (!operand.isNumber() || !Numbers.isLong(operand) || Numbers.toLong(operand) < 0) {
      throw new EngineException(
          5107201,
          "invalid argument to $limit stage: Expected a non-negative number in: $limit: "
              + Values.show(operand));
    }
    long count = Numbers.toLong(operand);
    if (count == 0) {
      throw new EngineException(15958, "the limit must be positive");
    }
    return new Limit(name, operand, count);
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
        return left-- > 0 ? input.next() : null;
      }
    };
  }
}
