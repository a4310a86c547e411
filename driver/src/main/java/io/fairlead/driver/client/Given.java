// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import com.mongodb.client.ClientSession;
import org.jspecify.annotations.Nullable;

/** Looks at what callers gave. */
final class Given {
  private Given() {}

  /**
   * @throws IllegalArgumentException if it is null
   */
  static <V> V required(@Nullable V value, String name) {
    if (value == null) {
      throw new IllegalArgumentException(name + " can not be null");
    }
    return value;
  }

  static ClientSession session(@Nullable ClientSession session) {
    return required(session, "clientSession");
  }

  /** What the public interface has and this driver does not. */
  static UnsupportedOperationException unsupported(String what) {
    return new UnsupportedOperationException(what + " is not supported by Fairlead yet");
  }
}
