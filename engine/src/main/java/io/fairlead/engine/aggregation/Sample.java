// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** {@code $sample}: so many documents at random (reservoir sampling), in random order. */
final class Sample extends Stage {
  private final long size;
  private final OperationContext context;

  private Sample(String name, BsonValue operand, long size, OperationContext context) {
    super(name, operand);
    this.size = size;
    this.context = context;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (!operand.isDocument()) {
      throw new EngineException(28745, "the $sample stage specification must be an object");
    }
    long size = -1;
    for (Map.Entry<String, BsonValue> option : operand.asDocument().entrySet()) {
      if (!option.getKey().equals("size")) {
        throw new EngineException(28748, "unrecognized option to $sample: " + option.getKey());
      }
      if (!option.getValue().isNumber()) {
        throw new EngineException(28746, "size argument to $sample must be a number");
      }
      size = Numbers.toLong(option.getValue());
      if (size <= 0) {
        throw new EngineException(28747, "size argument to $sample must be a positive integer");
      }
    }
    if (size < 0) {
      throw new EngineException(28749, "$sample stage must specify a size");
    }
    return new Sample(name, operand, size, context.operation());
  }

  /** How many documents are wanted. */
  long size() {
    return size;
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return new DocumentCursor() {
      private @Nullable DocumentCursor chosen;

      @Override
      public @Nullable RawBsonDocument next() {
        DocumentCursor ready = chosen;
        if (ready == null) {
          ready = DocumentCursor.of(choose(input));
          chosen = ready;
        }
        return ready.next();
      }
    };
  }

  private List<RawBsonDocument> choose(DocumentCursor input) {
    List<RawBsonDocument> reservoir = new ArrayList<>();
    long seen = 0;
    RawBsonDocument document;
    while ((document = input.next()) != null) {
      seen++;
      if (reservoir.size() < size) {
        reservoir.add(document);
      } else {
        long at = context.random().nextLong(seen);
        if (at < size) {
          reservoir.set((int) at, document);
        }
      }
    }
    for (int i = reservoir.size() - 1; i > 0; i--) {
      java.util.Collections.swap(reservoir, i, context.random().nextInt(i + 1));
    }
    return reservoir;
  }
}
