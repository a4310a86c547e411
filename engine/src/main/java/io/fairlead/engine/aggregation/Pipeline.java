// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.Chance;
import io.fairlead.engine.value.MetaUse;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** A compiled pipeline. Immutable; may be run many times. */
public final class Pipeline {
  private static final int STAGES_MAX = 1000;

  /** Where a pipeline runs; {@code collection} is empty for a database-level aggregate. */
  public record Target(String database, String collection) {}

  /**
   * A pipeline in two halves, for a scattered aggregation.
   *
   * @param shardPart runs on every shard
   * @param mergePart runs where the shards' outputs come together
   * @param mergeSort when not empty, each shard's output is sorted so, and they are to be merged in
   *     that order
   */
  public record Split(
      List<BsonDocument> shardPart, List<BsonDocument> mergePart, BsonDocument mergeSort) {}

  private final List<Stage> stages;
  private final OperationContext context;

  private Pipeline(List<Stage> stages, OperationContext context) {
    this.stages = List.copyOf(stages);
    this.context = context;
  }

  /**
   * Compiles stages.
   *
   * @throws EngineException 40324 for an unknown stage, 40323 for a stage without exactly one
   *     field, and the stages' own
   */
  public static Pipeline compile(
      List<BsonDocument> stages, Target target, OperationContext context) {
    return compile(stages, new StageContext(context, target, "", 0));
  }

  static Pipeline compile(List<BsonDocument> specs, StageContext context) {
    if (specs.size() > STAGES_MAX) {
      throw new EngineException(
          7749501, "Pipeline length must be no longer than " + STAGES_MAX + " stages");
    }
    List<Stage> stages = new ArrayList<>(specs.size());
    for (BsonDocument spec : specs) {
      stages.add(stage(spec, context));
    }
    check(stages, context);
    return new Pipeline(stages, context.operation());
  }

  private static Stage stage(BsonDocument spec, StageContext context) {
    if (spec.size() != 1) {
      throw new EngineException(
          40323, "A pipeline stage specification object must contain exactly one field.");
    }
    String name = spec.getFirstKey();
    Stages.Factory factory = Stages.find(name);
    if (factory == null) {
      throw new EngineException(40324, "Unrecognized pipeline stage name: '" + name + "'");
    }
    return factory.parse(name, java.util.Objects.requireNonNull(spec.get(name)), context);
  }

  private static void check(List<Stage> stages, StageContext context) {
    checkMetadata(stages);
    for (int i = 0; i < stages.size(); i++) {
      Stage stage = stages.get(i);
      if (stage.writes() && !context.within().isEmpty()) {
        throw context.within().equals("$facet")
            ? new EngineException(
                40600, stage.name() + " is not allowed to be used within a $facet stage")
            : new EngineException(
                context.within().equals("$unionWith") ? 31441 : 51047,
                stage.name() + " is not allowed within a " + context.within() + "'s sub-pipeline");
      }
      if (stage.writes() && i != stages.size() - 1) {
        throw new EngineException(
            40601, stage.name() + " can only be the final stage in the pipeline");
      }
      if (stage.isSource() && context.within().equals("$facet")) {
        throw new EngineException(
            40600, stage.name() + " is not allowed to be used within a $facet stage");
      }
      if (stage.isFirstOnly() && context.within().equals("$facet")) {
        throw new EngineException(
            40600, stage.name() + " is not allowed to be used within a $facet stage");
      }
      if (stage.isFirstOnly() && i != 0) {
        throw new EngineException(
            40603, stage.name() + " is only valid as the first stage in a pipeline");
      }
      if ((i != 0 || context.within().equals("$facet"))
          && stage instanceof Match match
          && match.searchesText()) {
        throw new EngineException(
            17313, "$match with $text is only allowed as the first pipeline stage");
      }
      if (stage.isSource() && i != 0) {
        throw new EngineException(
            40602, stage.name() + " is only valid as the first stage in a pipeline");
      }
    }
  }

  /** Refuses {@code $meta} of what the first stage does not give. */
  private static void checkMetadata(List<Stage> stages) {
    Stage first = stages.isEmpty() ? null : stages.getFirst();
    boolean text = first instanceof Match match && match.searchesText();
    boolean near = first instanceof GeoNear;
    boolean sorted = false;
    for (Stage stage : stages) {
      sorted |= stage instanceof Sort;
      switch (stage.name()) {
        case "$project", "$addFields", "$set", "$sort", "$replaceRoot", "$replaceWith", "$group" ->
            MetaUse.check(stage.spec(), text, near, false, sorted);
        default -> {}
      }
    }
  }

  /**
   * What it was compiled with: its filters compile in no other, as they may use the variables of a
   * {@code $lookup}.
   */
  public OperationContext context() {
    return context;
  }

  public List<Stage> stages() {
    return stages;
  }

