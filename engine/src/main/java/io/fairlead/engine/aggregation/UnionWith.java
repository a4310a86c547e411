// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** {@code $unionWith}: the input, then another collection's documents through a pipeline. */
final class UnionWith extends Stage {
  private final String database;
  private final String collection;
  private final Pipeline pipeline;

  private UnionWith(
      String name, BsonValue operand, String database, String collection, Pipeline pipeline) {
    super(name, operand);
    this.database = database;
    this.collection = collection;
    this.pipeline = pipeline;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    String collection = "";
    List<BsonDocument> stages = List.of();
    if (operand.isString()) {
      collection = operand.asString().getValue();
    } else if (operand.isDocument()) {
      for (Map.Entry<String, BsonValue> option : operand.asDocument().entrySet()) {
        switch (option.getKey()) {
          case "coll" -> {
            if (!option.getValue().isString()) {
              throw new EngineException(
                  ErrorCodes.TYPE_MISMATCH,
                  "BSON field '$unionWith.coll' is the wrong type '"
                      + BsonTypes.nameOf(option.getValue())
                      + "', expected type 'string'");
            }
            collection = option.getValue().asString().getValue();
          }
          case "pipeline" -> {
            if (!option.getValue().isArray()) {
              throw new EngineException(
                  ErrorCodes.TYPE_MISMATCH,
                  "BSON field '$unionWith.pipeline' is the wrong type '"
                      + BsonTypes.nameOf(option.getValue())
                      + "', expected type 'array'");
            }
            stages = StageContext.stages(option.getValue().asArray());
          }
          default ->
              throw new EngineException(
                  40415, "BSON field '$unionWith." + option.getKey() + "' is an unknown field.");
        }
      }
    } else {
      throw Pipeline.failedToParse(
          "the $unionWith stage specification must be an object or string, but found "
              + BsonTypes.nameOf(operand));
    }
    Pipeline pipeline = context.nested("$unionWith", stages, context.operation(), collection);
    if (collection.isEmpty() && !pipeline.hasOwnSource()) {
      throw Pipeline.failedToParse(
          "$unionWith stage without explicit collection must have a pipeline with $documents as"
              + " first stage");
    }
    if (!collection.isEmpty() && pipeline.hasOwnSource()) {
      throw Pipeline.sourceOfItsOwn("$unionWith", "coll");
    }
    return new UnionWith(name, operand, context.target().database(), collection, pipeline);
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return new DocumentCursor() {
      private boolean inputDone;
      private @Nullable DocumentCursor other;

      @Override
      public @Nullable RawBsonDocument next() {
        if (!inputDone) {
          RawBsonDocument document = input.next();
          if (document != null) {
            return document;
          }
          inputDone = true;
        }
        DocumentCursor open = other;
        if (open == null) {
          open =
              pipeline.hasOwnSource()
                  ? pipeline.run(DocumentCursor.empty(), environment)
                  : environment.aggregate(database, collection, pipeline);
          other = open;
        }
        return open.next();
      }

      @Override
      public void close() {
        if (other != null) {
          other.close();
        }
        input.close();
      }
    };
  }
}
