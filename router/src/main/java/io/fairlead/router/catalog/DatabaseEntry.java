// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.catalog;

import org.bson.BsonDocument;

/**
 * A database, as config.databases has it.
 *
 * @param primary the shard that has its unsharded collections
 * @param version {@code {uuid, timestamp, lastMod}}, stamped on commands to the primary shard
 */
public record DatabaseEntry(String name, String primary, BsonDocument version) {}
