// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.session;

import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;

/** A session id with its transaction numbers, lent to one {@link Session} at a time. */
final class ServerSession {
  private final BsonDocument lsid;
  private final AtomicLong transactionNumber = new AtomicLong();
  private volatile long lastUsedNanos;
  private volatile boolean dirty;

  ServerSession(BsonDocument lsid, long nowNanos) {
    this.lsid = lsid;
    this.lastUsedNanos = nowNanos;
  }

  BsonDocument lsid() {
    return lsid;
  }

  long nextTransactionNumber() {
    return transactionNumber.incrementAndGet();
  }

  long transactionNumber() {
    return transactionNumber.get();
  }

  void used(long nowNanos) {
    lastUsedNanos = nowNanos;
  }

  long lastUsedNanos() {
    return lastUsedNanos;
  }

  void markDirty() {
    dirty = true;
  }

  boolean isDirty() {
    return dirty;
  }
}
