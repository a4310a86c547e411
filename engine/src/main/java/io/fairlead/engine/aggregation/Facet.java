// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.MemoryUse;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.RawBytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * {@code $facet}: several pipelines over the same input, each an array of one document. One
 * pipeline reads the input as it comes; several read it one after the other, so it is held until
 * the last. What is too much to be held is read anew by each of them, where that brings the same:
 * from the snapshot, with nothing of chance before.
 */
final class Facet extends Stage {
  private final Map<String, Pipeline> pipelines;

  private Facet(String name, BsonValue operand, Map<String, Pipeline> pipelines) {
    super(name, operand);
    this.pipelines = pipelines;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (!operand.isDocument() || operand.asDocument().isEmpty()) {
      throw new EngineException(40169, "the $facet specification must be a non-empty object");
    }
    Map<String, Pipeline> pipelines = new LinkedHashMap<>();
    for (Map.Entry<String, BsonValue> entry : operand.asDocument().entrySet()) {
      FieldPath.checkName(entry.getKey());
      if (!entry.getValue().isArray()) {
        throw new EngineException(
            40170,
            "arguments to $facet must be arrays, "
                + entry.getKey()
                + " is type "
                + BsonTypes.nameOf(entry.getValue()));
      }
      for (BsonValue stage : entry.getValue().asArray()) {
        if (!stage.isDocument()) {
          throw new EngineException(
              40171,
              "elements of arrays in $facet spec must be non-empty objects, "
                  + entry.getKey()
                  + " argument contained an element of type "
                  + BsonTypes.nameOf(stage));
        }
      }
      List<BsonDocument> stages = StageContext.stages(entry.getValue().asArray());
      for (BsonDocument stage : stages) {
        if (stage.containsKey("$facet") || stage.containsKey("$geoNear")) {
          throw new EngineException(
              40600, stage.getFirstKey() + " is not allowed to be used within a $facet stage");
        }
      }
      pipelines.put(
          entry.getKey(),
          context.nested("$facet", stages, context.operation(), context.target().collection()));
    }
    return new Facet(name, operand, pipelines);
  }

  /** Opens the input from its beginning; null when it cannot be read once more. */
  @FunctionalInterface
  interface Again {
    @Nullable DocumentCursor open();
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return run(input, () -> null, environment);
  }

  DocumentCursor run(DocumentCursor input, Again again, PipelineEnvironment environment) {
    return new DocumentCursor() {
      private boolean done;

      @Override
      public @Nullable RawBsonDocument next() {
        if (done) {
          return null;
        }
        done = true;
        Supplier<DocumentCursor> readings =
            pipelines.size() == 1 ? () -> input : readings(input, again);
        BsonDocument result = new BsonDocument();
        MemoryUse memory =
            new MemoryUse(4031700, "document constructed by $facet exceeds the limit");
        pipelines.forEach(
            (name, pipeline) ->
                result.put(name, drain(pipeline.run(readings.get(), environment), memory)));
        return DocumentWriter.write(result);
      }
    };
  }

  /** The input for each pipeline. */
  private static Supplier<DocumentCursor> readings(DocumentCursor input, Again again) {
    MemoryUse memory =
        new MemoryUse(
            ErrorCodes.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED,
            "$facet exceeds its memory limit for what its pipelines read");
    List<RawBsonDocument> all = new ArrayList<>();
    RawBsonDocument document;
    while ((document = input.next()) != null) {
      if (!memory.fits(RawBytes.length(document))) {
        DocumentCursor once = again.open();
        if (once != null) {
          once.close();
          return () -> Objects.requireNonNull(again.open());
        }
      }
      memory.add(RawBytes.length(document));
      all.add(document);
    }
    return () -> DocumentCursor.of(all);
  }

  private static BsonArray drain(DocumentCursor cursor, MemoryUse memory) {
    BsonArray documents = new BsonArray();
    try (cursor) {
      RawBsonDocument document;
      while ((document = cursor.next()) != null) {
        memory.add(RawBytes.length(document));
        documents.add(document);
      }
    }
    return documents;
  }
}
