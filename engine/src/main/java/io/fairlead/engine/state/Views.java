// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.OPTION_NOT_SUPPORTED_ON_VIEW;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.collection.CollectionRules;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.timeseries.BucketFilter;
import io.fairlead.engine.timeseries.MetaNames;
import io.fairlead.engine.timeseries.TimeSeriesOptions;
import io.fairlead.engine.value.BsonOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** Reads of a view: its pipeline on what it is a view of, and the request behind that. */
final class Views {
  private Views() {}

  static DocumentCursor find(
      StoreSnapshot snapshot,
      CollectionState view,
      FindRequest request,
      OperationContext operation) {
    return aggregate(snapshot, view, asPipeline(request, List.of()), operation);
  }

  static long count(
      StoreSnapshot snapshot,
      CollectionState view,
      FindRequest request,
      OperationContext operation) {
    AggregateRequest counting =
        asPipeline(
            request.withProjection(new BsonDocument()),
            List.of(new BsonDocument("$count", new BsonString("count"))));
    try (DocumentCursor cursor = aggregate(snapshot, view, counting, operation)) {
      RawBsonDocument counted = cursor.next();
      return counted == null ? 0 : counted.getNumber("count").longValue();
    }
  }

  static DocumentCursor aggregate(
      StoreSnapshot snapshot,
      CollectionState view,
      AggregateRequest request,
      OperationContext operation) {
    return snapshot.aggregate(source(snapshot, view), behind(snapshot, view, request), operation);
  }

  /**
   * How values compare in a read of a view.
   *
   * @throws EngineException 167 when the read asks for another collation than the view's
   */
  static BsonOrder order(CollectionState view, @Nullable BsonDocument collation) {
    if (collation != null
        && !collation.isEmpty()
        && !Objects.equals(Collation.of(collation), view.rules().collation())) {
      throw new EngineException(
          OPTION_NOT_SUPPORTED_ON_VIEW,
          "Cannot override a view's default collation: " + view.namespace());
    }
    return view.rules().order();
  }

  /** A find as a pipeline, and stages behind it. */
  static AggregateRequest asPipeline(FindRequest request, List<BsonDocument> behind) {
    List<BsonDocument> stages = request.asStages();
    stages.addAll(behind);
    return new AggregateRequest(stages, request.hint(), request.collation(), request.let());
  }

  /** The collection at the bottom of a view, and of the views below it. */
  static Namespace source(StoreSnapshot snapshot, CollectionState view) {
    CollectionState at = view;
    Namespace source = view.namespace();
    for (int depth = 0; at != null; depth++) {
      CollectionRules.View shown = at.rules().view();
      if (shown == null) {
        break;
      }
      checkDepth(depth, view);
      source = Namespace.of(source.database(), shown.on());
      at = snapshot.state(source);
    }
    return source;
  }

  /** A request on a view as one on its {@link #source}. */
  static AggregateRequest behind(
      StoreSnapshot snapshot, CollectionState view, AggregateRequest request) {
    List<BsonDocument> stages = new ArrayList<>(request.pipeline());
    @Nullable CollectionState at = view;
    for (int depth = 0; at != null && at.isView(); depth++) {
      checkDepth(depth, view);
      CollectionRules.View shown = Objects.requireNonNull(at.rules().view());
      BsonDocument onBuckets = bucketFilter(at, stages);
      stages.addAll(0, shown.pipeline());
      if (!onBuckets.isEmpty()) {
        stages.addFirst(new BsonDocument("$match", onBuckets));
      }
      at = snapshot.state(Namespace.of(view.namespace().database(), shown.on()));
    }
    BsonDocument collation = Collation.specOf(order(view, request.collation()));
    TimeSeriesOptions timeSeries = view.rules().timeSeries();
    BsonValue hint =
        timeSeries != null
                && request.hint() instanceof BsonDocument key
                && !key.containsKey("$natural")
            ? MetaNames.indexKey(key, timeSeries)
            : request.hint();
    return new AggregateRequest(stages, hint, collation, request.let());
  }

  /** What the first filters on a time-series collection say of its buckets; else nothing. */
  private static BsonDocument bucketFilter(CollectionState state, List<BsonDocument> stages) {
    TimeSeriesOptions timeSeries = state.rules().timeSeries();
    BsonArray filters = new BsonArray();
    for (BsonDocument stage : timeSeries == null ? List.<BsonDocument>of() : stages) {
      if (!(stage.get("$match") instanceof BsonDocument filter)) {
        break;
      }
      BsonDocument part = BucketFilter.of(filter, Objects.requireNonNull(timeSeries));
      if (!part.isEmpty()) {
        filters.add(part);
      }
    }
    return filters.isEmpty() ? new BsonDocument() : new BsonDocument("$and", filters);
  }

  private static void checkDepth(int depth, CollectionState view) {
    if (depth >= ViewGraph.DEPTH_MAX) {
      throw ViewGraph.depthExceeded(view.namespace());
    }
  }
}
