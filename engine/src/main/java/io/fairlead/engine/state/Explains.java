// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.ExplainVerbosity;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.projection.Projection;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.read.Counters;
import io.fairlead.engine.read.Explanation;
import io.fairlead.engine.read.Query;
import io.fairlead.engine.read.Reads;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** How the reads of one collection or view are answered, and what that took. */
final class Explains {
  private static final BsonDocument NONE = new BsonDocument();

  private final StoreSnapshot snapshot;
  private final Namespace namespace;
  private final ExplainVerbosity verbosity;
  private final @Nullable CollectionState state;

  Explains(StoreSnapshot snapshot, Namespace namespace, ExplainVerbosity verbosity) {
    this.snapshot = snapshot;
    this.namespace = namespace;
    this.verbosity = verbosity;
    this.state = snapshot.state(namespace);
  }

  BsonDocument find(FindRequest request, OperationContext outer) {
    OperationContext operation = context(request, outer);
    if (state != null && state.isView()) {
      return aggregate(Views.asPipeline(request, List.of()), operation);
    }
    CollectionState collection =
        state == null
            ? CollectionState.create(namespace, new UUID(0, 0), CollectionOptions.none())
            : state;
    Matcher matcher = Matcher.compile(request.filter(), operation);
    Query query =
        Query.of(collection, matcher, request, operation)
            .coveredFor(
                request.returnKey()
                    ? Projection.identity()
                    : Projection.compile(request.projection(), matcher, operation));
    BsonDocument result =
        new BsonDocument(
            "queryPlanner",
            Explanation.queryPlanner(
                namespace.toString(), query, request.sort(), request.projection()));
    if (runs()) {
      result.append(
          "executionStats",
          statistics(query, request.sort(), request.projection(), new Counters(), query::drain));
    }
    return result;
  }

  BsonDocument distinct(String path, FindRequest request, OperationContext outer) {
    BsonDocument jumping =
        state == null || state.isView()
            ? null
            : Reads.explainDistinct(
                state, namespace.toString(), path, request, verbosity, context(request, outer));
    return jumping == null ? find(request, outer) : jumping;
  }

  BsonDocument count(FindRequest request, OperationContext outer) {
    if (state == null || state.isView()) {
      return find(request, outer);
    }
    OperationContext operation = context(request, outer);
    Query query = Query.of(state, Matcher.compile(request.filter(), operation), request, operation);
    BsonDocument planner = Explanation.queryPlanner(namespace.toString(), query, NONE, NONE);
    planner.put("winningPlan", Explanation.count(query, null, 0));
    BsonDocument result = new BsonDocument("queryPlanner", planner);
    if (runs()) {
      Counters counters = new Counters();
      long[] counted = new long[1];
      BsonDocument statistics =
          statistics(query, NONE, NONE, counters, counts -> counted[0] = query.count(counts));
      statistics.put("executionStages", Explanation.count(query, counters, counted[0]));
      result.append("executionStats", statistics);
    }
    return result;
  }

  BsonDocument aggregate(AggregateRequest request, OperationContext outer) {
    if (state != null && state.isView()) {
      return new Explains(snapshot, Views.source(snapshot, state), verbosity)
          .aggregate(Views.behind(snapshot, state, request), outer);
    }
    OperationContext operation = Query.context(outer, request.let(), request.collation(), state);
    LeadingStages leading =
        LeadingStages.of(
            request.pipeline(), namespace, operation, near -> GeoFields.of(near, state));
    BsonDocument cursor = find(leading.find(request.hint(), operation), operation);
    if (leading.rest().stages().isEmpty()) {
      return cursor;
    }
    BsonArray stages = new BsonArray();
    stages.add(new BsonDocument("$cursor", cursor));
    leading.rest().stages().forEach(stage -> stages.add(stage.spec()));
    return new BsonDocument("stages", stages);
  }

  private OperationContext context(FindRequest request, OperationContext outer) {
    return Query.context(outer, request.let(), request.collation(), state);
  }

  private boolean runs() {
    return verbosity != ExplainVerbosity.QUERY_PLANNER;
  }

  /** What running the query took. */
  private static BsonDocument statistics(
      Query query,
      BsonDocument sort,
      BsonDocument projection,
      Counters counters,
      Consumer<Counters> run) {
    long start = System.nanoTime();
    run.accept(counters);
    long millis = (System.nanoTime() - start) / 1_000_000;
    return Explanation.executionStats(query, sort, projection, counters, millis);
  }
}
