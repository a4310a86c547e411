// SPDX-License-Identifier: Apache-2.0
/**
 * Where things live. {@link io.fairlead.router.catalog.ConfigStore} reads and writes the config
 * replica set, {@link io.fairlead.router.catalog.Catalog} keeps what was read, {@link
 * io.fairlead.router.catalog.RoutingTable} finds the shards of a document or a filter.
 *
 * <p>What is kept may be old. Every command to a shard carries the version it was routed by, and a
 * shard that knows another one refuses it, so an old table costs a round trip and never an answer.
 */
@NullMarked
package io.fairlead.router.catalog;

import org.jspecify.annotations.NullMarked;
