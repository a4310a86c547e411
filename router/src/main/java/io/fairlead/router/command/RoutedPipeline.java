// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.aggregation.PipelineEnvironment;
import io.fairlead.engine.aggregation.Stage;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.LetVariables;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.engine.value.MetaUse;
import io.fairlead.router.catalog.Placement;
import io.fairlead.router.catalog.Targeting;
import io.fairlead.router.cursor.MergedCursor;
import io.fairlead.router.shard.ReplyException;
import java.util.Collection;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * A pipeline over collections wherever they are: its first half runs on the shards that have
 * documents of its collection, its second half here, over what they send. What stages here read of
 * other collections is such a pipeline again, so a collection is found, a view resolved and a
 * filter targeted in one and the same way.
 */
final class RoutedPipeline implements PipelineEnvironment {

  private static final int NOT_SUPPORTED = 115;
  private static final int VIEWS_MAX = 20;
  private static final BsonDocument NOTHING = new BsonDocument();

  private final Asking asking;
  private final Request request;
  private final OperationContext context;
  private final BsonDocument session;
  private final PipelineWrites writes;

  /**
   * @param context what the request's own stages are evaluated with
   */
  RoutedPipeline(Asking asking, Request request, OperationContext context) {
    this.asking = asking;
    this.request = request;
    this.context = context;
    this.session = request.sessionIfNone();
    this.writes = new PipelineWrites(asking, request);
  }

  /**
   * Runs the request's own stages.
   *
   * @param options fields that go with them to the shards: {@code hint}, {@code allowDiskUse}
   */
  DocumentCursor run(Namespace namespace, List<BsonDocument> stages, BsonDocument options)
      throws InterruptedException {
    request.requireSimpleCollation("an aggregation");
    return run(namespace, stages, context, options, 0);
  }

  private DocumentCursor run(
      Namespace namespace,
      List<BsonDocument> stages,
      OperationContext with,
      BsonDocument options,
      int viewsAbove)
      throws InterruptedException {
    Pipeline whole = compile(namespace, stages, with);
    if (whole.hasOwnSource()) {
      return whole.run(DocumentCursor.empty(), this);
    }
    return asking.placed(
        namespace,
        placement ->
            switch (placement) {
              case Placement.Nowhere() -> whole.run(DocumentCursor.empty(), this);
              case Placement.Unsharded(var database) -> {
                BsonDocument stamp = Asking.stamp(database);
                Scatter scatter = new Scatter(List.of(database.primary()), shard -> stamp);
                yield over(scatter, namespace, stages, with, options, viewsAbove);
              }
              case Placement.Sharded(var database, var table) -> {
                Collection<String> shards =
                    Targeting.shards(table, whole.leadingFilter(), false, with);
                Scatter scatter = new Scatter(shards, shard -> Asking.stamp(table, shard));
                yield over(scatter, namespace, stages, with, options, viewsAbove);
              }
            });
  }

  /** The shards to ask, and the versions by which they are. */
  private record Scatter(Collection<String> shards, Asking.CommandFor stamp) {}

  private DocumentCursor over(
      Scatter scatter,
      Namespace namespace,
      List<BsonDocument> stages,
      OperationContext with,
      BsonDocument options,
      int viewsAbove)
      throws InterruptedException {
    Pipeline.Split split = Pipeline.split(stages);
    refuseScores(split);
    Pipeline merging = compile(namespace, split.mergePart(), with);
    List<DocumentCursor> cursors;
    try {
      cursors =
          asking.cursorsOn(
              request,
              namespace.database(),
              scatter.shards(),
              0,
              session,
              shard ->
                  command(
                      namespace, split.shardPart(), with, options, scatter.stamp().shard(shard)));
    } catch (ReplyException refused) {
      ResolvedView view = ResolvedView.in(refused);
      if (view == null || viewsAbove >= VIEWS_MAX) {
        throw refused;
      }
      return run(view.source(), view.before(stages), with, options, viewsAbove + 1);
    }
    DocumentCursor merged =
        MergedCursor.of(cursors, SortPattern.parse(split.mergeSort()), with.order());
    boolean running = false;
    try {
      DocumentCursor documents = merging.run(merged, this);
      running = true;
      return documents;
    } finally {
      if (!running) {
        merged.close();
      }
    }
  }

  private static Pipeline compile(
      Namespace namespace, List<BsonDocument> stages, OperationContext with) {
    return Pipeline.compile(
        stages, new Pipeline.Target(namespace.database(), namespace.collection()), with);
  }

  private BsonDocument command(
      Namespace namespace,
      List<BsonDocument> stages,
      OperationContext with,
      BsonDocument options,
      BsonDocument stamp) {
    BsonDocument command =
        new BsonDocument("aggregate", new BsonString(namespace.collection()))
            .append("pipeline", new BsonArray(stages))
            .append("cursor", new BsonDocument("batchSize", new BsonInt64(1000)));
    options.forEach(command::append);
    if (!with.let().isEmpty()) {
      command.append("let", LetVariables.literals(with.let()));
    }
    stamp.forEach(command::append);
    request.generic().forEach(command::append);
    session.forEach(command::append);
    return command.append("$db", new BsonString(namespace.database()));
  }

  /** A score is known to the shard alone: what needs it has to be done there. */
  private static void refuseScores(Pipeline.Split split) {
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

  // What stages here ask of other collections.

  @Override
  public DocumentCursor find(String database, String collection, BsonDocument filter) {
    return nested(
        Namespace.of(database, collection),
        filter.isEmpty() ? List.of() : List.of(new BsonDocument("$match", filter)),
        context);
  }

  @Override
  public DocumentCursor aggregate(String database, String collection, Pipeline pipeline) {
    return nested(
        Namespace.of(database, collection),
        pipeline.stages().stream().map(Stage::spec).toList(),
        pipeline.context());
  }

  private DocumentCursor nested(
      Namespace namespace, List<BsonDocument> stages, OperationContext with) {
    return uninterrupted(() -> run(namespace, stages, with, NOTHING, 0));
  }

  /**
   * Only {@code _id} is sure to be quick without asking; for everything else a collection is read
   * once rather than once for every document.
   */
  @Override
  public boolean isIndexed(String database, String collection, String path) {
    return path.equals("_id");
  }

  @Override
  public void replaceCollection(String database, String collection, DocumentCursor documents) {
    uninterrupted(() -> writes.replace(Namespace.of(database, collection), documents));
  }

  @Override
  public void merge(String database, String collection, List<MergeWrite> merged) {
    uninterrupted(() -> writes.merge(Namespace.of(database, collection), merged));
  }

  @Override
  public boolean hasUniqueIndex(String database, String collection, List<String> fields) {
    return uninterrupted(() -> writes.hasUniqueIndex(Namespace.of(database, collection), fields));
  }

  @FunctionalInterface
  private interface Work<T> {
    T done() throws InterruptedException;
  }

  /** A pipeline knows no interrupts: there, one is the error of an interrupted operation. */
  private static <T> T uninterrupted(Work<T> work) {
    try {
      return work.done();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new EngineException(11601, "operation was interrupted");
    }
  }
}
