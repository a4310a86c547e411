// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.cluster.Cluster;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.router.catalog.Chunk;
import io.fairlead.router.catalog.DatabaseEntry;
import io.fairlead.router.catalog.Lease;
import io.fairlead.router.catalog.Placement;
import io.fairlead.router.catalog.RoutingTable;
import io.fairlead.router.catalog.ShardKey;
import io.fairlead.router.shard.ReplyException;
import io.fairlead.router.shard.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * Dividing collections. A change is made under a lease, in this order: the shards are told the new
 * version, so that no router goes on by the old one; then the config set is changed, and from then
 * on routers find the new truth.
 */
final class ShardingCommands {

  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final int CHUNKS_PER_SHARD = 2;
  private static final int CHUNKS_MAX = 8192;
  private static final int ALREADY_INITIALIZED = 23;

  private final Asking asking;
  private final Parts parts;

  ShardingCommands(Asking asking) {
    this.asking = asking;
    this.parts = asking.parts();
  }

  BsonDocument enableSharding(Request request) {
    request.requireOnly("enableSharding", "primaryShard");
    String name = request.text("enableSharding");
    requireName(name);
    String primary = request.has("primaryShard") ? request.text("primaryShard") : null;
    if (primary != null) {
      parts.shards().shard(primary);
    }
    DatabaseEntry entry = parts.catalog().createDatabase(name, primary, asking.shardIds());
    if (primary != null && !entry.primary().equals(primary)) {
      throw new EngineException(
          48, "the database " + name + " exists, with the primary shard " + entry.primary());
    }
    parts.teller().database(entry.primary(), entry);
    return Asking.ok(request, new BsonDocument());
  }

  private static void requireName(String database) {
    if (database.isEmpty()
        || database.length() > 63
        || database.matches(".*[/\\\\. \"$\\x00].*")
        || Set.of("admin", "config", "local").contains(database)) {
      throw new EngineException(73, "Invalid database name: '" + database + "'");
    }
  }

  BsonDocument shardCollection(Request request) throws InterruptedException {
    request.requireOnly("shardCollection", "key", "unique", "numInitialChunks", "collation");
    String namespace = request.text("shardCollection");
    int dot = namespace.indexOf('.');
    if (dot <= 0 || dot == namespace.length() - 1) {
      throw new EngineException(73, "Invalid namespace specified '" + namespace + "'");
    }
    String database = namespace.substring(0, dot);
    String collection = namespace.substring(dot + 1);
    requireName(database);
    ShardKey key = ShardKey.parse(request.document("key"));
    boolean unique = request.flag("unique");
    if (unique && key.hashed() >= 0) {
      throw new EngineException(72, "Hashed shard keys cannot be declared unique.");
    }
    if (request.get("collation") instanceof BsonDocument && request.isCollated()) {
      throw new EngineException(
          2, "the collation of a sharded collection must be {locale: 'simple'}");
    }
    DatabaseEntry entry = asking.createDatabase(database);
    BsonValue uuid;
    try (Lease lease = Lease.acquire(parts.config(), parts.clock(), namespace, PATIENCE)) {
      parts.catalog().forget(database, collection);
      if (parts.catalog().placement(database, collection)
          instanceof Placement.Sharded(var ignored, var table)) {
        return alreadySharded(request, table, key, unique);
      }
      uuid =
          shard(request, new Division(namespace, database, collection, entry, key, unique), lease);
    }
    parts.catalog().forget(database, collection);
    return Asking.ok(
        request,
        new BsonDocument("collectionsharded", new BsonString(namespace))
            .append("collectionUUID", uuid));
  }

  private static BsonDocument alreadySharded(
      Request request, RoutingTable table, ShardKey key, boolean unique) {
    if (!table.key().pattern().equals(key.pattern()) || table.isUnique() != unique) {
      throw new EngineException(
          ALREADY_INITIALIZED,
          "sharding already enabled for collection "
              + table.namespace()
              + " with shard key "
              + table.key().pattern().toJson());
    }
    return Asking.ok(
        request,
        new BsonDocument("collectionsharded", new BsonString(table.namespace()))
            .append("collectionUUID", table.uuid()));
  }

  private record Division(
      String namespace,
      String database,
      String collection,
      DatabaseEntry entry,
      ShardKey key,
      boolean unique) {}

