// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.session;

import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * One logical session of a client: its id, its transaction numbers and the times it has seen.
 *
 * <p>An <i>explicit</i> session was started by the application and fails on deployments without
 * sessions; an <i>implicit</i> one is the client's own, is sent only where sessions are supported,
 * and is used by everything that belongs to one cursor. The id is taken from the pool on first use
 * and goes back on {@link #close}. Any thread may call, one operation at a time.
 */
public final class Session implements AutoCloseable {
  private final SessionPool pool;
  private final boolean explicit;
  private final boolean causallyConsistent;
  private final AtomicReference<@Nullable ServerSession> serverSession = new AtomicReference<>();
  private final AtomicReference<@Nullable BsonTimestamp> operationTime = new AtomicReference<>();
  private final ClusterClock clock = new ClusterClock();
  private volatile boolean closed;

  Session(SessionPool pool, boolean explicit, boolean causallyConsistent) {
    this.pool = pool;
    this.explicit = explicit;
    this.causallyConsistent = causallyConsistent;
  }

  /**
   * Whether the application started this session, rather than the client for one operation or
   * cursor.
   */
  public boolean isExplicit() {
    return explicit;
  }

  /**
   * Whether reads (and writes) of this session carry {@code afterClusterTime} with its operation
   * time.
   */
  public boolean isCausallyConsistent() {
    return causallyConsistent;
  }

  /**
   * The session's id, as it travels in {@code lsid}.
   *
   * @throws IllegalStateException when this session was closed
   */
  public BsonDocument lsid() {
    return acquired().lsid();
  }

  /** The transaction number for the next retryable write or transaction: one more than the last. */
  public long nextTransactionNumber() {
    return acquired().nextTransactionNumber();
  }

  /** The transaction number that was last given out; zero before the first. */
  public long transactionNumber() {
    return acquired().transactionNumber();
  }

  /** The greatest {@code operationTime} of this session's replies; null before the first. */
  public @Nullable BsonTimestamp operationTime() {
    return operationTime.get();
  }

  /** Moves {@link #operationTime} forward; an older one or null changes nothing. */
  public void advanceOperationTime(@Nullable BsonTimestamp time) {
    if (time != null) {
      operationTime.accumulateAndGet(
          time,
          (old, seen) -> old == null || (seen != null && seen.compareTo(old) > 0) ? seen : old);
    }
  }

  /** The greatest {@code $clusterTime} this session has seen; null before the first. */
  public @Nullable BsonDocument clusterTime() {
    return clock.current();
  }

  /** Moves {@link #clusterTime} forward; an older one or null changes nothing. */
  public void advanceClusterTime(@Nullable BsonDocument clusterTime) {
    clock.advance(clusterTime);
  }

  /**
   * Says that a network error met this session: its id is thrown away instead of going back to the
   * pool.
   */
  public void markDirty() {
    ServerSession acquired = serverSession.get();
    if (acquired != null) {
      acquired.markDirty();
    }
  }

  /** Whether a network error has met its id. */
  public boolean isDirty() {
    ServerSession acquired = serverSession.get();
    return acquired != null && acquired.isDirty();
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    return closed;
  }

  /** Gives the id back to the pool. Closing twice does nothing more. */
  @Override
  public void close() {
    closed = true;
    ServerSession acquired = serverSession.getAndSet(null);
    if (acquired != null) {
      pool.giveBack(acquired);
    }
  }

  /**
   * Marks the id as used now: the server forgets ids that lie idle for its logical session timeout.
   */
  public void touch() {
    acquired().used(pool.nanoTime());
  }

  private ServerSession acquired() {
    ServerSession acquired = serverSession.get();
    if (acquired != null) {
      return acquired;
    }
    if (closed) {
      throw new IllegalStateException("the session is closed");
    }
    ServerSession fresh = pool.take();
    if (serverSession.compareAndSet(null, fresh)) {
      return fresh;
    }
    pool.giveBack(fresh);
    return acquired();
  }
}
