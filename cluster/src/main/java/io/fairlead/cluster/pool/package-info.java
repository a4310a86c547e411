// SPDX-License-Identifier: Apache-2.0
/**
 * Connections of one server, kept and lent. Start at {@link
 * io.fairlead.cluster.pool.ConnectionPool}, the lock and the threads around {@link
 * io.fairlead.cluster.pool.PoolState}, which has what a pool is and how it changes.
 *
 * <pre>
 *   check out: an idle one → else wait in line; dialling happens on threads of its own, at most maxConnecting at once
 *   check in:  to the first in line → else idle → or closed, when it is stale, old or broken
 * </pre>
 *
 * Nobody dials on the caller's thread, so a caller's short deadline ends its wait and never a
 * connection that others can use. Follows MongoDB's Connection Monitoring And Pooling
 * specification.
 */
@NullMarked
package io.fairlead.cluster.pool;

import org.jspecify.annotations.NullMarked;
