// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

/**
 * A collation: how strings are compared. Implementations are immutable and may be shared by
 * threads.
 */
public interface StringOrder {
  int compare(String a, String b);

  /** Bytes whose unsigned order is the order of the strings. */
  byte[] sortKey(String value);
}
