// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.COMMAND_NOT_SUPPORTED_ON_VIEW;
import static io.fairlead.engine.error.ErrorCodes.NAMESPACE_NOT_FOUND;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.aggregation.ForeignCollections;
import io.fairlead.engine.aggregation.GeoNear;
import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.catalog.CollectionInfo;
import io.fairlead.engine.catalog.CollectionStatistics;
import io.fairlead.engine.catalog.DatabaseInfo;
import io.fairlead.engine.catalog.IndexAccesses;
import io.fairlead.engine.catalog.IndexCheck;
import io.fairlead.engine.catalog.NamespaceRules;
import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.collection.CollectionRules;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexChecks;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.ExplainVerbosity;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.read.Query;
import io.fairlead.engine.read.Reads;
import io.fairlead.engine.timeseries.Buckets;
import io.fairlead.engine.timeseries.TimeSeriesOptions;
import io.fairlead.engine.value.BsonOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** A root, read. */
final class StoreSnapshot implements Snapshot {
  private final Root root;

  StoreSnapshot(Root root) {
    this.root = root;
  }

  Root root() {
    return root;
  }

  @Override
  public long version() {
    return root.version();
  }

  @Override
  public List<DatabaseInfo> databases() {
    List<DatabaseInfo> databases = new ArrayList<>();
    for (CollectionState state : root.collectionsOf(null)) {
      String name = state.namespace().database();
      DatabaseInfo last = databases.isEmpty() ? null : databases.getLast();
      if (last != null && last.name().equals(name)) {
        databases.removeLast();
        databases.add(
            new DatabaseInfo(
                name, last.collections() + 1, last.sizeBytes() + state.documentBytes()));
      } else {
        databases.add(new DatabaseInfo(name, 1, state.documentBytes()));
      }
    }
    return databases;
  }

  @Override
  public List<CollectionInfo> collections(String database) {
    return root.collectionsOf(database).stream().map(CollectionState::info).toList();
  }

  @Override
  public Optional<CollectionInfo> collection(Namespace namespace) {
    return Optional.ofNullable(root.collection(namespace)).map(CollectionState::info);
  }

  @Override
  public Optional<CollectionInfo> collection(UUID uuid) {
    return root.collectionsOf(null).stream()
        .filter(state -> state.uuid().equals(uuid))
        .findFirst()
        .map(CollectionState::info);
  }

  @Override
  public List<BsonDocument> indexes(Namespace namespace) {
    CollectionState shown = state(namespace);
    TimeSeriesOptions timeSeries =
        shown != null && shown.isView() ? shown.rules().timeSeries() : null;
    if (timeSeries != null) {
      return TimeSeriesCatalog.shownIndexes(indexes(Buckets.of(namespace)), timeSeries);
    }
    CollectionState state = existing(namespace);
    List<BsonDocument> indexes = new ArrayList<>();
    if (state.options().declared().get("clusteredIndex") instanceof BsonDocument clustered) {
      indexes.add(clustered.clone().append("clustered", BsonBoolean.TRUE));
    }
    state.indexes().forEach(index -> indexes.add(index.definition().declared()));
    return indexes;
  }

  @Override
  public List<IndexAccesses> indexAccesses(Namespace namespace) {
    CollectionState state = state(namespace);
    if (state == null) {
      return List.of();
    }
    TimeSeriesOptions timeSeries = state.rules().timeSeries();
    if (state.isView() && timeSeries != null) {
      return indexAccesses(Buckets.of(namespace)).stream()
          .map(
              accesses ->
                  new IndexAccesses(
                      TimeSeriesCatalog.shownIndexes(List.of(accesses.index()), timeSeries)
                          .getFirst(),
                      accesses.operations(),
                      accesses.since()))
          .toList();
    }
    return notView(state).indexes().stream()
        .map(
            index ->
                new IndexAccesses(
                    index.definition().declared(), index.use().operations(), index.use().since()))
        .toList();
  }

  @Override
  public List<Namespace> expiring() {
    return root.collectionsOf(null).stream()
        .filter(
            state ->
                (state.rules().expireAfterSeconds().isPresent() && !state.isView())
                    || state.indexes().stream()
                        .anyMatch(index -> index.definition().expireAfterSeconds().isPresent()))
        .map(CollectionState::namespace)
        .toList();
  }

  @Override
  public Set<Namespace> reads(Namespace namespace, List<BsonDocument> pipeline) {
    Set<Namespace> read = new LinkedHashSet<>();
    Deque<Namespace> left = new ArrayDeque<>();
    pipeline.forEach(
        stage ->
            ForeignCollections.readBy(stage)
                .forEach(name -> left.add(Namespace.of(namespace.database(), name))));
    addReads(namespace, left);
    while (!left.isEmpty()) {
      Namespace next = left.removeFirst();
      if (read.add(next)) {
        addReads(next, left);
      }
    }
    return read;
  }

  private void addReads(Namespace namespace, Deque<Namespace> to) {
    CollectionState state = root.collection(namespace);
    CollectionRules.View view = state == null ? null : state.rules().view();
    if (view != null) {
      ViewGraph.references(view).forEach(name -> to.add(Namespace.of(namespace.database(), name)));
    }
  }

  @Override
  public DocumentCursor find(Namespace namespace, FindRequest request, OperationContext operation) {
    CollectionState state = state(namespace);
    return state != null && state.isView()
        ? Views.find(this, state, request, operation)
        : Reads.find(state, request, operation);
  }

  @Override
  public @Nullable RawBsonDocument findById(Namespace namespace, BsonValue id) {
    CollectionState state = state(namespace);
    byte[] document = state == null || state.isView() ? null : state.documentOfId(id);
    return document == null ? null : new RawBsonDocument(document);
  }

