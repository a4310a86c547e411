// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.error.EngineException;
import io.fairlead.router.catalog.Chunk;
import io.fairlead.router.catalog.DatabaseEntry;
import io.fairlead.router.catalog.FirstChunks;
import io.fairlead.router.catalog.Lease;
import io.fairlead.router.catalog.Placement;
import io.fairlead.router.catalog.RoutingTable;
import io.fairlead.router.catalog.ShardKey;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * {@code shardCollection}. Made under a lease, in this order: the shards are told the new version,
 * so that no router goes on by the old one; then the config set is changed, and from then on
 * routers find the new truth.
 */
final class ShardCollectionCommand implements Command {

  private static final int ALREADY_INITIALIZED = 23;

  private final Asking asking;
  private final Parts parts;

  ShardCollectionCommand(Asking asking) {
    this.asking = asking;
    this.parts = asking.parts();
  }

  @Override
  public BsonDocument run(Request request) throws InterruptedException {
    request.requireOnly("shardCollection", "key", "unique", "numInitialChunks", "collation");
    Namespace namespace = namespace(request);
    ShardKey key = ShardKey.parse(request.document("key"));
    boolean unique = request.flag("unique");
    if (unique && key.hashed() >= 0) {
      throw new EngineException(72, "Hashed shard keys cannot be declared unique.");
    }
    if (request.get("collation") instanceof BsonDocument && request.isCollated()) {
      throw new EngineException(
          2, "the collation of a sharded collection must be {locale: 'simple'}");
    }
    DatabaseEntry database = asking.createDatabase(namespace.database());
    try (Lease lease = asking.lease(namespace.toString())) {
      parts.catalog().forget(namespace.database(), namespace.collection());
      return reply(
          request,
          parts.catalog().placement(namespace.database(), namespace.collection())
                  instanceof Placement.Sharded(var ignored, var table)
              ? requireSame(table, key, unique)
              : shard(request, namespace, database.primary(), key, unique, lease));
    } finally {
      parts.catalog().forget(namespace.database(), namespace.collection());
    }
  }

  private static Namespace namespace(Request request) {
    String name = request.text("shardCollection");
    Namespace namespace = Namespace.parse(name);
    if (namespace.database().isEmpty() || namespace.collection().isEmpty()) {
      throw new EngineException(73, "Invalid namespace specified '" + name + "'");
    }
    EnableShardingCommand.requireName(namespace.database());
    return namespace;
  }

  private static BsonDocument reply(Request request, RoutingTable table) {
    return Asking.ok(
        request,
        new BsonDocument("collectionsharded", new BsonString(table.namespace()))
            .append("collectionUUID", table.uuid()));
  }

  private static RoutingTable requireSame(RoutingTable table, ShardKey key, boolean unique) {
    if (!table.key().pattern().equals(key.pattern()) || table.isUnique() != unique) {
      throw new EngineException(
          ALREADY_INITIALIZED,
          "sharding already enabled for collection "
              + table.namespace()
              + " with shard key "
              + table.key().pattern().toJson());
    }
    return table;
  }

  private RoutingTable shard(
      Request request,
      Namespace namespace,
      String primary,
      ShardKey key,
      boolean unique,
      Lease lease)
      throws InterruptedException {
    CollectionOnShard onPrimary = new CollectionOnShard(asking, request, namespace, primary);
    requireShardable(namespace, onPrimary.listed());
    onPrimary.prepare(key, unique);
    // whoever writes by the old, unsharded view is refused from here on; so what is counted now
    // stays
    RoutingTable fence = newTable(namespace, key, unique, FirstChunks.whole(key, primary));
    parts.teller().collection(primary, fence);
    boolean committed = false;
    try {
      RoutingTable table =
          key.hashed() == 0 && onPrimary.isEmpty(fence) ? presplit(request, fence) : fence;
      for (String shard : table.shards()) {
        if (!shard.equals(primary)) {
          new CollectionOnShard(asking, request, namespace, shard).prepare(key, unique);
        }
      }
      for (String shard : asking.shardIds()) {
        parts.teller().collection(shard, table);
      }
      lease.confirm();
      commit(table);
      committed = true;
      return table;
    } finally {
      if (!committed) {
        for (String shard : asking.shardIds()) {
          parts.teller().unsharded(shard, namespace.toString());
        }
      }
    }
  }

  /**
   * Refuses what cannot be divided: views, and collections whose options the router does not know.
   */
  private static void requireShardable(Namespace namespace, @Nullable BsonDocument collection) {
    if (collection == null) {
      return;
    }
    BsonDocument options = collection.getDocument("options");
    String type = collection.getString("type").getValue();
    if (!type.equals("collection")) {
      throw new EngineException(
          166,
          "Namespace " + namespace + " is a " + type + ", not a collection, and cannot be sharded");
    }
    if (options.containsKey("capped")) {
      throw new EngineException(72, "can't shard a capped collection");
    }
    if (options.containsKey("collation")) {
      throw new EngineException(
          2, "a collection with a default collation cannot be sharded: " + namespace);
    }
  }

  /** An empty collection with a hashed first field is divided evenly at once. */
  private RoutingTable presplit(Request request, RoutingTable fence) {
    return fence.withChunks(
        FirstChunks.even(fence.key(), asking.shardIds(), request.number("numInitialChunks", 0)));
  }

  private RoutingTable newTable(
      Namespace namespace, ShardKey key, boolean unique, List<Chunk> chunks) {
    return new RoutingTable(
        namespace.toString(),
        new BsonBinary(UUID.randomUUID()),
        key,
        unique,
        new ObjectId(),
        new BsonTimestamp((int) (parts.clock().millis() / 1000), 1),
        chunks);
  }

  private void commit(RoutingTable table) {
    List<BsonDocument> chunks = new ArrayList<>();
    for (int i = 0; i < table.chunks().size(); i++) {
      chunks.add(table.chunkDocument(i));
    }
    parts.config().insert("chunks", chunks);
    parts
        .config()
        .insert(
            "collections",
            List.of(
                new BsonDocument("_id", new BsonString(table.namespace()))
                    .append("lastmodEpoch", new BsonObjectId(table.epoch()))
                    .append("lastmod", new BsonDateTime(parts.clock().millis()))
                    .append("timestamp", table.timestamp())
                    .append("uuid", table.uuid())
                    .append("key", table.key().pattern())
                    .append("unique", BsonBoolean.valueOf(table.isUnique()))));
  }
}
