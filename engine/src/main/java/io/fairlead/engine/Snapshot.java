// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine;

import io.fairlead.engine.catalog.CollectionInfo;
import io.fairlead.engine.catalog.DatabaseInfo;
import io.fairlead.engine.catalog.IndexAccesses;
import io.fairlead.engine.catalog.IndexCheck;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.ExplainVerbosity;
import io.fairlead.engine.cursor.FindRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One state of all databases, for ever. Immutable and free of locks; it costs memory only for what
 * later commits replaced, until it is no longer referenced.
 *
 * <p>A collection that does not exist reads as an empty one. A request's own {@code let} and {@code
 * collation} add to those of the {@link OperationContext}.
 */
public interface Snapshot {
  /**
   * Grows with every commit of the engine; of a transaction's own view, the version it began on.
   */
  long version();

  /** Databases with at least one collection, by name. */
  List<DatabaseInfo> databases();

  /** The collections and views of a database, by name. */
  List<CollectionInfo> collections(String database);

  Optional<CollectionInfo> collection(Namespace namespace);

  /** The collection with that UUID, whatever it is called now. */
  Optional<CollectionInfo> collection(java.util.UUID uuid);

  /**
   * The indexes as listIndexes reports them: {@code {v, key, name, …}}.
   *
   * @throws io.fairlead.engine.error.EngineException 26 NamespaceNotFound
   */
  List<BsonDocument> indexes(Namespace namespace);

  /**
   * How often the indexes of a collection have been used; empty when there is no such collection.
   *
   * @throws io.fairlead.engine.error.EngineException 166 for a view
   */
  List<IndexAccesses> indexAccesses(Namespace namespace);

  /** The collections that have an index by which documents expire, by name. */
  List<Namespace> expiring();

  /**
   * Which collections a pipeline reads besides the one it runs on, and which that one reads when it
   * is a view: through views and the stages of views, down to collections. Names of views are among
   * them.
   */
  Set<Namespace> reads(Namespace namespace, List<BsonDocument> pipeline);

  /** Finds documents; the cursor pulls lazily where the plan allows. */
  DocumentCursor find(Namespace namespace, FindRequest request, OperationContext operation);

  /** The document with that {@code _id}, by the fastest way there is, or null. */
  @Nullable RawBsonDocument findById(Namespace namespace, BsonValue id);

  /** How many documents find would return (projection and sort do not matter). */
  long count(Namespace namespace, FindRequest request, OperationContext operation);

  /** The number of documents in the collection, in constant time. */
  long size(Namespace namespace);

  /** The distinct values at a path over matching documents; elements of arrays count one by one. */
  List<BsonValue> distinct(
      Namespace namespace, String path, FindRequest request, OperationContext operation);

  /** Runs a pipeline that only reads; {@code $out} and {@code $merge} are the caller's. */
  DocumentCursor aggregate(
      Namespace namespace, AggregateRequest request, OperationContext operation);

  /**
   * The {@code queryPlanner} and, when asked, {@code executionStats} sections of explain for a
   * find.
   */
  BsonDocument explain(
      Namespace namespace,
      FindRequest request,
      ExplainVerbosity verbosity,
      OperationContext operation);

  /** As {@link #explain}, of {@link #distinct}. */
  BsonDocument explainDistinct(
      Namespace namespace,
      String path,
      FindRequest request,
      ExplainVerbosity verbosity,
      OperationContext operation);

  /**
   * As {@link #explain(Namespace, FindRequest, ExplainVerbosity, OperationContext)}, for a count.
   */
  BsonDocument explainCount(
      Namespace namespace,
      FindRequest request,
      ExplainVerbosity verbosity,
      OperationContext operation);

  /**
   * As {@link #explain(Namespace, FindRequest, ExplainVerbosity, OperationContext)}, for a
   * pipeline.
   */
  BsonDocument explain(
      Namespace namespace,
      AggregateRequest request,
      ExplainVerbosity verbosity,
      OperationContext operation);

  /**
   * Compares each index of a collection with the keys of its documents; takes as long as building
   * them all.
   *
   * @throws io.fairlead.engine.error.EngineException 26 when there is no such collection, 166 for a
   *     view
   */
  List<IndexCheck> checkIndexes(Namespace namespace, OperationContext operation);

  /** collStats' figures of a collection. */
  io.fairlead.engine.catalog.CollectionStatistics statistics(Namespace namespace);
}
