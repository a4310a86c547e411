// SPDX-License-Identifier: Apache-2.0
/**
 * Logical sessions of one client: {@link io.fairlead.cluster.session.SessionPool} lends them,
 * {@link io.fairlead.cluster.session.ClusterClock} gossips the cluster's time. Follows MongoDB's
 * sessions and causal consistency specifications.
 */
@NullMarked
package io.fairlead.cluster.session;

import org.jspecify.annotations.NullMarked;
