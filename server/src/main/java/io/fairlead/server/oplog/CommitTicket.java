// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.oplog;

import io.fairlead.server.replication.WriteOrigin;
import io.fairlead.server.replication.protocol.OpTime;
import org.jspecify.annotations.Nullable;

/**
 * Goes with a write into its commit, and brings back where it stands in the log. Used by one writer
 * at a time.
 */
public final class CommitTicket {
  private final WriteOrigin origin;
  private final @Nullable String note;
  private final boolean transaction;
  private volatile OpTime opTime = OpTime.NONE;

  public CommitTicket(WriteOrigin origin) {
    this(origin, null, false);
  }

  private CommitTicket(WriteOrigin origin, @Nullable String note, boolean transaction) {
    this.origin = origin;
    this.note = note;
    this.transaction = transaction;
  }

  /** For the commit of a multi-document transaction, which is one entry. */
  public static CommitTicket transaction(WriteOrigin.RetryableWrite session) {
    return new CommitTicket(WriteOrigin.retryable(session.lsid(), session.txnNumber()), null, true);
  }

  /** For a commit that only says something in the log. */
  public static CommitTicket note(String message) {
    return new CommitTicket(WriteOrigin.PLAIN, message, false);
  }

  boolean isTransaction() {
    return transaction;
  }

  @Nullable String note() {
    return note;
  }

  WriteOrigin origin() {
    return origin;
  }

  void stamp(OpTime written) {
    opTime = written;
  }

  /** The write's last log entry; {@link OpTime#NONE} when it changed nothing. */
  public OpTime opTime() {
    return opTime;
  }
}
