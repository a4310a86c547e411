// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * What a pipeline may ask of the world around it: other collections to read ({@code $lookup},
 * {@code $unionWith}, {@code $graphLookup}), a place to write ({@code $out}, {@code $merge}), and
 * stages that need the server's state. A pipeline that needs nothing of it, as the merging half in
 * a router, gets {@link #NONE}.
 */
public interface PipelineEnvironment {
  PipelineEnvironment NONE = new PipelineEnvironment() {};

  /**
   * Documents of a collection that match a filter, in natural order; a collection that does not
   * exist is empty, a view is resolved. The environment may use an index.
   */
  default DocumentCursor find(String database, String collection, BsonDocument filter) {
    throw new EngineException(115, "this pipeline cannot read " + database + "." + collection);
  }

  /**
   * Runs a pipeline over a collection with the environment's own planning; by default {@link #find}
   * of everything, then the stages.
   */
  default DocumentCursor aggregate(String database, String collection, Pipeline pipeline) {
    return pipeline.run(find(database, collection, new BsonDocument()), this);
  }

  /**
   * {@code $out}: replaces the collection by these documents, at once and only if all could be
   * written.
   */
  default void replaceCollection(String database, String collection, DocumentCursor documents) {
    throw new EngineException(115, "$out cannot write here");
  }

  /** What {@code $merge} does with one document. */
  sealed interface MergeWrite {
    RawBsonDocument document();

    /** Insert; a duplicate key is an error (11000). */
    record Insert(RawBsonDocument document) implements MergeWrite {}

    /**
     * Update the one document that equals {@code filter}.
     *
     * @param update a replacement document, {@code {$set: …}}, or a pipeline as an array
     * @param let variables of a pipeline: {@code new}
     * @param upsert whether to insert when nothing matches
     * @param failUnmatched whether nothing matched is an error (13113)
     */
    record Modify(
        RawBsonDocument document,
        BsonDocument filter,
        BsonValue update,
        BsonDocument let,
        boolean upsert,
        boolean failUnmatched)
        implements MergeWrite {}
  }

  /** {@code $merge}: performs the writes in order. */
  default void merge(String database, String collection, List<MergeWrite> writes) {
    throw new EngineException(115, "$merge cannot write here");
  }

  /**
   * Whether finding documents by equality on this path is quick. Where it is not, {@code $lookup}
   * reads the collection once into a table of its own.
   */
  default boolean isIndexed(String database, String collection, String path) {
    return false;
  }

  /** Whether {@code on} fields of a {@code $merge} are covered by a unique index of the target. */
  default boolean hasUniqueIndex(String database, String collection, List<String> fields) {
    return fields.equals(List.of("_id"));
  }

  /**
   * A stage that needs the server ({@code $changeStream}, {@code $currentOp}, {@code $indexStats},
   * {@code $collStats}, {@code $listSessions}, {@code $planCacheStats} …), as the first of a
   * pipeline over {@code database.collection}.
   *
   * @throws EngineException 40324 when it is not supported here
   */
  default DocumentCursor serverStage(
      String name, BsonValue spec, String database, String collection) {
    throw new EngineException(40324, "Unrecognized pipeline stage name: '" + name + "'");
  }
}
