// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.cursor.ExplainVerbosity;
import io.fairlead.engine.index.IndexKind;
import io.fairlead.engine.index.KeyPattern;
import io.fairlead.engine.plan.QueryPlan;
import io.fairlead.engine.plan.QueryPlan.Access;
import io.fairlead.engine.text.TextQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

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
        .append("winningPlan", stages(query, sort, projection, null))
        .append("rejectedPlans", new BsonArray());
  }

  /** The {@code executionStats} section of a query that was run to its end. */
  public static BsonDocument executionStats(
      Query query, BsonDocument sort, BsonDocument projection, Counters counters, long millis) {
    return new BsonDocument("executionSuccess", BsonBoolean.TRUE)
        .append("nReturned", number(counters.returned))
        .append("executionTimeMillis", number(millis))
        .append("totalKeysExamined", number(counters.keysExamined))
        .append("totalDocsExamined", number(counters.documentsExamined))
        .append("executionStages", stages(query, sort, projection, counters));
  }

  /**
   * The stage of a count: on top of the records that are read for it, or of nothing but an index or
   * collection that knows how many entries it has.
   *
   * @param counted the result, when it was run
   */
  public static BsonDocument count(Query query, @Nullable Counters counters, long counted) {
    BsonDocument input = access(query, query.plan(), counters);
    if (query.isCounted()) {
      input =
          query.plan().access() instanceof Access.Index index
              ? withStage(indexScan(index, null), "COUNT_SCAN")
              : stage("RECORD_STORE_FAST_COUNT");
    }
    BsonDocument count = stage("COUNT");
    if (counters != null) {
      count
          .append("nReturned", number(0))
          .append("nCounted", number(counted))
          .append("nSkipped", number(query.skip()));
    }
    return count.append("inputStage", input);
  }

  /**
   * Both sections of a distinct that jumps from value to value through an index.
   *
   * @param run runs it, for what it takes
   */
  static BsonDocument distinct(
      String namespace,
      Query query,
      Access.Index scan,
      ExplainVerbosity verbosity,
      Consumer<Counters> run) {
    BsonDocument planner = queryPlanner(namespace, query, new BsonDocument(), new BsonDocument());
    planner.put(
        "winningPlan",
        stage("FETCH").append("inputStage", withStage(indexScan(scan, null), "DISTINCT_SCAN")));
    BsonDocument result = new BsonDocument("queryPlanner", planner);
    if (verbosity != ExplainVerbosity.QUERY_PLANNER) {
      long start = System.nanoTime();
      Counters counters = new Counters();
      run.accept(counters);
      counters.matched = counters.documentsExamined;
      counters.found = counters.documentsExamined;
      BsonDocument statistics =
          executionStats(
              query,
              new BsonDocument(),
              new BsonDocument(),
              counters,
              (System.nanoTime() - start) / 1_000_000);
      statistics.put(
          "executionStages",
          fetched(stage("FETCH"), counters)
              .append("inputStage", withStage(indexScan(scan, counters), "DISTINCT_SCAN")));
      result.append("executionStats", statistics);
    }
    return result;
  }

  private static BsonDocument withStage(BsonDocument stage, String name) {
    stage.put("stage", new BsonString(name));
    return stage;
  }

  private static BsonDocument stages(
      Query query, BsonDocument sort, BsonDocument projection, @Nullable Counters counters) {
    BsonDocument stage = access(query, query.plan(), counters);
    long passed = counters == null ? 0 : counters.matched;
    if ((!query.plan().sorted() && query.sort() != null) || query.metaSort() != null) {
      BsonDocument sorting =
          stage("SORT").append("sortPattern", sort).append("memLimit", number(Sorted.BYTES_MAX));
      if (query.limit() > 0) {
        sorting.append("limitAmount", number(query.skip() + query.limit()));
        passed = Math.min(passed, query.skip() + query.limit());
      }
      sorting.append("type", new BsonString(query.metaSort() == null ? "simple" : "default"));
      stage = above(sorting, stage, passed, counters);
    }
    if (query.skip() > 0) {
      passed = Math.max(0, passed - query.skip());
      stage =
          above(stage("SKIP").append("skipAmount", number(query.skip())), stage, passed, counters);
    }
    if (query.limit() > 0) {
      passed = Math.min(passed, query.limit());
      stage =
          above(
              stage("LIMIT").append("limitAmount", number(query.limit())), stage, passed, counters);
    }
    if (!projection.isEmpty()) {
      stage =
          above(
              stage(
                      query.plan().access() instanceof Access.Covered
                          ? "PROJECTION_COVERED"
                          : isSimple(projection) ? "PROJECTION_SIMPLE" : "PROJECTION_DEFAULT")
                  .append("transformBy", projection),
              stage,
              passed,
              counters);
    }
    return stage;
  }

  /** Whether a projection only keeps or drops fields of the first level. */
  private static boolean isSimple(BsonDocument projection) {
    return projection.entrySet().stream()
        .allMatch(
            field ->
                (field.getValue().isNumber() || field.getValue().isBoolean())
                    && field.getKey().indexOf('.') < 0);
  }

  private static BsonDocument above(
      BsonDocument stage, BsonDocument input, long returned, @Nullable Counters counters) {
    return returned(stage, returned, counters).append("inputStage", input);
  }

  private static BsonDocument returned(
      BsonDocument stage, long returned, @Nullable Counters counters) {
    return counters == null ? stage : stage.append("nReturned", number(returned));
  }

  private static BsonDocument access(Query query, QueryPlan plan, @Nullable Counters counters) {
    return switch (plan.access()) {
      case Access.Nothing nothing -> returned(stage("EOF"), 0, counters);
      case Access.Scan scan ->
          fetched(
              filtered(stage("COLLSCAN"), query, plan)
                  .append("direction", direction(scan.backward())),
              counters);
      case Access.Records records ->
          fetched(
              filtered(stage("CLUSTERED_IXSCAN"), query, plan)
                  .append("direction", direction(records.backward()))
                  .append("recordIdBounds", texts(records.text())),
              counters);
      case Access.Index index when index.idLookup() ->
          scanned(
              fetched(
                  stage("EXPRESS_IXSCAN")
                      .append(
                          "keyPattern", new BsonString(index.index().definition().key().toJson()))
                      .append("indexName", new BsonString("_id_")),
                  counters),
              counters);
      case Access.Index index -> fetch(query, plan, indexScan(index, counters), counters);
      case Access.Covered covered -> filtered(indexScan(covered.index(), counters), query, plan);
      case Access.Near near -> {
        BsonDocument search =
            stage("GEO_NEAR_" + near.index().definition().kind().plugin().toUpperCase(Locale.ROOT))
                .append("keyPattern", near.index().definition().key())
                .append("indexName", new BsonString(near.index().definition().name()))
                .append("indexVersion", new BsonInt32(2))
                .append("indexBounds", bounds(near.text()));
        if (counters != null) {
          scanned(search, counters)
              .append("docsExamined", number(counters.documentsExamined))
              .append("nReturned", number(counters.found));
        }
        yield query.matcher().filter().size() == 1
            ? search
            : above(filtered(stage("FETCH"), query, plan), search, matched(counters), counters);
      }
      case Access.Text text -> textMatch(text, counters);
      case Access.Union union -> {
        List<BsonValue> inputs = new ArrayList<>();
        for (QueryPlan part : union.parts()) {
          inputs.add(
              part.access() instanceof Access.Index index
                  ? indexScan(index, null)
                  : access(query, part, null));
        }
        BsonDocument or = stage("OR").append("inputStages", new BsonArray(inputs));
        if (counters != null) {
          scanned(or, counters).append("nReturned", number(counters.found));
        }
        yield fetch(query, plan, or, counters);
      }
    };
  }

  private static long matched(@Nullable Counters counters) {
    return counters == null ? 0 : counters.matched;
  }

  private static BsonDocument scanned(BsonDocument stage, @Nullable Counters counters) {
    return counters == null ? stage : stage.append("keysExamined", number(counters.keysExamined));
  }

  private static BsonDocument fetched(BsonDocument stage, @Nullable Counters counters) {
    return counters == null
        ? stage
        : stage
            .append("nReturned", number(counters.matched))
            .append("docsExamined", number(counters.documentsExamined));
  }

  private static BsonDocument fetch(
      Query query, QueryPlan plan, BsonDocument input, @Nullable Counters counters) {
    return fetched(filtered(stage("FETCH"), query, plan), counters).append("inputStage", input);
  }

  private static BsonDocument textMatch(Access.Text text, @Nullable Counters counters) {
    TextQuery query = text.search().query();
    BsonArray terms = new BsonArray();
    text.search().terms().forEach(term -> terms.add(new BsonString(term)));
    BsonArray phrases = new BsonArray();
    query.phrases().forEach(phrase -> phrases.add(new BsonString(phrase)));
    BsonArray negated = new BsonArray();
    query.negatedPhrases().forEach(phrase -> negated.add(new BsonString(phrase)));
    BsonDocument stage =
        stage("TEXT_MATCH")
            .append("indexPrefix", text.prefix())
            .append("indexName", new BsonString(text.index().definition().name()))
            .append(
                "parsedTextQuery",
                new BsonDocument("terms", terms)
                    .append("negatedTerms", new BsonString(query.negatedWords().strip()))
                    .append("phrases", phrases)
                    .append("negatedPhrases", negated))
            .append("textIndexVersion", new BsonInt32(3));
    return scanned(fetched(stage, counters), counters);
  }

  private static BsonDocument indexScan(Access.Index access, @Nullable Counters counters) {
    IndexState index = access.index();
    boolean wildcard = index.definition().kind() == IndexKind.WILDCARD;
    BsonDocument keyPattern = new BsonDocument();
    BsonDocument multikeyPaths = new BsonDocument();
    List<KeyPattern.Field> fields = index.definition().pattern().fields();
    if (wildcard) {
      access.text().keySet().forEach(path -> keyPattern.append(path, new BsonInt32(1)));
      access.text().keySet().forEach(path -> multikeyPaths.append(path, new BsonArray()));
    } else {
      keyPattern.putAll(index.definition().key());
      for (int i = 0; i < fields.size(); i++) {
        BsonArray paths = new BsonArray();
        if (((index.multikey() >>> i) & 1) != 0) {
          paths.add(new BsonString(fields.get(i).path()));
        }
        multikeyPaths.append(fields.get(i).path(), paths);
      }
    }
    BsonDocument stage = stage("IXSCAN");
    if (counters != null) {
      stage
          .append("nReturned", number(counters.found))
          .append("keysExamined", number(counters.keysExamined));
    }
    return stage
        .append("keyPattern", keyPattern)
        .append("indexName", new BsonString(index.definition().name()))
        .append("isMultiKey", BsonBoolean.valueOf(index.isMultikey()))
        .append("multiKeyPaths", multikeyPaths)
        .append("isUnique", BsonBoolean.valueOf(index.definition().unique()))
        .append("isSparse", BsonBoolean.valueOf(index.definition().sparse()))
        .append("isPartial", BsonBoolean.valueOf(index.definition().filter() != null))
        .append("indexVersion", new BsonInt32(2))
        .append("direction", direction(access.backward()))
        .append("indexBounds", bounds(access.text()));
  }

  private static BsonDocument bounds(Map<String, List<String>> text) {
    BsonDocument bounds = new BsonDocument();
    text.forEach((path, intervals) -> bounds.append(path, texts(intervals)));
    return bounds;
  }

  /** As MongoDB tells numbers here: 32 bits where they suffice. */
  private static BsonNumber number(long value) {
    return value == (int) value ? new BsonInt32((int) value) : new BsonInt64(value);
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
