// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.Numbers;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** {@code $count}: one document with the number of those that came, none when none came. */
final class Count extends Stage {
  private final String field;

  private Count(String name, BsonValue operand, String field) {
    super(name, operand);
    this.field = field;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (!operand.isString()) {
      throw new EngineException(40156, "the count field must be a non-empty string");
    }
    String field = operand.asString().getValue();
    if (field.isEmpty()) {
      throw new EngineException(40157, "the count field must be a non-empty string");
    }
    if (field.startsWith("$")) {
      throw new EngineException(40158, "the count field cannot be a $-prefixed path");
    }
    if (field.equals("_id")) {
      throw new EngineException(15948, "a group's _id may only be specified once");
    }
    if (field.indexOf('\0') >= 0) {
      throw new EngineException(40159, "the count field cannot contain a null byte");
    }
    if (field.indexOf('.') >= 0) {
      throw new EngineException(40160, "the count field cannot contain '.'");
    }
    return new Count(name, operand, field);
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return new DocumentCursor() {
      private boolean done;

      @Override
      public @Nullable RawBsonDocument next() {
        if (done) {
          return null;
        }
        done = true;
        long count = 0;
        while (input.next() != null) {
          count++;
        }
        return count == 0
            ? null
            : DocumentWriter.write(new BsonDocument(field, Numbers.whole(count, true)));
      }
    };
  }
}
