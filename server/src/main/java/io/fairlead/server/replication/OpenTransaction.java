// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Snapshot;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.replication.protocol.OpTime;

/**
 * A multi-document transaction on a primary. Used by one command at a time; {@link #abort()} may
 * come from any thread, and comes from the coordinator when this member ceases to be primary.
 */
public interface OpenTransaction {
  /** The state it began on, with its own writes so far. */
  Snapshot snapshot();

  /**
   * Where a statement writes.
   *
   * @param statement its operation and its wish about validation
   */
  WriteTransaction writes(WriteOrigin statement);

  /**
   * Makes what it wrote visible and writes it to the log, as one entry, together with the session's
   * record.
   *
   * @return where that is in the log; the end of the log when nothing was written
   * @throws io.fairlead.engine.error.EngineException 112 WriteConflict, 251 NoSuchTransaction after
   *     its end, 257 TransactionTooLarge
   */
  OpTime commit();

  /** Forgets its writes. Does nothing after the end. */
  void abort();

  /** Whether it has neither been committed nor aborted. */
  boolean isOpen();
}
