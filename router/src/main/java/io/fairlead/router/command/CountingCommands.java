// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.value.BsonOrder;
import io.fairlead.router.catalog.Placement;
import io.fairlead.router.catalog.RoutingTable;
import io.fairlead.router.catalog.Targeting;
import io.fairlead.router.shard.Shards;
import java.util.Collection;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonValue;

/**
 * {@code count} and {@code distinct}: one shard's answer passed on, or the sum and the union of
 * several.
 */
final class CountingCommands {

  private final Asking asking;

  CountingCommands(Asking asking) {
    this.asking = asking;
  }

  BsonDocument count(Request request) throws InterruptedException {
    return asking.placed(
        request,
        request.collection(),
        placement ->
            switch (placement) {
              case Placement.Nowhere() ->
                  Asking.ok(request, new BsonDocument("n", new BsonInt32(0)));
              case Placement.Unsharded(var database) ->
                  asking
                      .read(request, database.primary(), request.forwarded(Asking.stamp(database)))
                      .reply();
              case Placement.Sharded(var database, var table) -> countSharded(request, table);
            });
  }

  private BsonDocument countSharded(Request request, RoutingTable table)
      throws InterruptedException {
    Collection<String> shards =
        Targeting.shards(table, request.document("query"), request.isCollated(), request.context());
    long skip = request.number("skip", 0);
    long limit = Math.abs(request.number("limit", 0));
    long sum = 0;
    for (BsonDocument reply :
        Shards.scatter(
            shards,
            shard -> {
              BsonDocument extra = Asking.stamp(table, shard);
              if (limit > 0) {
                extra.append("limit", new BsonInt64(skip + limit));
              }
              return (BsonDocument)
                  asking.read(request, shard, request.forwarded(extra, "skip", "limit")).reply();
            })) {
      sum += reply.getNumber("n").longValue();
    }
    long counted = Math.max(0, sum - skip);
    return Asking.ok(
        request, new BsonDocument("n", number(limit > 0 ? Math.min(limit, counted) : counted)));
  }

  private static BsonNumber number(long value) {
    return value == (int) value ? new BsonInt32((int) value) : new BsonInt64(value);
  }

  BsonDocument distinct(Request request) throws InterruptedException {
    return asking.placed(
        request,
        request.collection(),
        placement ->
            switch (placement) {
              case Placement.Nowhere() ->
                  Asking.ok(request, new BsonDocument("values", new BsonArray()));
              case Placement.Unsharded(var database) ->
                  asking
                      .read(request, database.primary(), request.forwarded(Asking.stamp(database)))
                      .reply();
              case Placement.Sharded(var database, var table) -> distinctSharded(request, table);
            });
  }

  private BsonDocument distinctSharded(Request request, RoutingTable table)
      throws InterruptedException {
    request.requireSimpleCollation("distinct");
    Collection<String> shards =
        Targeting.shards(table, request.document("query"), request.isCollated(), request.context());
    TreeSet<BsonValue> values = new TreeSet<>(BsonOrder.SIMPLE::compare);
    for (BsonDocument reply :
        Shards.scatter(
            shards,
            shard ->
                (BsonDocument)
                    asking
                        .read(request, shard, request.forwarded(Asking.stamp(table, shard)))
                        .reply())) {
      values.addAll(reply.getArray("values"));
    }
    return Asking.ok(
        request, new BsonDocument("values", new BsonArray(new java.util.ArrayList<>(values))));
  }
}
