// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import io.fairlead.engine.error.EngineException;
import org.bson.BsonValue;

/** Makes the failures of commands, with MongoDB's numbers and sentences. */
public final class Failures {
  private Failures() {}

  /** A failure by its number; the name follows from it. */
  public static EngineException of(int code, String message) {
    return new EngineException(code, message);
  }

  /** An argument of another type than the command takes: TypeMismatch (14). */
  public static EngineException wrongType(String field, BsonValue value, String wanted) {
    return of(
        14,
        "BSON field '"
            + field
            + "' is the wrong type '"
            + BsonTypes.name(value)
            + "', expected type '"
            + wanted
            + "'");
  }

  /** A field that the command requires and that did not come: 40414. */
  public static EngineException missing(String field) {
    return of(40414, "BSON field '" + field + "' is missing but a required field");
  }

  /** Something that MongoDB does and this server does not: IllegalOperation (20), by name. */
  public static EngineException unsupported(String what) {
    return of(20, what + " is not supported by this server");
  }
}
