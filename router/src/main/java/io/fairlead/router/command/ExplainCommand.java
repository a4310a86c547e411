// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.aggregation.ForeignCollections;
import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.LetVariables;
import io.fairlead.router.catalog.Placement;
import io.fairlead.router.catalog.RoutingTable;
import io.fairlead.router.catalog.Targeting;
import io.fairlead.router.shard.Shards;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * {@code explain}: one shard's answer passed on where the collection is whole; else which shards
 * are asked, how what they send comes together, and what each of them would do.
 */
final class ExplainCommand implements Command {

  private static final int NAMESPACE_NOT_FOUND = 26;
  private static final Set<String> WRITES =
      Set.of("update", "delete", "findAndModify", "findandmodify");
  private static final List<String> COUNTED =
      List.of("nReturned", "totalKeysExamined", "totalDocsExamined");

  private final Asking asking;

  ExplainCommand(Asking asking) {
    this.asking = asking;
  }

  @Override
  public BsonDocument run(Request request) throws InterruptedException {
    if (!(request.get("explain") instanceof BsonDocument inner)
        || inner.isEmpty()
        || !(inner.get(inner.getFirstKey()) instanceof BsonString of)) {
      throw new EngineException(9, "explain needs a command on a collection");
    }
    BsonValue verbosity = request.get("verbosity");
    Namespace namespace = Namespace.of(request.database(), of.getValue());
    return asking.placed(
        namespace,
        placement ->
            switch (placement) {
              case Placement.Nowhere() ->
                  throw new EngineException(
                      NAMESPACE_NOT_FOUND,
                      "the database " + request.database() + " does not exist");
              case Placement.Unsharded(var database) ->
                  asking
                      .read(request, database.primary(), request.forwarded(Asking.stamp(database)))
                      .reply();
              case Placement.Sharded(var database, var table) ->
                  inner.getFirstKey().equals("aggregate")
                      ? aggregation(
                          request, namespace, stages(inner), context(request, inner), verbosity)
                      : overShards(request, inner, table);
            });
  }

  private static List<BsonDocument> stages(BsonDocument aggregate) {
    List<BsonDocument> stages = new ArrayList<>();
    for (BsonValue stage : aggregate.getArray("pipeline", new BsonArray())) {
      stages.add(stage.asDocument());
    }
    return stages;
  }

  private BsonDocument overShards(Request request, BsonDocument inner, RoutingTable table)
      throws InterruptedException {
    Collection<String> shards =
        Targeting.shards(table, filter(inner), isCollated(inner), context(request, inner));
    List<BsonDocument> replies =
        Shards.scatter(
            shards,
            shard ->
                (BsonDocument)
                    asking
                        .read(request, shard, request.forwarded(Asking.stamp(table, shard)))
                        .reply());
    BsonString stage = new BsonString(stageOf(inner, shards));
    BsonDocument reply =
        new BsonDocument(
            "queryPlanner",
            new BsonDocument(
                "winningPlan",
                new BsonDocument("stage", stage)
                    .append("shards", each(shards, replies, "queryPlanner"))));
    if (replies.getFirst().containsKey("executionStats")) {
      BsonDocument totals = totals(replies);
      BsonDocument stages = new BsonDocument("stage", stage);
      totals.forEach(stages::append);
      stages.append("shards", each(shards, replies, "executionStats"));
      reply.append("executionStats", totals.append("executionStages", stages));
    }
    return Asking.ok(request, reply.append("command", inner));
  }

  private static String stageOf(BsonDocument inner, Collection<String> shards) {
    if (WRITES.contains(inner.getFirstKey())) {
      return "SHARD_WRITE";
    }
    if (shards.size() == 1) {
      return "SINGLE_SHARD";
    }
    boolean sorted = inner.get("sort") instanceof BsonDocument sort && !sort.isEmpty();
    return sorted ? "SHARD_MERGE_SORT" : "SHARD_MERGE";
  }

  private BsonArray each(Collection<String> shards, List<BsonDocument> replies, String section) {
    BsonArray all = new BsonArray();
    int i = 0;
    for (String shard : shards) {
      BsonDocument one =
          new BsonDocument("shardName", new BsonString(shard))
              .append(
                  "connectionString", new BsonString(asking.parts().shards().shard(shard).host()));
      replies.get(i++).getDocument(section, new BsonDocument()).forEach(one::append);
      all.add(one);
    }
    return all;
  }

