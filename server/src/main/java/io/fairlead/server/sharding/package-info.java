// SPDX-License-Identifier: Apache-2.0
/**
 * A shard's own knowledge of what is sharded: routers tell it ({@link
 * io.fairlead.server.sharding.ShardingCommands}), it is kept and replicated in {@code
 * config.cache.collections} and {@code config.cache.databases}, and every command that a router
 * stamps with a version is checked against it ({@link io.fairlead.server.sharding.ShardVersions}).
 */
@NullMarked
package io.fairlead.server.sharding;

import org.jspecify.annotations.NullMarked;