  /**
   * Whether the first stage says which index is read ({@code $geoNear}, a {@code $match} with
   * {@code $text}): it cannot run over documents that were found in another way.
   */
  boolean choosesIndex() {
    return !stages.isEmpty()
        && (stages.getFirst() instanceof GeoNear
            || (stages.getFirst() instanceof Match match && match.searchesText()));
  }

  /**
   * Whether the first stage makes the documents itself ({@code $documents}, {@code $collStats} …):
   * no input is read.
   */
  public boolean hasOwnSource() {
    return !stages.isEmpty() && stages.getFirst().isSource();
  }

  /** The error for a sub-pipeline with documents of its own where a collection is named as well. */
  static EngineException sourceOfItsOwn(String stage, String collection) {
    return new EngineException(
        ErrorCodes.INVALID_NAMESPACE,
        "a pipeline within "
            + stage
            + " that begins with $documents must not have '"
            + collection
            + "'");
  }

  /** Runs over an input. Closing the result closes the input. */
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    List<DocumentCursor> opened = new ArrayList<>(stages.size() + 1);
    opened.add(input);
    for (int i = 0; i < stages.size(); i++) {
      DocumentCursor previous = opened.getLast();
      int before = i;
      opened.add(
          switch (stages.get(i)) {
            case Sort sort -> sort.run(previous, sortLimit(i + 1), showsSortKey(i + 1));
            case Facet facet ->
                facet.run(previous, () -> again(input, before, environment), environment);
            case Stage stage -> stage.run(previous, environment);
          });
    }
    DocumentCursor last = opened.getLast();
    return new DocumentCursor() {
      @Override
      public @Nullable RawBsonDocument next() {
        return last.next();
      }

      @Override
      public void close() {
        opened.reversed().forEach(DocumentCursor::close);
      }
    };
  }

  /** What comes out of the first {@code count} stages once more; null when it cannot be had. */
  private @Nullable DocumentCursor again(
      DocumentCursor input, int count, PipelineEnvironment environment) {
    List<Stage> before = stages.subList(0, count);
    if (showsSortKey() || before.stream().anyMatch(stage -> Chance.isIn(stage.spec()))) {
      return null;
    }
    DocumentCursor fresh = input.again();
    return fresh == null ? null : new Pipeline(before, context).run(fresh, environment);
  }

  /**
   * How many sorted documents the {@code $skip} and {@code $limit} from stage {@code from} on let
   * through.
   */
  private long sortLimit(int from) {
    long skipped = 0;
    for (int i = from; i < stages.size(); i++) {
      if (stages.get(i) instanceof Skip skip) {
        skipped = Math.min(Long.MAX_VALUE / 2, skipped + skip.count());
      } else {
        return stages.get(i) instanceof Limit limit && limit.count() < Long.MAX_VALUE / 2
            ? skipped + limit.count()
            : Long.MAX_VALUE;
      }
    }
    return Long.MAX_VALUE;
  }

  /** Whether a stage from {@code from} on asks for the values by which documents were sorted. */
  private boolean showsSortKey(int from) {
    return stages.subList(from, stages.size()).stream()
        .anyMatch(stage -> MetaUse.of(stage.spec()).contains("sortKey"));
  }

  /** Whether a stage asks for the values by which documents were sorted. */
  public boolean showsSortKey() {
    return showsSortKey(0);
  }

  /**
   * The filter of the leading {@code $match} stages, joined by {@code $and}; empty when there is
   * none.
   */
  public BsonDocument leadingFilter() {
    List<BsonDocument> filters = new ArrayList<>();
    for (Stage stage : stages) {
      if (!(stage instanceof Match match)) {
        break;
      }
      filters.add(match.filter());
    }
    if (filters.size() == 1) {
      return filters.getFirst();
    }
    return filters.isEmpty()
        ? new BsonDocument()
        : new BsonDocument("$and", new BsonArray(filters));
  }

  /**
   * How many {@code $match} stages stand at the front: those that {@link #leadingFilter()} joins.
   */
  public int leadingMatches() {
    int count = 0;
    while (count < stages.size() && stages.get(count) instanceof Match) {
      count++;
    }
    return count;
  }

  /** The pipeline without its first {@code count} stages. */
  public Pipeline without(int count) {
    return new Pipeline(stages.subList(count, stages.size()), context);
  }

  /** Whether the last stage is {@code $out} or {@code $merge}. */
  public boolean writes() {
    return !stages.isEmpty() && stages.getLast().writes();
  }

  /** Splits stages for a scattered aggregation. Pure; says nothing about which shards. */
  public static Split split(List<BsonDocument> stages) {
    return Splitter.split(stages);
  }

  static EngineException failedToParse(String message) {
    return new EngineException(ErrorCodes.FAILED_TO_PARSE, message);
  }
}
