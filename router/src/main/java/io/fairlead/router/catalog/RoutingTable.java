// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.catalog;

import io.fairlead.engine.error.EngineException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/** The chunks of one sharded collection, in order. Immutable. */
public final class RoutingTable {

  private final String namespace;
  private final BsonValue uuid;
  private final ShardKey key;
  private final boolean unique;
  private final ObjectId epoch;
  private final BsonTimestamp timestamp;
  private final List<Chunk> chunks;
  private final Map<String, BsonTimestamp> versions = new HashMap<>();

  /**
   * @param chunks without gaps: the first begins at MinKey; where two overlap, each ends where the
   *     next begins
   */
  public RoutingTable(
      String namespace,
      BsonValue uuid,
      ShardKey key,
      boolean unique,
      ObjectId epoch,
      BsonTimestamp timestamp,
      List<Chunk> chunks) {
    this.namespace = namespace;
    this.uuid = uuid;
    this.key = key;
    this.unique = unique;
    this.epoch = epoch;
    this.timestamp = timestamp;
    this.chunks =
        chunks.stream().sorted(Comparator.comparing(Chunk::min, ShardKey::compare)).toList();
    if (this.chunks.isEmpty()
        || ShardKey.compare(this.chunks.getFirst().min(), key.lowest()) != 0) {
      throw new EngineException(
          1,
          "the chunks of "
              + namespace
              + " do not begin at the lowest key; config.chunks is damaged");
    }
    for (Chunk chunk : this.chunks) {
      versions.merge(chunk.shard(), chunk.version(), (a, b) -> a.compareTo(b) >= 0 ? a : b);
    }
  }

  public String namespace() {
    return namespace;
  }

  public BsonValue uuid() {
    return uuid;
  }

  public ShardKey key() {
    return key;
  }

  public boolean isUnique() {
    return unique;
  }

  public ObjectId epoch() {
    return epoch;
  }

  public BsonTimestamp timestamp() {
    return timestamp;
  }

  public List<Chunk> chunks() {
    return chunks;
  }

  /** The shards that have chunks, in the order of their names. */
  public SequencedSet<String> shards() {
    return new TreeSet<>(versions.keySet());
  }

  /** The greatest version of any chunk. */
  public BsonTimestamp version() {
    return versions.values().stream().max(Comparator.naturalOrder()).orElseThrow();
  }

  /**
   * What a command to a shard is stamped with: {@code {e, t, v}}; v is 0 for a shard without
   * chunks.
   */
  public BsonDocument versionOf(String shard) {
    return new BsonDocument("e", new org.bson.BsonObjectId(epoch))
        .append("t", timestamp)
        .append("v", versions.getOrDefault(shard, new BsonTimestamp(0, 0)));
  }

  /** The same collection, divided otherwise. */
  public RoutingTable withChunks(List<Chunk> others) {
    return new RoutingTable(namespace, uuid, key, unique, epoch, timestamp, others);
  }

  /** One chunk as {@code config.chunks} has it. */
  public BsonDocument chunkDocument(int index) {
    Chunk chunk = chunks.get(index);
    return new BsonDocument("_id", chunk.id())
        .append("uuid", uuid)
        .append("min", key.document(chunk.min()))
        .append("max", key.document(maxOf(index)))
        .append("shard", new BsonString(chunk.shard()))
        .append("lastmod", chunk.version());
  }

  /** The chunk of a key value. */
  public Chunk chunkOf(BsonValue[] value) {
    return chunks.get(indexOf(value));
  }

  public BsonValue[] maxOf(int index) {
    return index + 1 < chunks.size() ? chunks.get(index + 1).min() : key.highest();
  }

  public int indexOf(BsonValue[] value) {
    int low = 0;
    int high = chunks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (ShardKey.compare(chunks.get(middle).min(), value) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The shards of the chunks that have key values from one to another, both inclusive. */
  SequencedSet<String> shardsBetween(BsonValue[] low, BsonValue[] high) {
    TreeSet<String> found = new TreeSet<>();
    int last = indexOf(high);
    for (int i = indexOf(low); i <= last; i++) {
      found.add(chunks.get(i).shard());
    }
    return found;
  }

  /** The ranges of one shard, as it is told them. */
  public List<BsonDocument> rangesOf(String shard) {
    List<BsonDocument> ranges = new ArrayList<>();
    for (int i = 0; i < chunks.size(); i++) {
      if (chunks.get(i).shard().equals(shard)) {
        ranges.add(
            new BsonDocument("min", key.document(chunks.get(i).min()))
                .append("max", key.document(maxOf(i))));
      }
    }
    return ranges;
  }
}
