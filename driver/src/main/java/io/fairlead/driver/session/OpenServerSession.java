// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.session;

import com.mongodb.session.ServerSession;
import io.fairlead.cluster.session.Session;
import org.bson.BsonDocument;

/** The server's side of a session: its id and transaction numbers. */
record OpenServerSession(Session session) implements ServerSession {
  @Override
  public BsonDocument getIdentifier() {
    return session.lsid();
  }

  @Override
  public long getTransactionNumber() {
    return session.transactionNumber();
  }

  @Override
  public long advanceTransactionNumber() {
    return session.nextTransactionNumber();
  }

  @Override
  public boolean isClosed() {
    return session.isClosed();
  }

  @Override
  public void markDirty() {
    session.markDirty();
  }

  @Override
  public boolean isMarkedDirty() {
    return session.isDirty();
  }
}
