// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.error.EngineException;
import io.fairlead.router.catalog.DatabaseEntry;
import io.fairlead.router.catalog.Placement;
import io.fairlead.router.catalog.RoutingTable;
import io.fairlead.router.shard.ReplyException;
import io.fairlead.router.shard.Shards;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Collections and indexes: one shard's business where the collection is whole, told to all of its
 * shards where it is sharded.
 */
final class CollectionCommands {

  private static final int NAMESPACE_NOT_FOUND = 26;
  private static final int NAMESPACE_EXISTS = 48;
  private static final int CANNOT_CREATE_INDEX = 67;

  private final Asking asking;

  CollectionCommands(Asking asking) {
    this.asking = asking;
  }

  BsonDocument create(Request request) throws InterruptedException {
    return asking.placedWrite(
        request,
        request.collection(),
        placement ->
            switch (placement) {
              case Placement.Unsharded(var database) -> toPrimary(request, database);
              case Placement.Sharded(var database, var table) ->
                  throw new EngineException(
                      NAMESPACE_EXISTS, "Collection " + table.namespace() + " already exists.");
              case Placement.Nowhere() -> throw notFound(request);
            });
  }

  private BsonDocument toPrimary(Request request, DatabaseEntry database) {
    return asking
        .write(
            request,
            database.primary(),
            request.forwarded(Asking.stamp(database)),
            request.message().sequences())
        .reply();
  }

  private static EngineException notFound(Request request) {
    return new EngineException(NAMESPACE_NOT_FOUND, "ns not found: " + request.namespace());
  }

  /** createIndexes: on every shard that has chunks. */
  BsonDocument createIndexes(Request request) throws InterruptedException {
    return asking.placedWrite(
        request,
        request.collection(),
        placement ->
            switch (placement) {
              case Placement.Nowhere() -> throw notFound(request);
              case Placement.Unsharded(var database) -> toPrimary(request, database);
              case Placement.Sharded(var database, var table) -> {
                requireUniqueWithinShards(request, table);
                yield onAll(request, table);
              }
            });
  }

  /**
   * A shard sees only its own documents, so it can promise uniqueness only for keys that begin with
   * the shard key.
   */
  private static void requireUniqueWithinShards(Request request, RoutingTable table) {
    for (BsonDocument index : request.documents("indexes")) {
      boolean unique = index.get("unique") instanceof BsonBoolean flag && flag.getValue();
      List<String> key =
          index.get("key") instanceof BsonDocument pattern
              ? List.copyOf(pattern.keySet())
              : List.of();
      List<String> shardKey = table.key().fields();
      boolean prefixed =
          key.size() >= shardKey.size() && key.subList(0, shardKey.size()).equals(shardKey);
      if (unique && !prefixed) {
        throw new EngineException(
            CANNOT_CREATE_INDEX,
            "cannot create unique index over "
                + key
                + " with shard key pattern "
                + table.key().pattern().toJson());
      }
    }
  }

  /** dropIndexes and collMod: on every shard that has chunks. */
  BsonDocument onAllShards(Request request) throws InterruptedException {
    return asking.placed(
        request,
        request.collection(),
        placement ->
            switch (placement) {
              case Placement.Nowhere() -> throw notFound(request);
              case Placement.Unsharded(var database) -> toPrimary(request, database);
              case Placement.Sharded(var database, var table) -> onAll(request, table);
            });
  }

  private BsonDocument onAll(Request request, RoutingTable table) throws InterruptedException {
    Collection<String> shards = table.shards();
    List<BsonDocument> replies =
        Shards.scatter(
            shards,
            shard ->
                (BsonDocument)
                    asking
                        .write(
                            request,
                            shard,
                            request.forwarded(Asking.stamp(table, shard)),
                            request.message().sequences())
                        .reply());
    BsonDocument raw = new BsonDocument();
    int i = 0;
    for (String shard : shards) {
      raw.append(asking.parts().shards().shard(shard).host(), replies.get(i++));
    }
    BsonDocument reply = new BsonDocument();
    for (var field : replies.getFirst().entrySet()) {
      if (!field.getKey().equals("ok")
          && !field.getKey().startsWith("$")
          && !field.getKey().equals("operationTime")) {
        reply.append(field.getKey(), field.getValue());
      }
    }
    return Asking.ok(request, reply.append("raw", raw));
  }

  BsonDocument listIndexes(Request request) throws InterruptedException {
    return asking.placed(
        request,
        request.collection(),
        placement ->
            switch (placement) {
              case Placement.Nowhere() ->
                  throw new EngineException(
                      NAMESPACE_NOT_FOUND, "ns does not exist: " + request.namespace());
              case Placement.Unsharded(var database) ->
                  asking.cursorOn(request, database.primary(), Asking.stamp(database));
              case Placement.Sharded(var database, var table) -> {
                String any = table.shards().getFirst();
                yield asking.cursorOn(request, any, Asking.stamp(table, any));
              }
            });
  }

  /** A command about a whole database, which its primary shard answers: listCollections. */
  BsonDocument listCollections(Request request) throws InterruptedException {
    return asking.placed(
        request,
        "$cmd.listCollections",
        placement ->
            switch (placement) {
              case Placement.Nowhere() ->
                  Asking.emptyCursor(request, request.database() + ".$cmd.listCollections");
              case Placement.Unsharded(var database) ->
                  asking.cursorOn(request, database.primary(), databaseStamp(database));
              case Placement.Sharded(var database, var table) ->
                  throw new IllegalStateException("nothing is sharded under that name");
            });
  }

