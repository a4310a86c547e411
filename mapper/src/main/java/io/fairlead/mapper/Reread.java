// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper;

import java.util.Optional;
import org.bson.BsonValue;

/** What the primary says about an entity that was read earlier. */
public sealed interface Reread<T> {
  /**
   * It is stored, in this state.
   *
   * @param entity as it is now
   */
  record Stored<T>(T entity) implements Reread<T> {}

  /**
   * It is not stored any more.
   *
   * @param id the id that nothing has
   */
  record Gone<T>(BsonValue id) implements Reread<T> {}

  /** The stored state; empty when the entity is gone. */
  default Optional<T> stored() {
    return switch (this) {
      case Stored<T>(T entity) -> Optional.of(entity);
      case Gone<T> gone -> Optional.empty();
    };
  }

  /** Whether nothing has the entity's id any more. */
  default boolean isGone() {
    return this instanceof Gone<T>;
  }
}
