// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.aggregation.ForeignCollections;
import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.aggregation.PipelineEnvironment;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.LetVariables;
import io.fairlead.router.catalog.DatabaseEntry;
import io.fairlead.router.catalog.Placement;
import io.fairlead.router.catalog.RoutingTable;
import io.fairlead.router.catalog.Targeting;
import io.fairlead.router.shard.ReplyException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * {@code aggregate}: passed whole to the one shard that has everything it reads and writes, else a
 * {@link RoutedPipeline}.
 */
final class AggregateCommand implements Command {

  private static final int NOT_SUPPORTED = 115;

  private final Asking asking;

  AggregateCommand(Asking asking) {
    this.asking = asking;
  }

  @Override
  public BsonDocument run(Request request) throws InterruptedException {
    List<BsonDocument> stages = new ArrayList<>(request.documents("pipeline"));
    refuseChangeStream(stages);
    SearchCommands.refuse(stages);
    boolean ofDatabase = !(request.get("aggregate") instanceof BsonString);
    Namespace namespace =
        Namespace.of(request.database(), ofDatabase ? "$cmd.aggregate" : request.collection());
    OperationContext context = LetVariables.bind(request.context(), request.document("let"));
    BsonDocument whole =
        asking.placed(
            namespace,
            placement ->
                switch (placement) {
                  case Placement.Nowhere() -> nowhere(request, namespace, stages, context);
                  case Placement.Unsharded(var database) ->
                      isWholeOn(database, stages) ? unsharded(request, stages, database) : null;
                  case Placement.Sharded(var database, var table) ->
                      onItsOnlyShard(request, namespace, stages, table, context);
                });
    return whole == null ? routed(request, namespace, stages, context) : whole;
  }

  private static void refuseChangeStream(List<BsonDocument> stages) {
    if (!stages.isEmpty() && stages.getFirst().containsKey("$changeStream")) {
      throw new EngineException(
          NOT_SUPPORTED,
          "$changeStream through the router is not supported yet; open it on the shards");
    }
  }

  private static @Nullable BsonDocument nowhere(
      Request request, Namespace namespace, List<BsonDocument> stages, OperationContext context) {
    Pipeline pipeline =
        Pipeline.compile(
            stages, new Pipeline.Target(namespace.database(), namespace.collection()), context);
    if (pipeline.writes() || reaches(stages)) {
      return null;
    }
    pipeline.run(DocumentCursor.empty(), PipelineEnvironment.NONE).close(); // for its errors
    return Asking.emptyCursor(request, namespace.toString());
  }

  /** Whether the primary shard of a database has everything that stages on it read and write. */
  private boolean isWholeOn(DatabaseEntry database, List<BsonDocument> stages) {
    for (BsonDocument stage : stages) {
      for (String read : ForeignCollections.readBy(stage)) {
        if (isSharded(database.name(), read)) {
          return false;
        }
      }
    }
    Namespace target = target(database.name(), stages);
    return target == null
        || (target.database().equals(database.name())
            && !isSharded(target.database(), target.collection()));
  }

  private boolean isSharded(String database, String collection) {
    return asking.parts().catalog().placement(database, collection) instanceof Placement.Sharded;
  }

  private static boolean reaches(List<BsonDocument> stages) {
    return stages.stream().anyMatch(stage -> !ForeignCollections.readBy(stage).isEmpty());
  }

  /** Where {@code $out} or {@code $merge} writes; null when the last stage is neither. */
  private static @Nullable Namespace target(String database, List<BsonDocument> stages) {
    if (stages.isEmpty()) {
      return null;
    }
    BsonDocument last = stages.getLast();
    BsonValue out = last.get("$out");
    BsonValue into =
        last.get("$merge") instanceof BsonDocument merge ? merge.get("into") : last.get("$merge");
    BsonValue target = out == null ? into : out;
    if (target instanceof BsonString name) {
      return Namespace.of(database, name.getValue());
    }
    return target instanceof BsonDocument named
            && named.get("coll") instanceof BsonString collection
        ? Namespace.of(
            named.getString("db", new BsonString(database)).getValue(), collection.getValue())
        : null;
  }

  /**
   * @return null when the shard has only a part of what a view or a stage reads
   */
  private @Nullable BsonDocument unsharded(
      Request request, List<BsonDocument> stages, DatabaseEntry database) {
    BsonDocument stamp = Asking.stamp(database);
    try {
      if (target(database.name(), stages) == null) {
        return asking.cursorOn(request, database.primary(), stamp);
      }
      return asking
          .write(
              request, database.primary(), request.forwarded(stamp), request.message().sequences())
          .reply();
    } catch (ReplyException refused) {
      if (ResolvedView.isPartial(refused)) {
        return null;
      }
      throw refused;
    }
  }

  /**
   * @return null when more than one shard has to do with it
   */
  private @Nullable BsonDocument onItsOnlyShard(
      Request request,
      Namespace namespace,
      List<BsonDocument> stages,
      RoutingTable table,
      OperationContext context) {
    Pipeline pipeline =
        Pipeline.compile(
            stages, new Pipeline.Target(namespace.database(), namespace.collection()), context);
    Collection<String> shards =
        Targeting.shards(table, pipeline.leadingFilter(), request.isCollated(), context);
    if (shards.size() != 1 || reaches(stages) || pipeline.writes()) {
      return null;
    }
    String only = shards.iterator().next();
    return asking.cursorOn(request, only, Asking.stamp(table, only));
  }

  private BsonDocument routed(
      Request request, Namespace namespace, List<BsonDocument> stages, OperationContext context)
      throws InterruptedException {
    if (request.flag("explain")) {
      return new ExplainCommand(asking)
          .aggregation(request, namespace, stages, context, new BsonString("queryPlanner"));
    }
    BsonDocument options = new BsonDocument();
    for (String option : List.of("hint", "allowDiskUse")) {
      BsonValue given = request.get(option);
      if (given != null) {
        options.append(option, given);
      }
    }
    DocumentCursor documents =
        new RoutedPipeline(asking, request, context).run(namespace, stages, options);
    if (target(namespace.database(), stages) != null) {
      try (documents) {
        if (documents.next() != null) {
          throw new IllegalStateException("a pipeline that writes gives no documents");
        }
      }
      return Asking.emptyCursor(request, namespace.toString());
    }
    BsonDocument cursor = request.document("cursor");
    long batchSize =
        cursor.get("batchSize") instanceof BsonNumber size
            ? size.longValue()
            : Asking.BATCH_DEFAULT;
    return asking.firstBatch(request, namespace.toString(), documents, batchSize, false, 0);
  }
}
