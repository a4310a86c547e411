// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.collection.WriteGuard;

/** How a write session comes to the collections that it writes to. */
interface Access {
  /**
   * Before the first look at a collection that will be written.
   *
   * @throws io.fairlead.engine.error.EngineException 112 when its turn does not come
   */
  void enter(Namespace namespace);

  /**
   * The state to which the session's edits are made; after {@link #enter} it is true for that
   * collection.
   */
  Root root();

  /** Watches over the records and keys of a collection. */
  WriteGuard guard(Namespace namespace);

  /** Whether records that were written have to be remembered one by one. */
  default boolean tracksRecords() {
    return false;
  }
}
