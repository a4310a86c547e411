// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

import io.fairlead.cluster.connection.Connection;

/**
 * A connection and what its pool knows about it. The fields that change are guarded by the pool's
 * lock.
 */
public final class PooledConnection {
  final Connection connection;
  final long generation;
  final long openedNanos;
  long idleSinceNanos;
  boolean inUse;

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
}
