// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.LetVariables;
import io.fairlead.engine.projection.Projection;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.router.catalog.DatabaseEntry;
import io.fairlead.router.catalog.Placement;
import io.fairlead.router.catalog.RoutingTable;
import io.fairlead.router.catalog.Targeting;
import io.fairlead.router.cursor.MergedCursor;
import io.fairlead.router.shard.ReplyException;
import java.util.Collection;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;

/**
 * {@code find}: passed to the one shard that has the answer, else asked of several and merged. Then
 * each shard sorts and limits for itself, and what it sends is merged in the same order here, where
 * skip, limit and, as the sort needs whole documents, the projection are applied.
 */
final class FindCommand implements Command {

  private final Asking asking;

  FindCommand(Asking asking) {
    this.asking = asking;
  }

  @Override
  public BsonDocument run(Request request) throws InterruptedException {
    return asking.placed(
        request,
        request.collection(),
        placement ->
            switch (placement) {
              case Placement.Nowhere() -> ofNothing(request);
              case Placement.Unsharded(var database) -> unsharded(request, database);
              case Placement.Sharded(var database, var table) -> sharded(request, table);
            });
  }

  /** A find in a database that is not there: nothing, but for its own mistakes. */
  private static BsonDocument ofNothing(Request request) {
    OperationContext context = context(request);
    Matcher matcher = Matcher.compile(request.document("filter"), context);
    Projection.compile(request.document("projection"), matcher, context);
    SortPattern.parse(request.document("sort"));
    return Asking.emptyCursor(request, request.namespace());
  }

  private BsonDocument unsharded(Request request, DatabaseEntry database)
      throws InterruptedException {
    try {
      return asking.cursorOn(request, database.primary(), Asking.stamp(database));
    } catch (ReplyException refused) {
      if (ResolvedView.isPartial(refused)) {
        return ofView(request);
      }
      throw refused;
    }
  }

  /** A find on a view that reads more than its shard has, as a pipeline. */
  private BsonDocument ofView(Request request) throws InterruptedException {
    long limit = request.number("limit", 0);
    FindRequest find =
        new FindRequest(
            request.document("filter"),
            request.document("sort"),
            request.document("projection"),
            request.number("skip", 0),
            limit,
            null,
            null,
            null,
            request.get("min") instanceof BsonDocument min ? min : null,
            request.get("max") instanceof BsonDocument max ? max : null,
            request.flag("returnKey"),
            request.flag("showRecordId"));
    DocumentCursor documents =
        new RoutedPipeline(asking, request, context(request))
            .run(
                Namespace.of(request.database(), request.collection()),
                find.asStages(),
                new BsonDocument());
    return asking.firstBatch(
        request,
        request.namespace(),
        documents,
        request.number("batchSize", Asking.BATCH_DEFAULT),
        request.flag("singleBatch") || limit < 0,
        Math.abs(limit));
  }

  private BsonDocument sharded(Request request, RoutingTable table) throws InterruptedException {
    Collection<String> shards =
        Targeting.shards(table, request.document("filter"), request.isCollated(), context(request));
    if (shards.size() == 1) {
      String only = shards.iterator().next();
      return asking.cursorOn(request, only, Asking.stamp(table, only));
    }
    if (request.flag("tailable")) {
      throw new EngineException(
          2,
          "a tailable cursor needs a capped collection, and " + table.namespace() + " is sharded");
    }
    return merged(request, table, shards);
  }

  private BsonDocument merged(Request request, RoutingTable table, Collection<String> shards)
      throws InterruptedException {
    long skip = request.number("skip", 0);
    long limitGiven = request.number("limit", 0);
    long limit = Math.abs(limitGiven);
    long batchSize = request.number("batchSize", Asking.BATCH_DEFAULT);
    if (skip < 0 || batchSize < 0) {
      throw new EngineException(51024, "BSON field 'skip' and 'batchSize' must be >= 0");
    }
    OperationContext context = context(request);
    FindOrder order = new FindOrder(request, context);
    if (order.comparesFields()) {
      request.requireSimpleCollation("a sort");
    }
    BsonDocument session = request.sessionIfNone();
    List<DocumentCursor> cursors =
        asking.cursorsOn(
            request,
            request.database(),
            shards,
            batchSize > 0 ? (int) Math.min(batchSize, Integer.MAX_VALUE) : 0,
            session,
            shard ->
                commandFor(
                    request,
                    table,
                    shard,
                    session,
                    limit == 0 ? 0 : skip + limit,
                    order.shardProjection(),
                    batchSize));
    DocumentCursor documents = MergedCursor.limited(order.merge(cursors, context), skip, limit);
    if (order.projectsHere()) {
      Projection projection =
          Projection.compile(request.document("projection"), order.matcher(), context);
      documents = MergedCursor.mapped(documents, projection::apply);
    }
    boolean single = request.flag("singleBatch") || limitGiven < 0;
    return asking.firstBatch(request, request.namespace(), documents, batchSize, single, limit);
  }

  private static BsonDocument commandFor(
      Request request,
      RoutingTable table,
      String shard,
      BsonDocument session,
      long limit,
      @Nullable BsonDocument projection,
      long batchSize) {
    BsonDocument extra = Asking.stamp(table, shard);
    session.forEach(extra::append);
    if (limit > 0) {
      extra.append("limit", new BsonInt64(limit));
    }
    if (batchSize > 0) {
      extra.append("batchSize", new BsonInt64(batchSize));
    }
    String[] without = {"skip", "limit", "batchSize", "singleBatch"};
    if (projection != null) {
      without = new String[] {"skip", "limit", "batchSize", "singleBatch", "projection"};
      if (!projection.isEmpty()) {
        extra.append("projection", projection);
      }
    }
    return request.forwarded(extra, without);
  }

  private static OperationContext context(Request request) {
    return LetVariables.bind(request.context(), request.document("let"));
  }
}
