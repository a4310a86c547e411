// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.catalog;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/** How a collection is divided when it becomes sharded. */
public final class FirstChunks {

  private static final int PER_SHARD = 2;
  private static final int CHUNKS_MAX = 8192;

  private FirstChunks() {}

  /** One chunk with everything. */
  public static List<Chunk> whole(ShardKey key, String shard) {
    return List.of(chunk(key.lowest(), shard, 1));
  }

  /**
   * Chunks of equal size for a key that begins with a hashed field, as many in a row on one shard
   * as on another.
   *
   * @param wished how many in all; zero: two for each shard. At least one for each shard is made
   */
  public static List<Chunk> even(ShardKey key, List<String> shards, long wished) {
    if (key.hashed() != 0) {
      throw new IllegalArgumentException("only hashes are spread evenly: " + key.pattern());
    }
    long number = wished == 0 ? (long) PER_SHARD * shards.size() : wished;
    int count = Math.clamp(number, shards.size(), CHUNKS_MAX);
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      BsonValue[] min = key.lowest();
      if (i > 0) {
        // i/count of the way through the signed 64-bit numbers
        min[0] = new BsonInt64(Long.MIN_VALUE + (long) Math.floor(i * (0x1p64 / count)));
      }
      chunks.add(chunk(min, shards.get((int) ((long) i * shards.size() / count)), i + 1));
    }
    return chunks;
  }

  private static Chunk chunk(BsonValue[] min, String shard, int minor) {
    return new Chunk(new BsonObjectId(new ObjectId()), min, shard, new BsonTimestamp(1, minor));
  }
}
