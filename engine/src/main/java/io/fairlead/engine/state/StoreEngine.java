// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import java.util.Optional;

/** The engine in memory. */
public final class StoreEngine {
  private StoreEngine() {}

  public static Engine open(EngineOptions options) {
    return Optional.<Engine>empty()
        .orElseThrow(() -> new UnsupportedOperationException("no storage yet for " + options));
  }
}
