// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.catalog;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import org.bson.BsonValue;

/** How options of a new collection are read and refused. */
public final class OptionErrors {
  private OptionErrors() {}

  /**
   * A boolean option, or a number in its place.
   *
   * @throws EngineException 14 for anything else
   */
  public static boolean truth(String option, BsonValue value) {
    if (value.isBoolean()) {
      return value.asBoolean().getValue();
    }
    if (value.isNumber()) {
      return value.asNumber().doubleValue() != 0;
    }
    throw wrongType(option, value, "bool");
  }

  /** 14 TypeMismatch. */
  public static EngineException wrongType(String option, BsonValue value, String expected) {
    return new EngineException(
        ErrorCodes.TYPE_MISMATCH,
        "BSON field 'create."
            + option
            + "' is the wrong type '"
            + BsonTypes.nameOf(value)
            + "', expected type '"
            + expected
            + "'");
  }

  /** 72 InvalidOptions. */
  public static EngineException invalid(String message) {
    return new EngineException(ErrorCodes.INVALID_OPTIONS, message);
  }
}