  private BsonValue shard(Request request, Division division, Lease lease)
      throws InterruptedException {
    String primary = division.entry().primary();
    requireShardable(request, division, primary);
    prepare(request, division, primary);
    // whoever writes by the old, unsharded view is refused from here on; so what is counted now
    // stays
    RoutingTable fence =
        table(division, List.of(chunk(division.key(), lowest(division.key()), primary, 1)));
    parts.teller().collection(primary, fence);
    boolean committed = false;
    try {
      boolean empty = isEmpty(request, division, fence, primary);
      List<Chunk> chunks = empty ? presplit(request, division.key(), primary) : fence.chunks();
      RoutingTable table = withChunks(fence, chunks);
      for (String shard : table.shards()) {
        if (!shard.equals(primary)) {
          prepare(request, division, shard);
        }
      }
      for (String shard : asking.shardIds()) {
        parts.teller().collection(shard, table);
      }
      lease.confirm();
      commit(table, division);
      committed = true;
      return table.uuid();
    } finally {
      if (!committed) {
        for (String shard : asking.shardIds()) {
          parts.teller().unsharded(shard, division.namespace());
        }
      }
    }
  }

  /**
   * Refuses what cannot be divided: views, and collections whose options the router does not know.
   */
  private void requireShardable(Request request, Division division, String primary) {
    BsonDocument list =
        new BsonDocument("listCollections", new BsonInt32(1))
            .append("filter", new BsonDocument("name", new BsonString(division.collection())))
            .append("$db", new BsonString(division.database()));
    BsonArray found =
        asking
            .read(
                request,
                primary,
                list,
                io.fairlead.topology.readpreference.ReadPreference.PRIMARY,
                List.of())
            .reply()
            .getDocument("cursor")
            .getArray("firstBatch");
    if (found.isEmpty()) {
      return;
    }
    BsonDocument collection = found.getFirst().asDocument();
    BsonDocument options = collection.getDocument("options");
    if (!collection.getString("type").getValue().equals("collection")) {
      throw new EngineException(
          166,
          "Namespace "
              + division.namespace()
              + " is a "
              + collection.getString("type").getValue()
              + ", not a collection, and cannot be sharded");
    }
    if (options.containsKey("capped")) {
      throw new EngineException(72, "can't shard a capped collection");
    }
    if (options.containsKey("collation")) {
      throw new EngineException(
          2, "a collection with a default collation cannot be sharded: " + division.namespace());
    }
  }

  /** Creates the collection and an index that serves the shard key, where they are missing. */
  private void prepare(Request request, Division division, String shard) {
    BsonDocument pattern = division.key().pattern();
    BsonDocument command = new BsonDocument();
    if (pattern.equals(new BsonDocument("_id", new BsonInt32(1)))) {
      command.append("create", new BsonString(division.collection()));
    } else {
      BsonDocument index = IndexSpec.on(pattern).declared();
      if (division.unique()) {
        index.append("unique", BsonBoolean.TRUE);
      }
      command
          .append("createIndexes", new BsonString(division.collection()))
          .append("indexes", new BsonArray(List.of(index)));
    }
    command
        .append("writeConcern", new BsonDocument("w", new BsonString("majority")))
        .append("$db", new BsonString(division.database()));
    try {
      asking.write(request, shard, command, List.of());
    } catch (ReplyException error) {
      if (error.code() != 48) { // the collection exists
        throw error;
      }
    }
  }

  private boolean isEmpty(Request request, Division division, RoutingTable fence, String primary) {
    BsonDocument find =
        new BsonDocument("find", new BsonString(division.collection()))
            .append("limit", new BsonInt32(1))
            .append("singleBatch", BsonBoolean.TRUE)
            .append("projection", new BsonDocument("_id", new BsonInt32(1)))
            .append("shardVersion", fence.versionOf(primary))
            .append("$db", new BsonString(division.database()));
    BsonDocument reply =
        asking
            .read(
                request,
                primary,
                find,
                io.fairlead.topology.readpreference.ReadPreference.PRIMARY,
                List.of())
            .reply();
    return reply.getDocument("cursor").getArray("firstBatch").isEmpty();
  }

