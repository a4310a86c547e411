// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;

/** How malformed geometry is refused. */
final class GeoErrors {
  private GeoErrors() {}

  static EngineException bad(String message) {
    return new EngineException(ErrorCodes.BAD_VALUE, message);
  }
}
