// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.timeseries.Buckets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * {@code $_internalUnpackBucket}: the measurements of a time-series collection's buckets. It is in
 * the pipeline of every such collection, and of no other.
 */
final class UnpackBucket extends Stage {
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  private final String timeField;
  private final @Nullable String metaField;

  private UnpackBucket(
      String name, BsonValue operand, String timeField, @Nullable String metaField) {
    super(name, operand);
    this.timeField = timeField;
    this.metaField = metaField;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (!(operand instanceof BsonDocument options) || !options.isString("timeField")) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE, name + " needs an object with a 'timeField'");
    }
    String meta = options.isString("metaField") ? options.getString("metaField").getValue() : null;
    return new UnpackBucket(name, operand, options.getString("timeField").getValue(), meta);
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    Deque<BsonDocument> measurements = new ArrayDeque<>();
    return new DocumentCursor() {
      @Override
      public @Nullable RawBsonDocument next() {
        while (measurements.isEmpty()) {
          RawBsonDocument bucket = input.next();
          if (bucket == null) {
            return null;
          }
          measurements.addAll(Buckets.unpack(bucket, timeField, metaField));
        }
        return new RawBsonDocument(measurements.removeFirst(), CODEC);
      }
    };
  }
}