  /**
   * An empty collection with a hashed first field is divided evenly at once; every other begins as
   * one chunk.
   */
  private List<Chunk> presplit(Request request, ShardKey key, String primary) {
    if (key.hashed() != 0) {
      return List.of(chunk(key, lowest(key), primary, 1));
    }
    List<String> shards = asking.shardIds();
    long wished = request.number("numInitialChunks", (long) CHUNKS_PER_SHARD * shards.size());
    int count = Math.clamp(wished, shards.size(), CHUNKS_MAX);
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      BsonValue[] min = lowest(key);
      if (i > 0) {
        // i/count of the way through the signed 64-bit numbers
        min[0] = new BsonInt64(Long.MIN_VALUE + (long) Math.floor(i * (0x1p64 / count)));
      }
      chunks.add(chunk(key, min, shards.get((int) ((long) i * shards.size() / count)), i + 1));
    }
    return chunks;
  }

  private static BsonValue[] lowest(ShardKey key) {
    BsonValue[] low = new BsonValue[key.fields().size()];
    java.util.Arrays.fill(low, new org.bson.BsonMinKey());
    return low;
  }

  private static Chunk chunk(ShardKey key, BsonValue[] min, String shard, int minor) {
    if (min.length != key.fields().size()) {
      throw new IllegalArgumentException("a bound has one value per field");
    }
    return new Chunk(new BsonObjectId(new ObjectId()), min, shard, new BsonTimestamp(1, minor));
  }

  private RoutingTable table(Division division, List<Chunk> chunks) {
    return new RoutingTable(
        division.namespace(),
        new BsonBinary(UUID.randomUUID()),
        division.key(),
        division.unique(),
        new ObjectId(),
        new BsonTimestamp((int) (parts.clock().millis() / 1000), 1),
        chunks);
  }

  private static RoutingTable withChunks(RoutingTable table, List<Chunk> chunks) {
    return new RoutingTable(
        table.namespace(),
        table.uuid(),
        table.key(),
        table.isUnique(),
        table.epoch(),
        table.timestamp(),
        chunks);
  }

  private void commit(RoutingTable table, Division division) {
    List<BsonDocument> chunks = new ArrayList<>();
    for (int i = 0; i < table.chunks().size(); i++) {
      chunks.add(document(table, i));
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
                    .append("key", division.key().pattern())
                    .append("unique", BsonBoolean.valueOf(table.isUnique()))));
  }

  private static BsonDocument document(RoutingTable table, int index) {
    Chunk chunk = table.chunks().get(index);
    return new BsonDocument("_id", chunk.id())
        .append("uuid", table.uuid())
        .append("min", table.key().document(chunk.min()))
        .append("max", table.key().document(table.maxOf(index)))
        .append("shard", new BsonString(chunk.shard()))
        .append("lastmod", chunk.version());
  }

  /**
   * split: at {@code middle}, or in the chunk of {@code find} or {@code bounds} at the middle of a
   * hashed range. The new chunk is written before the old one is cut, and a chunk ends where the
   * next begins, so no reader ever sees a gap.
   */
  BsonDocument split(Request request) throws InterruptedException {
    request.requireOnly("split", "middle", "find", "bounds");
    String namespace = request.text("split");
    int dot = namespace.indexOf('.');
    String database = namespace.substring(0, Math.max(0, dot));
    String collection = namespace.substring(dot + 1);
    if (!request.has("middle")) {
      throw new EngineException(115, "split without 'middle' is not supported yet");
    }
    try (Lease lease = Lease.acquire(parts.config(), parts.clock(), namespace, PATIENCE)) {
      parts.catalog().forget(database, collection);
      if (!(parts.catalog().placement(database, collection)
          instanceof Placement.Sharded(var entry, var table))) {
        throw new EngineException(118, "Expected " + namespace + " to be sharded");
      }
      BsonValue[] middle = table.key().bound(request.document("middle"));
      int index = table.indexOf(middle);
      Chunk old = table.chunks().get(index);
      if (BsonOrder.SIMPLE.equal(table.key().document(old.min()), table.key().document(middle))) {
        throw new EngineException(
            2, "a chunk already begins at " + request.document("middle").toJson());
      }
      BsonTimestamp last = table.version();
      BsonTimestamp forLeft = new BsonTimestamp(last.getTime(), last.getInc() + 1);
      Chunk right =
          new Chunk(
              new BsonObjectId(new ObjectId()),
              middle,
              old.shard(),
              new BsonTimestamp(last.getTime(), last.getInc() + 2));
      List<Chunk> chunks = new ArrayList<>(table.chunks());
      chunks.set(index, new Chunk(old.id(), old.min(), old.shard(), forLeft));
      chunks.add(right);
      RoutingTable next = withChunks(table, chunks);
      parts.teller().collection(old.shard(), next);
      lease.confirm();
      parts.config().insert("chunks", List.of(document(next, next.indexOf(middle))));
      BsonDocument cut =
          new BsonDocument("max", table.key().document(middle)).append("lastmod", forLeft);
      parts
          .config()
          .update(
              "chunks", new BsonDocument("_id", old.id()), new BsonDocument("$set", cut), false);
    }
    parts.catalog().forget(database, collection);
    return Asking.ok(request, new BsonDocument());
  }

  /**
   * moveChunk: of a range that has no documents, as when a collection is divided before it is
   * filled. The giving shard refuses the old version first, so that nothing can come into the range
   * while it is looked at.
   */
  BsonDocument moveChunk(Request request) throws InterruptedException {
    request.requireOnly(
        "moveChunk",
        "find",
        "bounds",
        "to",
        "maxChunkSizeBytes",
        "_secondaryThrottle",
        "_waitForDelete");
    String namespace = request.text("moveChunk");
    String database = namespace.substring(0, Math.max(0, namespace.indexOf('.')));
    String collection = namespace.substring(namespace.indexOf('.') + 1);
    String to = parts.shards().shard(request.text("to")).id();
    try (Lease lease = Lease.acquire(parts.config(), parts.clock(), namespace, PATIENCE)) {
      parts.catalog().forget(database, collection);
      if (!(parts.catalog().placement(database, collection)
          instanceof Placement.Sharded(var entry, var table))) {
        throw new EngineException(118, "Expected " + namespace + " to be sharded");
      }
      int index = chunkNamed(request, table);
      Chunk chunk = table.chunks().get(index);
      if (!chunk.shard().equals(to)) {
        move(request, new Move(database, collection, entry, table, index, to), lease);
      }
    } finally {
      parts.catalog().forget(database, collection);
    }
    return Asking.ok(request, new BsonDocument());
  }

  private record Move(
      String database,
      String collection,
      DatabaseEntry entry,
      RoutingTable table,
      int index,
      String to) {}

  private static int chunkNamed(Request request, RoutingTable table) {
    if (request.get("find") instanceof BsonDocument find) {
      return table.indexOf(table.key().of(find));
    }
    if (request.get("bounds") instanceof BsonArray bounds && !bounds.isEmpty()) {
      return table.indexOf(table.key().bound(bounds.get(0).asDocument()));
    }
    throw new EngineException(72, "need to specify either 'find' or 'bounds'");
  }

  private void move(Request request, Move move, Lease lease) {
    RoutingTable table = move.table();
    Chunk chunk = table.chunks().get(move.index());
    BsonTimestamp version = new BsonTimestamp(table.version().getTime() + 1, 0);
    List<Chunk> chunks = new ArrayList<>(table.chunks());
    chunks.set(move.index(), new Chunk(chunk.id(), chunk.min(), move.to(), version));
    // the giving shard's version changes with every move, whether or not it keeps another chunk
    for (int i = 0; i < chunks.size(); i++) {
      Chunk kept = chunks.get(i);
      if (kept.shard().equals(chunk.shard())) {
        chunks.set(
            i,
            new Chunk(
                kept.id(), kept.min(), kept.shard(), new BsonTimestamp(version.getTime(), 1)));
        break;
      }
    }
    RoutingTable next = withChunks(table, chunks);
    boolean committed = false;
    parts.teller().collection(chunk.shard(), next);
    try {
      requireNoDocuments(request, move, next, chunk.shard());
      prepare(
          request,
          new Division(
              table.namespace(),
              move.database(),
              move.collection(),
              move.entry(),
              table.key(),
              table.isUnique()),
          move.to());
      parts.teller().collection(move.to(), next);
      lease.confirm();
      commitMove(table, next);
      committed = true;
    } finally {
      if (!committed) {
        parts.teller().collection(chunk.shard(), table);
        parts.teller().collection(move.to(), table);
      }
    }
  }

  /**
   * The moved chunk first: with it the move is made. Until the kept one is written too, the giving
   * shard is asked by an old version and refuses.
   */
  private void commitMove(RoutingTable before, RoutingTable next) {
    List<Chunk> changed = new ArrayList<>();
    for (int i = 0; i < next.chunks().size(); i++) {
      Chunk now = next.chunks().get(i);
      if (!now.equals(before.chunks().get(i))) {
        changed.add(now);
      }
    }
    changed.sort(java.util.Comparator.comparingInt(chunk -> chunk.version().getInc()));
    for (Chunk chunk : changed) {
      BsonDocument placed =
          new BsonDocument("shard", new BsonString(chunk.shard()))
              .append("lastmod", chunk.version());
      parts
          .config()
          .update(
              "chunks",
              new BsonDocument("_id", chunk.id()),
              new BsonDocument("$set", placed),
              false);
    }
  }

  private void requireNoDocuments(Request request, Move move, RoutingTable next, String shard) {
    ShardKey key = next.key();
    if (key.hashed() >= 0) {
      if (isEmpty(request, division(move), next, shard)) {
        return;
      }
      throw hasDocuments(next);
    }
    BsonDocument range =
        new BsonDocument("find", new BsonString(move.collection()))
            .append(
                "filter",
                new BsonDocument("$expr", new BsonDocument("$and", within(move.index(), next))))
            .append("limit", new BsonInt32(1))
            .append("singleBatch", BsonBoolean.TRUE)
            .append("shardVersion", next.versionOf(shard))
            .append("$db", new BsonString(move.database()));
    BsonDocument reply =
        asking
            .read(
                request,
                shard,
                range,
                io.fairlead.topology.readpreference.ReadPreference.PRIMARY,
                List.of())
            .reply();
    if (!reply.getDocument("cursor").getArray("firstBatch").isEmpty()) {
      throw hasDocuments(next);
    }
  }

  /**
   * Conditions on the first field that every document of a chunk meets, compared across types; a
   * few of its neighbours may meet them, too, when the key has more fields.
   */
  private static BsonArray within(int index, RoutingTable table) {
    ShardKey key = table.key();
    BsonArray path =
        new BsonArray(
            List.of(new BsonString("$" + key.fields().getFirst()), org.bson.BsonNull.VALUE));
    BsonDocument value = new BsonDocument("$ifNull", path);
    BsonValue low = table.chunks().get(index).min()[0];
    BsonValue high = table.maxOf(index)[0];
    BsonArray conditions = new BsonArray();
    conditions.add(new BsonDocument("$gte", new BsonArray(List.of(value, literal(low)))));
    String below =
        key.fields().size() == 1 && !high.getBsonType().equals(org.bson.BsonType.MAX_KEY)
            ? "$lt"
            : "$lte";
    conditions.add(new BsonDocument(below, new BsonArray(List.of(value, literal(high)))));
    return conditions;
  }

  private static BsonDocument literal(BsonValue value) {
    return new BsonDocument("$literal", value);
  }

  private static Division division(Move move) {
    return new Division(
        move.table().namespace(),
        move.database(),
        move.collection(),
        move.entry(),
        move.table().key(),
        move.table().isUnique());
  }

  private static EngineException hasDocuments(RoutingTable table) {
    return new EngineException(
        115,
        "moving a chunk of "
            + table.namespace()
            + " that has documents is not supported yet: divide the collection before it is"
            + " filled");
  }

  BsonDocument drop(Request request) throws InterruptedException {
    String collection = request.collection();
    CollectionCommands.refuseClustersOwn("drop", request.database());
    return asking.placed(
        request,
        collection,
        placement ->
            switch (placement) {
              case Placement.Nowhere() -> throw new EngineException(26, "ns not found");
              case Placement.Unsharded(var database) ->
                  asking
                      .write(
                          request,
                          database.primary(),
                          request.forwarded(Asking.stamp(database)),
                          List.of())
                      .reply();
              case Placement.Sharded(var database, var table) -> {
                dropSharded(request, database.name(), collection);
                yield Asking.ok(
                    request, new BsonDocument("ns", new BsonString(request.namespace())));
              }
            });
  }

  private void dropSharded(Request request, String database, String collection)
      throws InterruptedException {
    String namespace = database + "." + collection;
    try (Lease lease = Lease.acquire(parts.config(), parts.clock(), namespace, PATIENCE)) {
      parts.catalog().forget(database, collection);
      if (!(parts.catalog().placement(database, collection)
          instanceof Placement.Sharded(var entry, var table))) {
        return; // somebody else has dropped it
      }
      lease.confirm();
      BsonDocument id = new BsonDocument("_id", new BsonString(namespace));
      BsonDocument drop =
          new BsonDocument("drop", new BsonString(collection))
              .append("$db", new BsonString(database));
      parts.config().delete("collections", id);
      for (String shard : asking.shardIds()) {
        ignoringMissing(() -> asking.write(request, shard, drop, List.of()));
        parts.teller().unsharded(shard, namespace);
      }
      parts.config().delete("chunks", new BsonDocument("uuid", table.uuid()));
    } finally {
      parts.catalog().forget(database, collection);
    }
  }

  private static void ignoringMissing(Runnable drop) {
    try {
      drop.run();
    } catch (ReplyException error) {
      if (!CollectionCommands.isNotFound(error)) {
        throw error;
      }
    }
  }

  BsonDocument dropDatabase(Request request) throws InterruptedException {
    String name = request.database();
    if (Set.of("admin", "config", "local").contains(name)) {
      throw new EngineException(20, "Dropping the '" + name + "' database is prohibited.");
    }
    try (Lease lease = Lease.acquire(parts.config(), parts.clock(), name, PATIENCE)) {
      for (String namespace : parts.catalog().shardedCollections(name)) {
        dropSharded(request, name, namespace.substring(name.length() + 1));
      }
      lease.confirm();
      BsonDocument gone = parts.catalog().newVersion();
      for (String shard : asking.shardIds()) {
        // a router that still believes in the database is refused, and finds that there is none
        parts.teller().database(shard, name, gone);
        asking.write(request, shard, request.forwarded(new BsonDocument()), List.of());
      }
      parts.config().delete("databases", new BsonDocument("_id", new BsonString(name)));
    } finally {
      parts.catalog().forgetDatabase(name);
    }
    return Asking.ok(request, new BsonDocument("dropped", new BsonString(name)));
  }

  BsonDocument addShard(Request request) {
    request.requireOnly("addShard", "addshard", "name");
    String host = request.text("addShard");
    int slash = host.indexOf('/');
    if (slash <= 0) {
      throw new EngineException(
          96, "a shard is a replica set: addShard: 'set/host:port,…', was '" + host + "'");
    }
    String id = request.has("name") ? request.text("name") : host.substring(0, slash);
    if (id.equals(Shards.CONFIG)) {
      throw new EngineException(2, "a shard cannot be named " + Shards.CONFIG);
    }
    BsonDocument known = parts.config().findById("shards", new BsonString(id));
    if (known == null) {
      try (Cluster probe = parts.settings().connect(host)) {
        Shards.run(
            probe,
            id,
            io.fairlead.cluster.Operation.builder(
                    "admin", new BsonDocument("ping", new BsonInt32(1)))
                .readWish(
                    io.fairlead.topology.readpreference.ReadWish.none(
                        io.fairlead.topology.readpreference.OperationKind.WRITE))
                .timeout(Duration.ofSeconds(15))
                .build());
      }
      insertShard(id, host);
    } else if (!known.getString("host").getValue().equals(host)) {
      throw new EngineException(
          20, "there is a shard named " + id + " at " + known.getString("host").getValue());
    }
    parts.shards().refresh();
    return Asking.ok(request, new BsonDocument("shardAdded", new BsonString(id)));
  }

  private void insertShard(String id, String host) {
    BsonDocument shard =
        new BsonDocument("_id", new BsonString(id))
            .append("host", new BsonString(host))
            .append("state", new BsonInt32(1));
    try {
      parts.config().insert("shards", List.of(shard));
    } catch (EngineException error) {
      if (error.code() != 11000) { // another router was asked the same
        throw error;
      }
    }
  }

  BsonDocument listShards(Request request) {
    BsonArray shards = new BsonArray();
    parts.shards().refresh();
    for (Shards.Shard shard : parts.shards().all()) {
      shards.add(
          new BsonDocument("_id", new BsonString(shard.id()))
              .append("host", new BsonString(shard.host()))
              .append("state", new BsonInt32(1)));
    }
    return Asking.ok(request, new BsonDocument("shards", shards));
  }

  BsonDocument getShardMap(Request request) {
    BsonDocument map = new BsonDocument("config", new BsonString(parts.settings().configHosts()));
    BsonDocument hosts = new BsonDocument();
    for (Shards.Shard shard : parts.shards().all()) {
      map.append(shard.id(), new BsonString(shard.host()));
      for (String member : shard.host().substring(shard.host().indexOf('/') + 1).split(",", -1)) {
        hosts.append(member, new BsonString(shard.id()));
      }
    }
    return Asking.ok(request, new BsonDocument("map", map).append("hosts", hosts));
  }

  static BsonDocument balancerStatus(Request request) {
    return Asking.ok(
        request,
        new BsonDocument("mode", new BsonString("off"))
            .append("inBalancerRound", BsonBoolean.FALSE)
            .append("numBalancerRounds", new BsonInt64(0)));
  }

  BsonDocument flushRouterConfig(Request request) {
    parts.catalog().forgetAll();
    return Asking.ok(request, new BsonDocument("flushed", BsonBoolean.TRUE));
  }
}
