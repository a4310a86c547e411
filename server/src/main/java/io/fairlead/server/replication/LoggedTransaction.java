// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Engine;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.Transaction;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.oplog.CommitTicket;
import io.fairlead.server.replication.protocol.OpTime;
import java.util.function.Supplier;

/** A transaction of the engine whose commit is one entry of the log. */
final class LoggedTransaction implements OpenTransaction {
  private final Transaction transaction;
  private final CommitTicket ticket;
  private final Supplier<OpTime> endOfLog;

  private LoggedTransaction(
      Transaction transaction, CommitTicket ticket, Supplier<OpTime> endOfLog) {
    this.transaction = transaction;
    this.ticket = ticket;
    this.endOfLog = endOfLog;
  }

  static LoggedTransaction begin(
      Engine engine, WriteOrigin.RetryableWrite session, Supplier<OpTime> endOfLog) {
    CommitTicket ticket = CommitTicket.transaction(session);
    return new LoggedTransaction(
        engine.begin(WriteContext.plain().withAttachment(ticket)), ticket, endOfLog);
  }

  @Override
  public Snapshot snapshot() {
    return transaction.writes().snapshot();
  }

  @Override
  public WriteTransaction writes(WriteOrigin statement) {
    return transaction.writes(
        WriteContext.plain()
            .withBypassValidation(statement.bypassValidation())
            .withOperation(statement.operation()));
  }

  @Override
  public OpTime commit() {
    transaction.commit();
    OpTime written = ticket.opTime();
    return written.isNone() ? endOfLog.get() : written;
  }

  @Override
  public void abort() {
    transaction.abort();
  }

  @Override
  public boolean isOpen() {
    return transaction.isOpen();
  }
}
