// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import java.util.Map;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** {@code $out}: replaces a collection by the documents; gives none itself. */
final class Out extends Stage {
  private final String database;
  private final String collection;

  private Out(String name, BsonValue operand, String database, String collection) {
    super(name, operand);
    this.database = database;
    this.collection = collection;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (operand.isString()) {
      return new Out(
          name, operand, context.target().database(), named(operand.asString().getValue()));
    }
    if (!operand.isDocument()) {
      throw new EngineException(
          16990,
          "$out only supports a string or object argument, but found " + BsonTypes.nameOf(operand));
    }
    String database = null;
    String collection = null;
    for (Map.Entry<String, BsonValue> option : operand.asDocument().entrySet()) {
      BsonValue value = option.getValue();
      switch (option.getKey()) {
        case "db", "coll" -> {
          if (!value.isString()) {
            throw new EngineException(
                ErrorCodes.TYPE_MISMATCH,
                "BSON field '$out."
                    + option.getKey()
                    + "' is the wrong type '"
                    + BsonTypes.nameOf(value)
                    + "', expected type 'string'");
          }
          if (option.getKey().equals("db")) {
            database = value.asString().getValue();
          } else {
            collection = named(value.asString().getValue());
          }
        }
        case "timeseries" ->
            throw new EngineException(
                ErrorCodes.BAD_VALUE, "$out to a time-series collection is not supported");
        default ->
            throw new EngineException(
                40415, "BSON field '$out." + option.getKey() + "' is an unknown field.");
      }
    }
    if (database == null || collection == null) {
      throw new EngineException(
          40414,
          "BSON field '$out."
              + (database == null ? "db" : "coll")
              + "' is missing but a required field");
    }
    return new Out(name, operand, database, collection);
  }

  private static String named(String collection) {
    if (collection.isEmpty() || collection.startsWith("system.")) {
      throw new EngineException(17385, "Can't $out to special collection: " + collection);
    }
    return collection;
  }

  @Override
  boolean writes() {
    return true;
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return new DocumentCursor() {
      private boolean done;

      @Override
      public @Nullable RawBsonDocument next() {
        if (!done) {
          done = true;
          environment.replaceCollection(database, collection, input);
        }
        return null;
      }
    };
  }
}
