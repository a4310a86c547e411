// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import io.fairlead.topology.readpreference.InvalidReadPreferenceException;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.ReadPreference;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * {@code $readPreference} as a member sees it: it has been routed already, so what counts is
 * whether a secondary may answer.
 */
final class ReadPreferences {
  private ReadPreferences() {}

  /**
   * Whether a secondary may answer a read with that preference; without one it may not.
   *
   * @throws io.fairlead.engine.error.EngineException where no preference may be like that, such as
   *     primary with tags
   */
  static boolean secondaryOk(@Nullable BsonDocument readPreference) {
    if (readPreference == null) {
      return false;
    }
    try {
      return ReadPreference.parse(readPreference).mode() != Mode.PRIMARY;
    } catch (InvalidReadPreferenceException invalid) {
      throw Failures.of(invalid.code(), String.valueOf(invalid.getMessage()));
    }
  }
}
