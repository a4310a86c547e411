// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.cursor;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One aggregation, as the command has it.
 *
 * @param pipeline the stages
 * @param hint index for the leading stages, or null
 * @param collation null for the collection's own
 * @param let variables, or null
 */
public record AggregateRequest(
    List<BsonDocument> pipeline,
    @Nullable BsonValue hint,
    @Nullable BsonDocument collation,
    @Nullable BsonDocument let) {
  public AggregateRequest {
    pipeline = List.copyOf(pipeline);
  }

  public static AggregateRequest of(List<BsonDocument> pipeline) {
    return new AggregateRequest(pipeline, null, null, null);
  }
}
