// SPDX-License-Identifier: Apache-2.0
/**
 * The shards of the cluster: a {@link io.fairlead.cluster.Cluster} each ({@link
 * io.fairlead.router.shard.Shards}), their failures as error replies ({@link
 * io.fairlead.router.shard.ReplyException}), and the loop that refreshes what the router knows when
 * a shard knows better ({@link io.fairlead.router.shard.VersionedRun}).
 */
@NullMarked
package io.fairlead.router.shard;

import org.jspecify.annotations.NullMarked;
