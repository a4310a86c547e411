// SPDX-License-Identifier: Apache-2.0
/**
 * What a failure means. {@link io.fairlead.topology.retry.RetryPolicy} says whether an operation is
 * tried again, where and when; {@link io.fairlead.topology.retry.FaultKind} whether the server is
 * to blame. Pure.
 */
@NullMarked
package io.fairlead.topology.retry;

import org.jspecify.annotations.NullMarked;
