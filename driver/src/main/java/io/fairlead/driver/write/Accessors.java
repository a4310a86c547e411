// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an object of the public driver holds whose public type tells nothing of it: the models and
 * options of a client's bulk write have no accessors but those of classes that are not public API.
 * They are called by their names, so that no class of ours depends on one of those; where a version
 * of the public driver lacks one, it is named.
 */
record Accessors(Object of) {

  /**
   * @throws UnsupportedOperationException where there is no such accessor, or nothing behind it
   */
  <T> T required(String accessor, Class<T> type) {
    T value = optional(accessor, type);
    if (value == null) {
      throw absent(accessor, null);
    }
    return value;
  }

  /**
   * What an accessor tells; an empty optional is null.
   *
   * @throws UnsupportedOperationException where there is no such accessor
   */
  <T> @Nullable T optional(String accessor, Class<T> type) {
    try {
      Object value = of.getClass().getMethod(accessor).invoke(of);
      return type.cast(value instanceof Optional<?> optional ? optional.orElse(null) : value);
    } catch (ReflectiveOperationException | ClassCastException other) {
      throw absent(accessor, other);
    }
  }

  private UnsupportedOperationException absent(String accessor, @Nullable Exception cause) {
    return new UnsupportedOperationException(
        "this version of the public driver has another " + of.getClass() + "." + accessor, cause);
  }
}
