// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

/** Gives a record its place in a sort, as bytes that are compared unsigned. */
@FunctionalInterface
interface SortKeys {
  /**
   * The key of the record at which the cursor stands.
   *
   * @throws io.fairlead.engine.error.EngineException 171 for parallel arrays
   */
  byte[] of(RecordCursor record);
}
