// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * What a stage is compiled with.
 *
 * @param within the stage whose sub-pipeline this is; empty at the top
 * @param depth how deep sub-pipelines are nested
 */
record StageContext(OperationContext operation, Pipeline.Target target, String within, int depth) {
  private static final int DEPTH_MAX = 20;

  /** Compiles a sub-pipeline of a stage. */
  Pipeline nested(
      String stage, List<BsonDocument> stages, OperationContext inner, String collection) {
    if (depth >= DEPTH_MAX) {
      throw new EngineException(
          ErrorCodes.MAX_SUB_PIPELINE_DEPTH_EXCEEDED,
          "Maximum number of nested sub-pipelines exceeded. Limit is " + DEPTH_MAX);
    }
    return Pipeline.compile(
        stages,
        new StageContext(
            inner, new Pipeline.Target(target.database(), collection), stage, depth + 1));
  }

  /** The documents of a pipeline array. */
  static List<BsonDocument> stages(BsonArray array) {
    List<BsonDocument> stages = new ArrayList<>(array.size());
    for (BsonValue stage : array) {
      if (!stage.isDocument()) {
        throw new EngineException(
            ErrorCodes.TYPE_MISMATCH, "Each element of the 'pipeline' array must be an object");
      }
      stages.add(stage.asDocument());
    }
    return stages;
  }
}
