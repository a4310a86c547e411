// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.catalog;

import io.fairlead.engine.error.EngineException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What this router knows of databases and collections, read from the config set when first needed
 * and again after {@link #forget}. Any thread may call.
 */
public final class Catalog {

  private static final Placement NOWHERE = new Placement.Nowhere();
  private static final BsonDocument NO_SORT = new BsonDocument();

  private final ConfigStore config;
  private final InstantSource clock;
  private final Map<String, DatabaseEntry> databases = new ConcurrentHashMap<>();
  private final Map<String, Placement> collections = new ConcurrentHashMap<>();

  public Catalog(ConfigStore config, InstantSource clock) {
    this.config = config;
    this.clock = clock;
  }

  /** A database, or null when there is none. That there is none is not remembered. */
  public @Nullable DatabaseEntry database(String name) {
    DatabaseEntry known = databases.get(name);
    if (known != null) {
      return known;
    }
    BsonDocument document = config.findById("databases", new BsonString(name));
    if (document == null) {
      return null;
    }
    DatabaseEntry entry =
        new DatabaseEntry(
            name, document.getString("primary").getValue(), document.getDocument("version"));
    databases.put(name, entry);
    return entry;
  }

  /** Where a collection is. */
  public Placement placement(String database, String collection) {
    String namespace = database + "." + collection;
    Placement known = collections.get(namespace);
    if (known != null) {
      return known;
    }
    DatabaseEntry entry = database(database);
    if (entry == null) {
      return NOWHERE;
    }
    Placement placement = load(entry, namespace);
    collections.put(namespace, placement);
    return placement;
  }

  private Placement load(DatabaseEntry database, String namespace) {
    BsonDocument document = config.findById("collections", new BsonString(namespace));
    return document == null
        ? new Placement.Unsharded(database)
        : new Placement.Sharded(database, table(document));
  }

  private RoutingTable table(BsonDocument collection) {
    ShardKey key = ShardKey.parse(collection.getDocument("key"));
    BsonDocument ofCollection = new BsonDocument("uuid", required(collection, "uuid"));
    List<Chunk> chunks = new ArrayList<>();
    for (BsonDocument chunk :
        config.find("chunks", ofCollection, new BsonDocument("lastmod", new BsonInt32(1)))) {
      chunks.add(
          new Chunk(
              required(chunk, "_id"),
              key.bound(chunk.getDocument("min")),
              chunk.getString("shard").getValue(),
              chunk.getTimestamp("lastmod")));
    }
    return new RoutingTable(
        collection.getString("_id").getValue(),
        required(collection, "uuid"),
        key,
        collection.getBoolean("unique", BsonBoolean.FALSE).getValue(),
        collection.getObjectId("lastmodEpoch").getValue(),
        collection.getTimestamp("timestamp", new BsonTimestamp(1, 0)),
        chunks);
  }

  private static BsonValue required(BsonDocument document, String field) {
    BsonValue value = document.get(field);
    if (value == null) {
      throw new EngineException(
          1, "the config set has a document without " + field + ": " + document.toJson());
    }
    return value;
  }

  /** The namespaces of a database's sharded collections, as the config set has them now. */
  public List<String> shardedCollections(String database) {
    List<String> names = new ArrayList<>();
    String prefix = database + ".";
    for (BsonDocument document : config.find("collections", new BsonDocument(), NO_SORT)) {
      String namespace = document.getString("_id").getValue();
      if (namespace.startsWith(prefix)) {
        names.add(namespace);
      }
    }
    return names;
  }

  /** Reads a collection, and its database, again when next needed. */
  public void forget(String database, String collection) {
    databases.remove(database);
    collections.remove(database + "." + collection);
  }

  /** Reads a database and all of its collections again when next needed. */
  public void forgetDatabase(String database) {
    databases.remove(database);
    String prefix = database + ".";
    collections.keySet().removeIf(namespace -> namespace.startsWith(prefix));
  }

  /** Reads everything again when next needed. */
  public void forgetAll() {
    databases.clear();
    collections.clear();
  }

  /**
   * Creates a database if it does not exist, whoever else does so at the same time.
   *
   * @param primary its primary shard; null for the one that is primary of the fewest databases
   */
  public DatabaseEntry createDatabase(String name, @Nullable String primary, List<String> shards) {
    DatabaseEntry known = database(name);
    if (known != null) {
      return known;
    }
    if (shards.isEmpty()) {
      throw new EngineException(
          70,
          "the database "
              + name
              + " cannot be created: the cluster has no shards; add one with addShard");
    }
    BsonDocument version = newVersion();
    BsonDocument document =
        new BsonDocument("_id", new BsonString(name))
            .append("primary", new BsonString(primary == null ? leastUsed(shards) : primary))
            .append("partitioned", BsonBoolean.TRUE)
            .append("version", version);
    try {
      config.insert("databases", List.of(document));
    } catch (EngineException error) {
      if (!ConfigStore.isDuplicate(error)) {
        throw error;
      }
    }
    DatabaseEntry created = database(name);
    if (created == null) {
      throw new EngineException(26, "the database " + name + " was dropped while it was created");
    }
    return created;
  }

  /** A database version unlike every other. */
  public BsonDocument newVersion() {
    return new BsonDocument("uuid", new BsonBinary(UUID.randomUUID()))
        .append("timestamp", new BsonTimestamp((int) (clock.millis() / 1000), 1))
        .append("lastMod", new BsonInt32(1));
  }

  private String leastUsed(List<String> shards) {
    Map<String, Integer> uses = new java.util.HashMap<>();
    for (BsonDocument database : config.find("databases", new BsonDocument(), NO_SORT)) {
      uses.merge(database.getString("primary").getValue(), 1, Integer::sum);
    }
    String best = shards.getFirst();
    for (String shard : shards) {
      if (uses.getOrDefault(shard, 0) < uses.getOrDefault(best, 0)) {
        best = shard;
      }
    }
    return best;
  }
}