  @Override
  public long count(Namespace namespace, FindRequest request, OperationContext operation) {
    CollectionState state = state(namespace);
    return state != null && state.isView()
        ? Views.count(this, state, request, operation)
        : Reads.count(state, request, operation);
  }

  @Override
  public long size(Namespace namespace) {
    CollectionState state = state(namespace);
    return state == null ? 0 : state.records().size();
  }

  @Override
  public List<BsonValue> distinct(
      Namespace namespace, String path, FindRequest request, OperationContext operation) {
    CollectionState state = state(namespace);
    if (state != null && state.isView()) {
      BsonOrder order = Views.order(state, request.collation());
      return Reads.distinct(Views.find(this, state, request, operation), path, order);
    }
    return Reads.distinct(state, path, request, operation);
  }

  @Override
  public DocumentCursor aggregate(
      Namespace namespace, AggregateRequest request, OperationContext outer) {
    CollectionState state = namespace.collection().isEmpty() ? null : state(namespace);
    if (state != null && state.isView()) {
      return Views.aggregate(this, state, request, outer);
    }
    OperationContext operation = Query.context(outer, request.let(), request.collation(), state);
    LeadingStages leading =
        LeadingStages.of(
            request.pipeline(), namespace, operation, near -> GeoFields.of(near, state));
    Counted counted = leading.counted();
    if (counted != null && state != null) {
      DocumentCursor count =
          counted.run(
              () -> {
                operation.interrupt().check();
                return Reads.count(state, leading.find(request.hint(), operation), operation);
              });
      return leading.rest().without(1).run(count, new SnapshotEnvironment(this, operation));
    }
    DocumentCursor input =
        namespace.collection().isEmpty()
            ? DocumentCursor.empty()
            : find(namespace, leading.find(request.hint(), operation), operation);
    return leading.rest().run(input, new SnapshotEnvironment(this, operation));
  }

  @Override
  public BsonDocument explain(
      Namespace namespace,
      FindRequest request,
      ExplainVerbosity verbosity,
      OperationContext outer) {
    return new Explains(this, namespace, verbosity).find(request, outer);
  }

  @Override
  public BsonDocument explainDistinct(
      Namespace namespace,
      String path,
      FindRequest request,
      ExplainVerbosity verbosity,
      OperationContext outer) {
    return new Explains(this, namespace, verbosity).distinct(path, request, outer);
  }

  @Override
  public BsonDocument explainCount(
      Namespace namespace,
      FindRequest request,
      ExplainVerbosity verbosity,
      OperationContext outer) {
    return new Explains(this, namespace, verbosity).count(request, outer);
  }

  @Override
  public BsonDocument explain(
      Namespace namespace,
      AggregateRequest request,
      ExplainVerbosity verbosity,
      OperationContext outer) {
    return new Explains(this, namespace, verbosity).aggregate(request, outer);
  }

  @Override
  public List<IndexCheck> checkIndexes(Namespace namespace, OperationContext operation) {
    CollectionState named = state(namespace);
    if (named != null && named.isView() && named.rules().timeSeries() != null) {
      return checkIndexes(Buckets.of(namespace), operation);
    }
    CollectionState state = existing(namespace);
    List<IndexCheck> checks = new ArrayList<>();
    for (IndexState index : state.indexes()) {
      operation.interrupt().check();
      checks.add(IndexChecks.of(state, index));
    }
    return List.copyOf(checks);
  }

  @Override
  public CollectionStatistics statistics(Namespace namespace) {
    CollectionState state = state(namespace);
    if (state == null) {
      return new CollectionStatistics(0, 0, Map.of());
    }
    if (state.isView() && state.rules().timeSeries() != null) {
      return statistics(Buckets.of(namespace));
    }
    notView(state);
    Map<String, Long> indexBytes = new LinkedHashMap<>();
    state.indexes().forEach(index -> indexBytes.put(index.definition().name(), index.keyBytes()));
    return new CollectionStatistics(state.records().size(), state.documentBytes(), indexBytes);
  }

  /** Runs a compiled pipeline over a collection, with its leading filter planned. */
  DocumentCursor aggregate(Namespace namespace, Pipeline pipeline, OperationContext operation) {
    GeoNear near =
        !pipeline.stages().isEmpty() && pipeline.stages().getFirst() instanceof GeoNear first
            ? first
            : null;
    BsonDocument filter =
        near == null ? pipeline.leadingFilter() : near.filter(GeoFields.of(near, state(namespace)));
    DocumentCursor input =
        find(
            namespace,
            FindRequest.matching(filter)
                .withCollation(Collation.specOf(pipeline.context().order())),
            pipeline.context());
    return pipeline.run(input, new SnapshotEnvironment(this, operation));
  }

  @Nullable CollectionState state(Namespace namespace) {
    CollectionState state = root.collection(namespace);
    if (state == null) {
      NamespaceRules.check(namespace);
      if (SystemViews.is(namespace)) {
        return SystemViews.of(root, namespace);
      }
    }
    return state;
  }

  private CollectionState existing(Namespace namespace) {
    CollectionState state = state(namespace);
    if (state == null) {
      throw new EngineException(NAMESPACE_NOT_FOUND, "ns does not exist: " + namespace);
    }
    return notView(state);
  }

  private static CollectionState notView(CollectionState state) {
    if (state.isView()) {
      throw new EngineException(
          COMMAND_NOT_SUPPORTED_ON_VIEW,
          "Namespace " + state.namespace() + " is a view, not a collection");
    }
    return state;
  }
}
