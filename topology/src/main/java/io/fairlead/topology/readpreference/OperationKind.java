// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.readpreference;

/** What an operation is, as far as the choice of its server depends on it. */
public enum OperationKind {
  /** A read that honours every default: find, aggregate, count, distinct, … */
  READ,
  /** An aggregation that ends in {@code $out} or {@code $merge}. */
  AGGREGATE_WITH_WRITE,
  /** {@code runCommand}: honours what is set on itself and no default. */
  RUN_COMMAND,
  /**
   * A helper that must or should use the primary, such as {@code listCollections}: ignores every
   * default.
   */
  PRIMARY_HELPER,
  /** A write, or an administrative command that changes something. */
  WRITE;

  /** Whether only a server that takes writes is suitable. */
  public boolean needsWritable() {
    return this == WRITE;
  }
}
