// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import java.util.Arrays;

/** A record's id as a key of a hash table. */
final class RecordKey {
  private final byte[] bytes;

  RecordKey(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RecordKey that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
