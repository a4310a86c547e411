// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.catalog;

import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/**
 * A range of a sharded collection, from its lower bound up to the next chunk's.
 *
 * @param id of its document in config.chunks
 * @param min the lower bound, inclusive
 * @param shard the shard that has it
 * @param version major and minor, unique within the collection
 */
@SuppressWarnings(
    "ArrayRecordComponent") // chunks are compared by ShardKey.compare, never by equals
public record Chunk(BsonValue id, BsonValue[] min, String shard, BsonTimestamp version) {}
