// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.error.EngineException;
import io.fairlead.router.catalog.Lease;
import io.fairlead.router.catalog.Placement;
import io.fairlead.router.shard.ReplyException;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * {@code drop} and {@code dropDatabase}. What is sharded goes from the config set first: from then
 * on no router finds it, and what a cut-short drop leaves on a shard is nobody's.
 */
final class DropCommands {

  private final Asking asking;
  private final Parts parts;

  DropCommands(Asking asking) {
    this.asking = asking;
    this.parts = asking.parts();
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
    try (Lease lease = asking.lease(namespace)) {
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
    try (Lease lease = asking.lease(name)) {
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
}
