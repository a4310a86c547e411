// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.retry;

/** What may be done with an operation that failed, by its own nature. */
public enum Retryability {
  /**
   * A read that is not repeated by itself, such as a getMore: only when an overloaded server calls
   * it safe.
   */
  READ_ONCE,
  /**
   * A write that is not repeated by itself, such as an update of many or DDL: only when an
   * overloaded server calls it safe.
   */
  WRITE_ONCE,
  /**
   * {@code runCommand}: like the two above, and both a write and a read for all that is known of
   * it.
   */
  COMMAND,
  /** A read that the specification of retryable reads lists. */
  READ,
  /**
   * A write with a transaction number and outside of a transaction: the server knows it when it
   * comes twice.
   */
  WRITE,
  /** The commit or abort of a transaction: retried once, whatever {@code retryWrites} says. */
  COMMIT;

  /**
   * Whether a second application does no harm even when nobody knows whether the first was made.
   */
  public boolean isHarmless() {
    return this == READ || this == WRITE;
  }
}
