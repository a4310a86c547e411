// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Every stage by name. */
public final class Stages {
  private static final Map<String, Factory> ALL = new TreeMap<>();

  /** Stages that need the server's state, and are asked of the environment. */
  private static final Set<String> SERVER =
      Set.of(
          "$changeStream",
          "$changeStreamSplitLargeEvent",
          "$collStats",
          "$currentOp",
          "$indexStats",
          "$listLocalSessions",
          "$listSearchIndexes",
          "$listSessions",
          "$planCacheStats",
          "$shardedDataDistribution",
          "$listSampledQueries",
          "$queryStats");

  static {
    ALL.put("$match", Match::parse);
    ALL.put("$group", Group::parse);
    ALL.put("$sort", Sort::parse);
    ALL.put("$limit", Limit::parse);
    ALL.put("$skip", Skip::parse);
    ALL.put("$project", Project::project);
    ALL.put("$addFields", Project::addFields);
    ALL.put("$set", Project::addFields);
    ALL.put("$unset", Project::unset);
    ALL.put("$count", Count::parse);
    ALL.put("$unwind", Unwind::parse);
    ALL.put("$replaceRoot", ReplaceRoot::replaceRoot);
    ALL.put("$replaceWith", ReplaceRoot::replaceWith);
    ALL.put("$sortByCount", SortByCount::parse);
    ALL.put("$lookup", Lookup::parse);
    ALL.put("$facet", Facet::parse);
    ALL.put("$bucket", Bucket::parse);
    ALL.put("$bucketAuto", BucketAuto::parse);
    ALL.put("$sample", Sample::parse);
    ALL.put("$unionWith", UnionWith::parse);
    ALL.put("$out", Out::parse);
    ALL.put("$merge", Merge::parse);
    ALL.put("$documents", Documents::parse);
    ALL.put("$redact", Redact::parse);
    ALL.put("$graphLookup", GraphLookup::parse);
    ALL.put("$setWindowFields", SetWindowFields::parse);
    ALL.put("$fill", Fill::parse);
    ALL.put("$densify", Densify::parse);
    ALL.put("$geoNear", GeoNear::parse);
    ALL.put("$_internalUnpackBucket", UnpackBucket::parse);
    for (String name : SERVER) {
      ALL.put(name, ServerStage::parse);
    }
  }

  private Stages() {}

  /** Makes a stage of its operand. */
  @FunctionalInterface
  interface Factory {
    Stage parse(String name, BsonValue operand, StageContext context);
  }

  static @Nullable Factory find(String name) {
    return ALL.get(name);
  }

  /** The names of all stages that this engine runs itself. */
  public static Set<String> names() {
    Set<String> names = new java.util.TreeSet<>(ALL.keySet());
    names.removeAll(SERVER);
    names.removeIf(name -> name.startsWith("$_internal"));
    return names;
  }

  /** The names of all accumulators of {@code $group}. */
  public static Set<String> accumulatorNames() {
    return AccumulatorSpec.names();
  }

  /** The names of all functions of {@code $setWindowFields}. */
  public static Set<String> windowFunctionNames() {
    return WindowFunction.names();
  }

  /** The names of stages that are asked of the {@link PipelineEnvironment}. */
  public static Set<String> serverStages() {
    return SERVER;
  }
}
