// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.router.catalog.DatabaseEntry;
import io.fairlead.router.catalog.Placement;
import io.fairlead.router.catalog.RoutingTable;
import io.fairlead.router.catalog.Targeting;
import io.fairlead.router.shard.ReplyException;
import io.fairlead.router.shard.Shards;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

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
              case Placement.Nowhere() -> {
                Matcher.compile(request.document("query"), request.context()); // for its errors
                yield Asking.ok(request, new BsonDocument("n", new BsonInt32(0)));
              }
              case Placement.Unsharded(var database) ->
                  unsharded(request, database, () -> countView(request));
              case Placement.Sharded(var database, var table) -> countSharded(request, table);
            });
  }

  /** What answers instead of a shard that has only a part of what a view reads. */
  @FunctionalInterface
  private interface OfView {
    BsonDocument reply() throws InterruptedException;
  }

  private BsonDocument unsharded(Request request, DatabaseEntry database, OfView otherwise)
      throws InterruptedException {
    try {
      return asking
          .read(request, database.primary(), request.forwarded(Asking.stamp(database)))
          .reply();
    } catch (ReplyException refused) {
      if (ResolvedView.isPartial(refused)) {
        return otherwise.reply();
      }
      throw refused;
    }
  }

  private DocumentCursor ofView(Request request, List<BsonDocument> behindFilter)
      throws InterruptedException {
    List<BsonDocument> stages = new ArrayList<>();
    stages.add(new BsonDocument("$match", request.document("query")));
    stages.addAll(behindFilter);
    return new RoutedPipeline(asking, request, request.context())
        .run(Namespace.of(request.database(), request.collection()), stages, new BsonDocument());
  }

  private BsonDocument countView(Request request) throws InterruptedException {
    List<BsonDocument> counting = new ArrayList<>();
    long skip = request.number("skip", 0);
    long limit = Math.abs(request.number("limit", 0));
    if (skip > 0) {
      counting.add(new BsonDocument("$skip", new BsonInt64(skip)));
    }
    if (limit > 0) {
      counting.add(new BsonDocument("$limit", new BsonInt64(limit)));
    }
    counting.add(new BsonDocument("$count", new BsonString("n")));
    try (DocumentCursor counted = ofView(request, counting)) {
      BsonDocument found = counted.next();
      return Asking.ok(
          request,
          new BsonDocument(
              "n", Request.number(found == null ? 0 : found.getNumber("n").longValue())));
    }
  }

  private BsonDocument distinctOfView(Request request) throws InterruptedException {
    FieldPath path = FieldPath.of(request.text("key"));
    TreeSet<BsonValue> values = new TreeSet<>(BsonOrder.SIMPLE::compare);
    try (DocumentCursor documents = ofView(request, List.of())) {
      for (RawBsonDocument next = documents.next(); next != null; next = documents.next()) {
        path.visit(
            next,
            false,
            (found, index) -> {
              BsonValue value = found.value();
              if (value instanceof BsonArray elements) {
                values.addAll(elements);
              } else if (value != null) {
                values.add(value);
              }
              return false;
            });
      }
    }
    return Asking.ok(request, new BsonDocument("values", new BsonArray(new ArrayList<>(values))));
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
        request,
        new BsonDocument("n", Request.number(limit > 0 ? Math.min(limit, counted) : counted)));
  }

  BsonDocument distinct(Request request) throws InterruptedException {
    return asking.placed(
        request,
        request.collection(),
        placement ->
            switch (placement) {
              case Placement.Nowhere() -> {
                Matcher.compile(request.document("query"), request.context()); // for its errors
                yield Asking.ok(request, new BsonDocument("values", new BsonArray()));
              }
              case Placement.Unsharded(var database) ->
                  unsharded(request, database, () -> distinctOfView(request));
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
    return Asking.ok(request, new BsonDocument("values", new BsonArray(new ArrayList<>(values))));
  }
}
