// SPDX-License-Identifier: Apache-2.0
/**
 * One mongos in the sharding role. Start at {@link io.fairlead.router.Router}.
 *
 * <pre>
 *   client → command.RouterConnection → a command
 *              catalog   where a database and each range of a sharded collection live (the config replica set)
 *              shard     a Cluster per shard; versions stamped on, StaleConfig (13388) refreshed and tried again
 *              cursor    cursors of the router's own numbers, over one shard or merged over several
 *              status    routing options that live in config.settings, what routing sees, who lost its reads
 *              bytes     commands and replies edited as bytes, so that what needs no change is not decoded
 * </pre>
 *
 * The proxy role is not here yet. Multi-document transactions are refused by name.
 */
@NullMarked
package io.fairlead.router;

import org.jspecify.annotations.NullMarked;
