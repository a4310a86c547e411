// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

/**
 * A statement of a retryable write met its own record while it was being committed: another attempt
 * of the same statement was faster. Nothing was written; the answer is in the record.
 */
public final class AlreadyExecutedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * An attempt that came too late.
   *
   * @param statement whose record is there
   */
  public AlreadyExecutedException(int statement) {
    super("statement " + statement + " has been executed by an earlier attempt");
  }
}
