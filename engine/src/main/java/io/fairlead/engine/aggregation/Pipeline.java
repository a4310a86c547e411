// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext;
import java.util.List;
import org.bson.BsonDocument;

/** A compiled pipeline. Immutable; may be run many times. */
@SuppressWarnings("DoNotCallSuggester") // bodies follow their signatures
public final class Pipeline {
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

  private Pipeline() {}

  /**
   * Compiles stages.
   *
   * @throws io.fairlead.engine.error.EngineException 40324 for an unknown stage, 40323 for a stage
   *     without exactly one field, and the stages' own
   */
  public static Pipeline compile(
      List<BsonDocument> stages, Target target, OperationContext context) {
    throw new UnsupportedOperationException();
  }

  public List<Stage> stages() {
    throw new UnsupportedOperationException();
  }

  /** Runs over an input. Closing the result closes the input. */
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    throw new UnsupportedOperationException();
  }

  /**
   * The filter of the leading {@code $match} stages, joined by {@code $and}; empty when there is
   * none.
   */
  public BsonDocument leadingFilter() {
    throw new UnsupportedOperationException();
  }

  /** The pipeline without its first {@code count} stages. */
  public Pipeline without(int count) {
    throw new UnsupportedOperationException();
  }

  /** Whether the last stage is {@code $out} or {@code $merge}. */
  public boolean writes() {
    throw new UnsupportedOperationException();
  }

  /** Splits stages for a scattered aggregation. Pure; says nothing about which shards. */
  public static Split split(List<BsonDocument> stages) {
    throw new UnsupportedOperationException();
  }
}
