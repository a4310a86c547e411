// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper;

/** The modes of a read preference. */
public enum ReadMode {
  /** The primary only. */
  PRIMARY("primary"),
  /** The primary where there is one, else a secondary. */
  PRIMARY_PREFERRED("primaryPreferred"),
  /** A secondary only. */
  SECONDARY("secondary"),
  /** A secondary where there is one, else the primary. */
  SECONDARY_PREFERRED("secondaryPreferred"),
  /** Any member that is near. */
  NEAREST("nearest");

  private final String wireName;

  ReadMode(String wireName) {
    this.wireName = wireName;
  }

  String wireName() {
    return wireName;
  }
}
