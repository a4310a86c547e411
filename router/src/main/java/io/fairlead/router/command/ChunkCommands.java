// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.router.catalog.Chunk;
import io.fairlead.router.catalog.Lease;
import io.fairlead.router.catalog.Placement;
import io.fairlead.router.catalog.RoutingTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * {@code split} and {@code moveChunk}. Made under a lease: the shards are told the new version
 * first, so that no router goes on by the old one; then the config set is changed.
 */
final class ChunkCommands {

  private final Asking asking;
  private final Parts parts;

  ChunkCommands(Asking asking) {
    this.asking = asking;
    this.parts = asking.parts();
  }

  /** A change of a collection's chunks, by what the config set says now. */
  @FunctionalInterface
  private interface Change {
    void make(RoutingTable table, Lease lease);
  }

  private BsonDocument change(Request request, Namespace namespace, Change change)
      throws InterruptedException {
    try (Lease lease = asking.lease(namespace.toString())) {
      parts.catalog().forget(namespace.database(), namespace.collection());
      if (!(parts.catalog().placement(namespace.database(), namespace.collection())
          instanceof Placement.Sharded(var database, var table))) {
        throw new EngineException(118, "Expected " + namespace + " to be sharded");
      }
      change.make(table, lease);
    } finally {
      parts.catalog().forget(namespace.database(), namespace.collection());
    }
    return Asking.ok(request, new BsonDocument());
  }

  /**
   * split, at {@code middle}. The new chunk is written before the old one is cut, and a chunk ends
   * where the next begins, so no reader ever sees a gap.
   */
  BsonDocument split(Request request) throws InterruptedException {
    request.requireOnly("split", "middle", "find", "bounds");
    if (!request.has("middle")) {
      throw new EngineException(115, "split without 'middle' is not supported yet");
    }
    return change(
        request,
        Namespace.parse(request.text("split")),
        (table, lease) -> splitAt(request.document("middle"), table, lease));
  }

  private void splitAt(BsonDocument point, RoutingTable table, Lease lease) {
    BsonValue[] middle = table.key().bound(point);
    int index = table.indexOf(middle);
    Chunk old = table.chunks().get(index);
    if (BsonOrder.SIMPLE.equal(table.key().document(old.min()), table.key().document(middle))) {
      throw new EngineException(2, "a chunk already begins at " + point.toJson());
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
    RoutingTable next = table.withChunks(chunks);
    parts.teller().collection(old.shard(), next);
    lease.confirm();
    parts.config().insert("chunks", List.of(next.chunkDocument(next.indexOf(middle))));
    update(old, new BsonDocument("max", table.key().document(middle)).append("lastmod", forLeft));
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
    String to = parts.shards().shard(request.text("to")).id();
    return change(
        request,
        Namespace.parse(request.text("moveChunk")),
        (table, lease) -> {
          int index = chunkNamed(request, table);
          if (!table.chunks().get(index).shard().equals(to)) {
            move(request, table, index, to, lease);
          }
        });
  }

  private static int chunkNamed(Request request, RoutingTable table) {
    if (request.get("find") instanceof BsonDocument find) {
      return table.indexOf(table.key().of(find));
    }
    if (request.get("bounds") instanceof BsonArray bounds && !bounds.isEmpty()) {
      return table.indexOf(table.key().bound(bounds.get(0).asDocument()));
    }
    throw new EngineException(72, "need to specify either 'find' or 'bounds'");
  }

  private void move(Request request, RoutingTable table, int index, String to, Lease lease) {
    Namespace namespace = Namespace.parse(table.namespace());
    String from = table.chunks().get(index).shard();
    RoutingTable next = moved(table, index, to);
    boolean committed = false;
    parts.teller().collection(from, next);
    try {
      if (!new CollectionOnShard(asking, request, namespace, from).isEmpty(next, index)) {
        throw new EngineException(
            115,
            "moving a chunk of "
                + namespace
                + " that has documents is not supported yet: divide the collection before it is"
                + " filled");
      }
      new CollectionOnShard(asking, request, namespace, to).prepare(table.key(), table.isUnique());
      parts.teller().collection(to, next);
      lease.confirm();
      commitMove(table, next);
      committed = true;
    } finally {
      if (!committed) {
        parts.teller().collection(from, table);
        parts.teller().collection(to, table);
      }
    }
  }

  private static RoutingTable moved(RoutingTable table, int index, String to) {
    Chunk chunk = table.chunks().get(index);
    int major = table.version().getTime() + 1;
    List<Chunk> chunks = new ArrayList<>(table.chunks());
    chunks.set(index, new Chunk(chunk.id(), chunk.min(), to, new BsonTimestamp(major, 0)));
    // the giving shard's version changes with every move, whether or not it keeps another chunk
    for (int i = 0; i < chunks.size(); i++) {
      Chunk kept = chunks.get(i);
      if (kept.shard().equals(chunk.shard())) {
        chunks.set(i, new Chunk(kept.id(), kept.min(), kept.shard(), new BsonTimestamp(major, 1)));
        break;
      }
    }
    return table.withChunks(chunks);
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
    changed.sort(Comparator.comparingInt(chunk -> chunk.version().getInc()));
    for (Chunk chunk : changed) {
      update(
          chunk,
          new BsonDocument("shard", new BsonString(chunk.shard()))
              .append("lastmod", chunk.version()));
    }
  }

  private void update(Chunk chunk, BsonDocument fields) {
    parts
        .config()
        .update(
            "chunks", new BsonDocument("_id", chunk.id()), new BsonDocument("$set", fields), false);
  }
}
