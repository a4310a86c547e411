// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

import com.mongodb.connection.ConnectionId;
import com.mongodb.event.ConnectionClosedEvent;
import io.fairlead.cluster.connection.Connection;
import org.jspecify.annotations.Nullable;

/**
 * A connection and what its pool knows about it. The fields that change are guarded by the pool's
 * lock.
 */
public final class PooledConnection {
  private final Connection connection;
  private final long generation;
  private final long openedNanos;
  private long idleSinceNanos;
  private boolean lent;

  PooledConnection(Connection connection, long generation, long nowNanos) {
    this.connection = connection;
    this.generation = generation;
    this.openedNanos = nowNanos;
    this.idleSinceNanos = nowNanos;
  }

  /** The connection, for whoever checked it out. */
  public Connection connection() {
    return connection;
  }

  /** What the pool's generation was when this was opened. */
  public long generation() {
    return generation;
  }

  ConnectionId id() {
    return connection.description().getConnectionId();
  }

  void lend() {
    lent = true;
  }

  /**
   * @throws IllegalStateException if it is not lent: it was checked in twice
   */
  void takeBack(long nowNanos) {
    if (!lent) {
      throw new IllegalStateException(connection + " was checked in twice");
    }
    lent = false;
    idleSinceNanos = nowNanos;
  }

  /** Why it is not to be lent again; null when it may be. */
  ConnectionClosedEvent.@Nullable Reason whyPerished(
      long poolGeneration, PoolOptions options, long nowNanos) {
    if (generation != poolGeneration) {
      return ConnectionClosedEvent.Reason.STALE;
    }
    if (!connection.isUsable()) {
      return ConnectionClosedEvent.Reason.ERROR;
    }
    boolean tooIdle = options.idleNanos() > 0 && nowNanos - idleSinceNanos > options.idleNanos();
    boolean tooOld = options.lifeNanos() > 0 && nowNanos - openedNanos > options.lifeNanos();
    return tooIdle || tooOld ? ConnectionClosedEvent.Reason.IDLE : null;
  }
}