  private static BsonDocument totals(List<BsonDocument> replies) {
    BsonDocument totals = new BsonDocument();
    for (String counted : COUNTED) {
      long sum = 0;
      for (BsonDocument reply : replies) {
        sum += reply.getDocument("executionStats").getNumber(counted, new BsonInt64(0)).longValue();
      }
      totals.append(counted, Request.number(sum));
    }
    return totals;
  }

  private static BsonDocument filter(BsonDocument inner) {
    BsonDocument holder = inner;
    for (String batch : List.of("updates", "deletes")) {
      if (inner.get(batch) instanceof BsonArray statements && !statements.isEmpty()) {
        holder = statements.getFirst().asDocument();
      }
    }
    for (String field : List.of("filter", "query", "q")) {
      if (holder.get(field) instanceof BsonDocument filter) {
        return filter;
      }
    }
    return new BsonDocument();
  }

  private static boolean isCollated(BsonDocument inner) {
    return inner.get("collation") instanceof BsonDocument collation
        && !new BsonString("simple").equals(collation.get("locale"));
  }

  private static OperationContext context(Request request, BsonDocument inner) {
    return LetVariables.bind(
        request.context(), inner.get("let") instanceof BsonDocument let ? let : new BsonDocument());
  }

  /**
   * A pipeline that is cut in two: both halves, and what each shard does for the first; or the one
   * shard that does all of it.
   */
  BsonDocument aggregation(
      Request request,
      Namespace namespace,
      List<BsonDocument> stages,
      OperationContext context,
      @Nullable BsonValue verbosity)
      throws InterruptedException {
    Pipeline pipeline =
        Pipeline.compile(
            stages, new Pipeline.Target(namespace.database(), namespace.collection()), context);
    boolean reaches =
        pipeline.writes()
            || stages.stream().anyMatch(stage -> !ForeignCollections.readBy(stage).isEmpty());
    Pipeline.Split split = Pipeline.split(stages);
    return asking.placed(
        namespace,
        placement ->
            switch (placement) {
              case Placement.Nowhere() ->
                  throw new EngineException(
                      NAMESPACE_NOT_FOUND,
                      "the database " + namespace.database() + " does not exist");
              case Placement.Unsharded(var database) ->
                  halves(request, namespace, split, List.of(database.primary()), verbosity);
              case Placement.Sharded(var database, var table) -> {
                Collection<String> shards =
                    Targeting.shards(table, pipeline.leadingFilter(), false, context);
                boolean whole = shards.size() == 1 && !reaches;
                yield whole
                    ? onShards(request, namespace, stages, shards, verbosity)
                    : halves(request, namespace, split, shards, verbosity);
              }
            });
  }

  private BsonDocument halves(
      Request request,
      Namespace namespace,
      Pipeline.Split split,
      Collection<String> shards,
      @Nullable BsonValue verbosity)
      throws InterruptedException {
    BsonDocument reply =
        new BsonDocument("mergeType", new BsonString("mongos"))
            .append(
                "splitPipeline",
                new BsonDocument("shardsPart", new BsonArray(split.shardPart()))
                    .append("mergerPart", new BsonArray(split.mergePart())));
    onShards(request, namespace, split.shardPart(), shards, verbosity).forEach(reply::append);
    return reply;
  }

  private BsonDocument onShards(
      Request request,
      Namespace namespace,
      List<BsonDocument> stages,
      Collection<String> shards,
      @Nullable BsonValue verbosity)
      throws InterruptedException {
    BsonDocument command =
        new BsonDocument(
                "explain",
                new BsonDocument("aggregate", new BsonString(namespace.collection()))
                    .append("pipeline", new BsonArray(stages))
                    .append("cursor", new BsonDocument()))
            .append("$db", new BsonString(namespace.database()));
    if (verbosity != null) {
      command.append("verbosity", verbosity);
    }
    List<BsonDocument> replies =
        Shards.scatter(
            shards, shard -> (BsonDocument) asking.read(request, shard, command).reply());
    BsonDocument each = new BsonDocument();
    int i = 0;
    for (String shard : shards) {
      BsonDocument own =
          new BsonDocument("host", new BsonString(asking.parts().shards().shard(shard).host()));
      replies.get(i++).forEach(own::append);
      each.append(shard, own);
    }
    return Asking.ok(request, new BsonDocument("shards", each));
  }
}
