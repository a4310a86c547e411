// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.server.replication.WriteConcern.W;
import java.time.Duration;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Reads {@code writeConcern} documents. */
final class WriteConcernParser {
  private static final int MEMBERS_MAX = 50;

  private WriteConcernParser() {}

  static WriteConcern parse(@Nullable BsonDocument document, WriteConcern otherwise) {
    if (document == null || document.isEmpty()) {
      return otherwise;
    }
    W w = otherwise.w();
    boolean journal = false;
    Duration timeout = Duration.ZERO;
    for (Map.Entry<String, BsonValue> field : document.entrySet()) {
      BsonValue value = field.getValue();
      switch (field.getKey()) {
        case "w" -> w = members(value);
        case "j", "fsync" -> journal = truth(field.getKey(), value);
        case "wtimeout", "wtimeoutMS" -> timeout = timeout(field.getKey(), value);
        case "provenance" -> {
          if (!value.isString()) {
            throw new EngineException(
                ErrorCodes.TYPE_MISMATCH, "writeConcern.provenance must be a string");
          }
        }
        default ->
            throw new EngineException(
                ErrorCodes.FAILED_TO_PARSE, "unrecognized write concern field: " + field.getKey());
      }
    }
    if (journal && w instanceof W.Members members && members.count() == 0) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE, "cannot use writeConcern.j with writeConcern.w of 0");
    }
    return new WriteConcern(w, journal, timeout);
  }

  private static W members(BsonValue value) {
    if (value.isNumber()) {
      int count = value.asNumber().intValue();
      if (count < 0 || count > MEMBERS_MAX) {
        throw new EngineException(
            ErrorCodes.FAILED_TO_PARSE,
            "w has to be a non-negative number and not greater than "
                + MEMBERS_MAX
                + "; found: "
                + count);
      }
      return new W.Members(count);
    }
    if (value.isString()) {
      String mode = value.asString().getValue();
      return mode.equals("majority") ? new W.Majority() : new W.Mode(mode);
    }
    throw new EngineException(
        ErrorCodes.FAILED_TO_PARSE,
        "w has to be a number or a string; found: " + value.getBsonType());
  }

  private static boolean truth(String name, BsonValue value) {
    if (value.isNumber()) {
      return value.asNumber().doubleValue() != 0;
    }
    if (!value.isBoolean()) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE, name + " must be numeric or a boolean value");
    }
    return value.asBoolean().getValue();
  }

  private static Duration timeout(String name, BsonValue value) {
    if (!value.isNumber()) {
      throw new EngineException(ErrorCodes.FAILED_TO_PARSE, name + " must be a number");
    }
    long millis = value.asNumber().longValue();
    // A negative wtimeout means none, as in MongoDB.
    return Duration.ofMillis(Math.max(0, Math.min(millis, Integer.MAX_VALUE)));
  }
}
