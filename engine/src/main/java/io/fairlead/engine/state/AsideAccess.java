// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.collection.WriteGuard;

/** Writes that begin with nothing and meet nobody. */
final class AsideAccess implements Access {
  @Override
  public void enter(Namespace namespace) {
    // nobody else writes here
  }

  @Override
  public Root root() {
    return Root.EMPTY;
  }

  @Override
  public WriteGuard guard(Namespace namespace) {
    return WriteGuard.FREE;
  }
}
