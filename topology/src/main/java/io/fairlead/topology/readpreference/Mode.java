// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.readpreference;

import java.util.Optional;

/** Which members of a replica set may serve a read. */
public enum Mode {
  PRIMARY("primary"),
  PRIMARY_PREFERRED("primaryPreferred"),
  SECONDARY("secondary"),
  SECONDARY_PREFERRED("secondaryPreferred"),
  NEAREST("nearest");

  private final String wireName;

  Mode(String wireName) {
    this.wireName = wireName;
  }

  /** The name in {@code $readPreference}. */
  public String wireName() {
    return wireName;
  }

  /**
   * The mode of this wire name; case counts on the wire, but users' settings may be spelled either
   * way.
   */
  public static Optional<Mode> named(String name) {
    for (Mode mode : values()) {
      if (mode.wireName.equalsIgnoreCase(name)) {
        return Optional.of(mode);
      }
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return wireName;
  }
}
