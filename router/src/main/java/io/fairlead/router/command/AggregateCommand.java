// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.aggregation.PipelineEnvironment;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.LetVariables;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.engine.value.MetaUse;
import io.fairlead.router.catalog.DatabaseEntry;
import io.fairlead.router.catalog.Placement;
import io.fairlead.router.catalog.RoutingTable;
import io.fairlead.router.catalog.Targeting;
import io.fairlead.router.cursor.MergedCursor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * {@code aggregate}: passed whole to the one shard that has everything it reads, else cut in two,
 * the first half run on each shard and the second here, over what they send. Stages that reach into
 * other collections work where all of them are unsharded.
 */
final class AggregateCommand implements Command {

  private static final Set<String> REACHING =
      Set.of("$lookup", "$graphLookup", "$unionWith", "$out", "$merge");
  private static final int NOT_SUPPORTED = 115;

  private final Asking asking;

  AggregateCommand(Asking asking) {
    this.asking = asking;
  }

  @Override
  public BsonDocument run(Request request) throws InterruptedException {
    List<BsonDocument> stages = new ArrayList<>(request.documents("pipeline"));
    refuseChangeStream(stages);
    boolean ofDatabase = !(request.get("aggregate") instanceof BsonString);
    String collection = ofDatabase ? "$cmd.aggregate" : request.collection();
    requireUnsharded(request, foreign(stages));
    return asking.placed(
        request,
        collection,
        placement ->
            switch (placement) {
              case Placement.Nowhere() -> nowhere(request, collection, stages);
              case Placement.Unsharded(var database) ->
                  whole(request, stages, database.primary(), Asking.stamp(database));
              case Placement.Sharded(var database, var table) ->
                  sharded(request, stages, database, table);
            });
  }

  private static void refuseChangeStream(List<BsonDocument> stages) {
    if (!stages.isEmpty() && stages.getFirst().containsKey("$changeStream")) {
      throw new EngineException(
          NOT_SUPPORTED,
          "$changeStream through the router is not supported yet; open it on the shards");
    }
  }

  private static BsonDocument nowhere(
      Request request, String collection, List<BsonDocument> stages) {
    OperationContext context = context(request);
    Pipeline pipeline =
        Pipeline.compile(stages, new Pipeline.Target(request.database(), collection), context);
    pipeline.run(DocumentCursor.empty(), PipelineEnvironment.NONE).close(); // for its errors
    return Asking.emptyCursor(request, request.database() + "." + collection);
  }

  private BsonDocument whole(
      Request request, List<BsonDocument> stages, String shard, BsonDocument stamp) {
    boolean writes =
        !stages.isEmpty()
            && (stages.getLast().containsKey("$out") || stages.getLast().containsKey("$merge"));
    if (!writes) {
      return asking.cursorOn(request, shard, stamp);
    }
    return asking
        .write(request, shard, request.forwarded(stamp), request.message().sequences())
        .reply();
  }

  private BsonDocument sharded(
      Request request, List<BsonDocument> stages, DatabaseEntry database, RoutingTable table)
      throws InterruptedException {
    OperationContext context = context(request);
    Pipeline.Target target = new Pipeline.Target(database.name(), request.collection());
    Pipeline pipeline = Pipeline.compile(stages, target, context);
    Collection<String> shards =
        Targeting.shards(table, pipeline.leadingFilter(), request.isCollated(), context);
    boolean reaches = stages.stream().anyMatch(stage -> REACHING.contains(stage.getFirstKey()));
    if (reaches) {
      throw new EngineException(
          NOT_SUPPORTED,
          "stages that reach into other collections are not supported on a sharded collection yet: "
              + table.namespace());
    }
    if (shards.size() == 1) {
      String only = shards.iterator().next();
      return asking.cursorOn(request, only, Asking.stamp(table, only));
    }
    if (request.flag("explain")) {
      throw new EngineException(
          NOT_SUPPORTED, "explain of an aggregation over several shards is not supported yet");
    }
    return merged(request, stages, table, shards, target);
  }

  private BsonDocument merged(
      Request request,
      List<BsonDocument> stages,
      RoutingTable table,
      Collection<String> shards,
      Pipeline.Target target)
      throws InterruptedException {
    OperationContext context = context(request);
    request.requireSimpleCollation("an aggregation");
    refuseScores(stages);
    Pipeline.Split split = Pipeline.split(stages);
    Pipeline merging = Pipeline.compile(split.mergePart(), target, context);
    BsonDocument session = request.sessionIfNone();
    BsonArray shardPart = new BsonArray(split.shardPart());
    List<DocumentCursor> cursors =
        asking.cursorsOn(
            request,
            shards,
            0,
            session,
            shard -> commandFor(request, table, shard, session, shardPart));
    DocumentCursor merged =
        MergedCursor.of(cursors, SortPattern.parse(split.mergeSort()), context.order());
    DocumentCursor documents = merging.run(merged, PipelineEnvironment.NONE);
    BsonDocument options = request.document("cursor");
    long batchSize =
        options.get("batchSize") instanceof BsonNumber size
            ? size.longValue()
            : Asking.BATCH_DEFAULT;
    return asking.firstBatch(request, request.namespace(), documents, batchSize, false, 0);
  }

  /** A score is known to the shard alone: what needs it has to be done there. */
  private static void refuseScores(List<BsonDocument> stages) {
    Pipeline.Split split = Pipeline.split(stages);
    boolean sorts = MetaUse.of(split.mergeSort()).contains("textScore");
    boolean later =
        split.mergePart().stream().anyMatch(stage -> MetaUse.of(stage).contains("textScore"));
    if (sorts || later) {
      throw new EngineException(
          NOT_SUPPORTED,
          "{$meta: 'textScore'} behind what the shards do for themselves is not supported yet: put"
              + " the score into a field first");
    }
  }

  private static BsonDocument commandFor(
      Request request,
      RoutingTable table,
      String shard,
      BsonDocument session,
      BsonArray shardPart) {
    BsonDocument extra = Asking.stamp(table, shard);
    session.forEach(extra::append);
    extra
        .append("pipeline", shardPart)
        .append("cursor", new BsonDocument("batchSize", new BsonInt64(1000)));
    return request.forwarded(extra, "pipeline", "cursor");
  }

  /** Collections of the same database that stages reach into. */
  private static List<String> foreign(List<BsonDocument> stages) {
    List<String> names = new ArrayList<>();
    for (BsonDocument stage : stages) {
      if (stage.isEmpty()) {
        continue;
      }
      String name = stage.getFirstKey();
      if (REACHING.contains(name)) {
        String collection = collectionIn(stage.get(name));
        if (collection != null) {
          names.add(collection);
        }
      }
    }
    return names;
  }

  private static @Nullable String collectionIn(@Nullable BsonValue specification) {
    if (specification instanceof BsonString name) {
      return name.getValue();
    }
    if (specification instanceof BsonDocument document) {
      for (String field : List.of("from", "coll", "into")) {
        if (document.get(field) instanceof BsonString name) {
          return name.getValue();
        }
      }
    }
    return null;
  }

  private void requireUnsharded(Request request, List<String> collections) {
    for (String collection : collections) {
      if (asking.parts().catalog().placement(request.database(), collection)
          instanceof Placement.Sharded) {
        throw new EngineException(
            28769,
            request.database()
                + "."
                + collection
                + " cannot be sharded: stages that reach into a sharded collection are not"
                + " supported yet");
      }
    }
  }

  private static OperationContext context(Request request) {
    return LetVariables.bind(request.context(), request.document("let"));
  }
}
