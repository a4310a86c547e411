// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.index.KeyPattern;
import io.fairlead.engine.plan.QueryPlan;
import io.fairlead.engine.plan.QueryPlan.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * What explain tells: the plan that runs, in MongoDB's names for its stages, and what running it
 * took.
 */
public final class Explanation {
  private Explanation() {}

  /** The {@code queryPlanner} section. */
  public static BsonDocument queryPlanner(
      String namespace, Query query, BsonDocument sort, BsonDocument projection) {
    return new BsonDocument("namespace", new BsonString(namespace))
        .append("parsedQuery", query.matcher().filter())
        .append("indexFilterSet", BsonBoolean.FALSE)
        .append("maxIndexedOrSolutionsReached", BsonBoolean.FALSE)
        .append("maxIndexedAndSolutionsReached", BsonBoolean.FALSE)
        .append("maxScansToExplodeReached", BsonBoolean.FALSE)
        .append("winningPlan", stages(query, sort, projection))
        .append("rejectedPlans", new BsonArray());
  }

  /** The {@code executionStats} section of a query that was run to its end. */
  public static BsonDocument executionStats(
      BsonDocument winningPlan, Counters counters, long millis) {
    return new BsonDocument("executionSuccess", BsonBoolean.TRUE)
        .append("nReturned", new BsonInt64(counters.returned))
        .append("executionTimeMillis", new BsonInt64(millis))
        .append("totalKeysExamined", new BsonInt64(counters.keysExamined))
        .append("totalDocsExamined", new BsonInt64(counters.documentsExamined))
        .append(
            "executionStages",
            winningPlan.clone().append("nReturned", new BsonInt64(counters.returned)));
  }

  private static BsonDocument stages(Query query, BsonDocument sort, BsonDocument projection) {
    BsonDocument stage = access(query, query.plan());
    if (!query.plan().sorted() && query.sort() != null) {
      BsonDocument sorting =
          stage("SORT")
              .append("sortPattern", sort)
              .append("memLimit", new BsonInt64(Sorted.BYTES_MAX));
      if (query.limit() > 0) {
        sorting.append("limitAmount", new BsonInt64(query.skip() + query.limit()));
      }
      stage = sorting.append("type", new BsonString("simple")).append("inputStage", stage);
    }
    if (query.skip() > 0) {
      stage =
          stage("SKIP")
              .append("skipAmount", new BsonInt64(query.skip()))
              .append("inputStage", stage);
    }
    if (query.limit() > 0) {
      stage =
          stage("LIMIT")
              .append("limitAmount", new BsonInt64(query.limit()))
              .append("inputStage", stage);
    }
    if (!projection.isEmpty()) {
      stage =
          stage("PROJECTION_DEFAULT").append("transformBy", projection).append("inputStage", stage);
    }
    return stage;
  }

  private static BsonDocument access(Query query, QueryPlan plan) {
    return switch (plan.access()) {
      case Access.Nothing nothing -> stage("EOF");
      case Access.Scan scan ->
          filtered(stage("COLLSCAN"), query, plan).append("direction", direction(scan.backward()));
      case Access.Records records ->
          filtered(stage("CLUSTERED_IXSCAN"), query, plan)
              .append("direction", direction(records.backward()))
              .append("recordIdBounds", texts(records.text()));
      case Access.Index index when index.idLookup() ->
          stage("EXPRESS_IXSCAN")
              .append("keyPattern", new BsonString(index.index().definition().key().toJson()))
              .append("indexName", new BsonString("_id_"));
      case Access.Index index ->
          filtered(stage("FETCH"), query, plan).append("inputStage", indexScan(index));
      case Access.Union union -> {
        List<BsonValue> inputs = new ArrayList<>();
        for (QueryPlan part : union.parts()) {
          inputs.add(
              part.access() instanceof Access.Index index ? indexScan(index) : access(query, part));
        }
        yield filtered(stage("FETCH"), query, plan)
            .append("inputStage", stage("OR").append("inputStages", new BsonArray(inputs)));
      }
    };
  }

  private static BsonDocument indexScan(Access.Index access) {
    IndexState index = access.index();
    BsonDocument multikeyPaths = new BsonDocument();
    List<KeyPattern.Field> fields = index.definition().pattern().fields();
    for (int i = 0; i < fields.size(); i++) {
      BsonArray paths = new BsonArray();
      if (((index.multikey() >>> i) & 1) != 0) {
        paths.add(new BsonString(fields.get(i).path()));
      }
      multikeyPaths.append(fields.get(i).path(), paths);
    }
    BsonDocument bounds = new BsonDocument();
    for (Map.Entry<String, List<String>> field : access.text().entrySet()) {
      bounds.append(field.getKey(), texts(field.getValue()));
    }
    return stage("IXSCAN")
        .append("keyPattern", index.definition().key())
        .append("indexName", new BsonString(index.definition().name()))
        .append("isMultiKey", BsonBoolean.valueOf(index.isMultikey()))
        .append("multiKeyPaths", multikeyPaths)
        .append("isUnique", BsonBoolean.valueOf(index.definition().unique()))
        .append("isSparse", BsonBoolean.valueOf(index.definition().sparse()))
        .append("isPartial", BsonBoolean.valueOf(index.definition().filter() != null))
        .append("indexVersion", new BsonInt32(2))
        .append("direction", direction(access.backward()))
        .append("indexBounds", bounds);
  }

  private static BsonDocument stage(String name) {
    return new BsonDocument("stage", new BsonString(name));
  }

  private static BsonDocument filtered(BsonDocument stage, Query query, QueryPlan plan) {
    return plan.exact() || query.matcher().filter().isEmpty()
        ? stage
        : stage.append("filter", query.matcher().filter());
  }

  private static BsonString direction(boolean backward) {
    return new BsonString(backward ? "backward" : "forward");
  }

  private static BsonArray texts(List<String> texts) {
    BsonArray array = new BsonArray();
    texts.forEach(text -> array.add(new BsonString(text)));
    return array;
  }
}
