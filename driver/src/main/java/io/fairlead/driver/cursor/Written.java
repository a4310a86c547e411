// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.MongoNamespace;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The collection that a pipeline's last stage writes. */
final class Written {
  private Written() {}

  /**
   * @param stage {@code $out} or {@code $merge}
   * @param database the pipeline's own, where the stage names none
   * @throws IllegalStateException if the stage does not say
   */
  static MongoNamespace by(BsonDocument stage, String database) {
    BsonValue out = stage.get("$out");
    if (out == null) {
      BsonValue merge = stage.get("$merge");
      BsonValue into = merge instanceof BsonDocument options ? options.get("into") : merge;
      return namespace("$merge", into, database);
    }
    if (out instanceof BsonDocument named && !named.containsKey("db")) {
      throw new IllegalStateException(
          "Cannot return a cursor when the value for $out stage is not a namespace document");
    }
    return namespace("$out", out, database);
  }

  private static MongoNamespace namespace(
      String stage, @Nullable BsonValue value, String database) {
    if (value instanceof BsonString collection) {
      return new MongoNamespace(database, collection.getValue());
    }
    if (value instanceof BsonDocument named && named.get("coll") instanceof BsonString collection) {
      return new MongoNamespace(
          named.getString("db", new BsonString(database)).getValue(), collection.getValue());
    }
    throw new IllegalStateException(
        "Cannot return a cursor when the value for "
            + stage
            + " stage is not a string or namespace document");
  }
}