  private static BsonDocument databaseStamp(DatabaseEntry database) {
    return database.version().isEmpty()
        ? new BsonDocument()
        : new BsonDocument("databaseVersion", database.version());
  }

  /** collStats, dbStats, validate: numbers of several shards are added up, verdicts kept apart. */
  BsonDocument statistics(Request request) throws InterruptedException {
    boolean ofDatabase = !(request.get(request.name()) instanceof BsonString);
    return asking.placed(
        request,
        ofDatabase ? "$cmd" : request.collection(),
        placement ->
            switch (placement) {
              case Placement.Nowhere() when ofDatabase ->
                  Asking.ok(request, new BsonDocument("db", new BsonString(request.database())));
              case Placement.Nowhere() -> throw notFound(request);
              case Placement.Unsharded(var database)
                  when ofDatabase && !database.primary().equals(Shards.CONFIG) ->
                  ofShards(
                      request, asking.shardIds(), shard -> request.forwarded(new BsonDocument()));
              case Placement.Unsharded(var database) ->
                  asking
                      .read(
                          request,
                          database.primary(),
                          request.forwarded(
                              ofDatabase ? new BsonDocument() : Asking.stamp(database)))
                      .reply();
              case Placement.Sharded(var database, var table) ->
                  ofShards(
                      request,
                      table.shards(),
                      shard -> request.forwarded(Asking.stamp(table, shard)));
            });
  }

  private BsonDocument ofShards(
      Request request, Collection<String> shards, Asking.CommandFor command)
      throws InterruptedException {
    BsonDocument each = new BsonDocument();
    Iterator<BsonDocument> replies =
        Shards.scatter(
                shards,
                shard -> (BsonDocument) asking.read(request, shard, command.shard(shard)).reply())
            .iterator();
    shards.forEach(shard -> each.append(shard, replies.next()));
    return Asking.ok(
        request,
        switch (request.name()) {
          case "validate" -> verdict(each).append("raw", each);
          case "dbStats", "dbstats" -> sum(each).append("raw", each);
          default -> sum(each).append("shards", each);
        });
  }

  private static BsonDocument verdict(BsonDocument each) {
    boolean valid =
        each.values().stream().allMatch(reply -> reply.asDocument().getBoolean("valid").getValue());
    return new BsonDocument("valid", BsonBoolean.valueOf(valid));
  }

  private static BsonDocument sum(BsonDocument each) {
    BsonDocument sum = new BsonDocument();
    for (BsonValue reply : each.values()) {
      reply.asDocument().forEach((name, value) -> addUp(sum, name, value));
    }
    sum.remove("$clusterTime");
    sum.remove("operationTime");
    sum.remove("ok");
    return sum;
  }

  private static void addUp(BsonDocument sum, String name, BsonValue value) {
    BsonValue before = sum.get(name);
    boolean isLike =
        name.equals("nindexes") || name.equals("scaleFactor") || name.equals("avgObjSize");
    if (before == null || !value.isNumber() || !before.isNumber() || isLike) {
      sum.putIfAbsent(name, value);
    } else if (value.isDouble() || before.isDouble()) {
      sum.put(
          name,
          new org.bson.BsonDouble(
              before.asNumber().doubleValue() + value.asNumber().doubleValue()));
    } else {
      long total = before.asNumber().longValue() + value.asNumber().longValue();
      sum.put(name, Request.number(total));
    }
  }

  /**
   * What the cluster is described by must not go away under all routers.
   *
   * @throws EngineException 20 for a collection of {@code config} or {@code admin}
   */
  static void refuseClustersOwn(String verb, String database) {
    if (database.equals("config") || database.equals("admin")) {
      throw new EngineException(
          20, "Cannot " + verb + " collection in '" + database + "' database in sharded cluster");
    }
  }

  /** renameCollection: within one database, neither name sharded. */
  BsonDocument rename(Request request) throws InterruptedException {
    String from = request.text("renameCollection");
    String to = request.text("to");
    String database = from.substring(0, Math.max(0, from.indexOf('.')));
    refuseClustersOwn("rename", database);
    if (database.isEmpty() || !to.startsWith(database + ".")) {
      throw new EngineException(
          115,
          "renaming "
              + from
              + " to "
              + to
              + " is not supported through the router: both must be in one database");
    }
    DatabaseEntry entry = asking.parts().catalog().database(database);
    if (entry == null) {
      throw new EngineException(
          NAMESPACE_NOT_FOUND, "Source collection " + from + " does not exist");
    }
    for (String name : List.of(from, to)) {
      if (asking.parts().catalog().placement(database, name.substring(database.length() + 1))
          instanceof Placement.Sharded) {
        throw new EngineException(
            115, "renaming the sharded collection " + name + " is not supported yet");
      }
    }
    return asking
        .write(request, entry.primary(), request.forwarded(databaseStampOnly()), List.of())
        .reply();
  }

  /** renameCollection runs on admin, whose version says nothing. */
  private static BsonDocument databaseStampOnly() {
    return new BsonDocument();
  }

  static boolean isNotFound(ReplyException error) {
    return error.code() == NAMESPACE_NOT_FOUND;
  }
}
