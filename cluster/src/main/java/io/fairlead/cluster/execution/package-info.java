// SPDX-License-Identifier: Apache-2.0
/**
 * Runs one operation to its end. Start at {@link io.fairlead.cluster.execution.OperationRunner}.
 *
 * <pre>
 *   select a server → check out a connection → assemble and send → judge the reply or failure → give the connection back
 *        ↑                                                                     │
 *        └────────────── retry, after a pause under overload ──────────────────┘
 * </pre>
 *
 * {@link io.fairlead.cluster.execution.OperationRun} is the loop, {@link
 * io.fairlead.cluster.execution.ServerSearch} its first step, {@link
 * io.fairlead.cluster.execution.Exchange} what happens on a connection. What a failure means for
 * the connection, the topology, the retry and the caller is decided in one place, {@link
 * io.fairlead.cluster.execution.FailureJudge}.
 */
@NullMarked
package io.fairlead.cluster.execution;

import org.jspecify.annotations.NullMarked;
