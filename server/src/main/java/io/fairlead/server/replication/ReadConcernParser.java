// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.server.replication.ReadConcern.Level;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Reads {@code readConcern} documents. */
final class ReadConcernParser {
  private ReadConcernParser() {}

  static ReadConcern parse(@Nullable BsonDocument document) {
    if (document == null || document.isEmpty()) {
      return ReadConcern.LOCAL;
    }
    Level level = Level.LOCAL;
    BsonTimestamp after = null;
    BsonTimestamp at = null;
    for (Map.Entry<String, BsonValue> field : document.entrySet()) {
      switch (field.getKey()) {
        case "level" -> level = level(field.getValue());
        case "afterClusterTime" -> after = timestamp(field.getKey(), field.getValue());
        case "atClusterTime" -> at = timestamp(field.getKey(), field.getValue());
        case "provenance" -> {
          if (!field.getValue().isString()) {
            throw new EngineException(
                ErrorCodes.TYPE_MISMATCH, "readConcern.provenance must be a string");
          }
        }
        default ->
            throw new EngineException(
                ErrorCodes.INVALID_OPTIONS,
                "Unrecognized option in readConcern: "
                    + field.getKey()
                    + ". Supported: level, afterClusterTime, atClusterTime");
      }
    }
    if (at != null && level != Level.SNAPSHOT) {
      throw new EngineException(
          ErrorCodes.INVALID_OPTIONS,
          "atClusterTime can only be used with readConcern level 'snapshot'");
    }
    if (at != null && after != null) {
      throw new EngineException(
          ErrorCodes.INVALID_OPTIONS,
          "Specifying a timestamp for both afterClusterTime and atClusterTime is not allowed");
    }
    if (after != null && (level == Level.AVAILABLE || level == Level.LINEARIZABLE)) {
      throw new EngineException(
          ErrorCodes.INVALID_OPTIONS,
          "afterClusterTime can only be used with readConcern levels 'local', 'majority' and"
              + " 'snapshot'");
    }
    return new ReadConcern(level, after, at);
  }

  private static Level level(BsonValue value) {
    if (value.isString()) {
      for (Level level : Level.values()) {
        if (level.wireName().equals(value.asString().getValue())) {
          return level;
        }
      }
    }
    throw new EngineException(
        ErrorCodes.FAILED_TO_PARSE,
        "readConcern.level must be either 'local', 'majority', 'linearizable', 'available', or"
            + " 'snapshot'");
  }

  private static BsonTimestamp timestamp(String name, BsonValue value) {
    if (!value.isTimestamp()) {
      throw new EngineException(
          ErrorCodes.TYPE_MISMATCH, "readConcern." + name + " must be a timestamp");
    }
    if (value.asTimestamp().getValue() == 0) {
      throw new EngineException(ErrorCodes.INVALID_OPTIONS, name + " cannot be a null timestamp");
    }
    return value.asTimestamp();
  }
}
