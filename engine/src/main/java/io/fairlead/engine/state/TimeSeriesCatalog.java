// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.INVALID_OPTIONS;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.timeseries.BucketFilter;
import io.fairlead.engine.timeseries.Buckets;
import io.fairlead.engine.timeseries.MetaNames;
import io.fairlead.engine.timeseries.TimeSeriesOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * A time-series collection in the catalog: two entries, the buckets and a view that unpacks them.
 *
 * @param options what it is created with
 * @param common the options that both have
 */
record TimeSeriesCatalog(TimeSeriesOptions options, BsonDocument common) {
  private static final Set<String> ALLOWED =
      Set.of(
          "timeseries",
          "expireAfterSeconds",
          "collation",
          "storageEngine",
          "indexOptionDefaults",
          "clusteredIndex",
          "autoIndexId");
  private static final Set<String> NOT_INDEXED = Set.of("unique", "prepareUnique", "sparse");

  /** Whether options ask for a time-series collection, rather than being one of its two entries. */
  static boolean isWish(Namespace namespace, CollectionOptions options) {
    return options.declared().containsKey("timeseries")
        && !(options.declared().containsKey("viewOn") && options.declared().containsKey("pipeline"))
        && !namespace.collection().startsWith(Buckets.PREFIX);
  }

  /**
   * Reads a wish.
   *
   * @throws EngineException 72 for options that do not go with time series
   */
  static TimeSeriesCatalog of(BsonDocument declared) {
    for (String name : declared.keySet()) {
      // some clients say of every collection that it is not capped
      boolean saysNothing = name.equals("capped") && BsonBoolean.FALSE.equals(declared.get(name));
      if (!ALLOWED.contains(name) && !saysNothing) {
        throw new EngineException(
            INVALID_OPTIONS, "'" + name + "' is not allowed with 'timeseries'");
      }
    }
    if (declared.isDocument("clusteredIndex")) {
      throw new EngineException(
          INVALID_OPTIONS, "'clusteredIndex' is not allowed with 'timeseries'");
    }
    TimeSeriesOptions options =
        TimeSeriesOptions.parse(Objects.requireNonNull(declared.get("timeseries")));
    BsonDocument common = new BsonDocument("timeseries", options.document());
    for (String name : List.of("expireAfterSeconds", "collation")) {
      if (declared.containsKey(name)) {
        common.append(name, declared.get(name));
      }
    }
    return new TimeSeriesCatalog(options, common);
  }

  /** The options of the buckets. */
  BsonDocument buckets() {
    return common
        .clone()
        .append(
            "clusteredIndex",
            new BsonDocument("key", new BsonDocument("_id", new BsonInt32(1)))
                .append("unique", BsonBoolean.TRUE));
  }

  /** The options of what users see. */
  BsonDocument shown(Namespace namespace) {
    return common
        .clone()
        .append("viewOn", new BsonString(Buckets.of(namespace).collection()))
        .append("pipeline", new BsonArray(List.of(BucketFilter.unpackStage(options))));
  }

  /** The index that buckets have from the start, by what was measured and when; or null. */
  @Nullable BsonDocument index() {
    if (options.metaField() == null) {
      return null;
    }
    BsonDocument key =
        new BsonDocument(options.metaField(), new BsonInt32(1))
            .append(options.timeField(), new BsonInt32(1));
    return new BsonDocument("key", MetaNames.indexKey(key, options))
        .append("name", new BsonString(options.metaField() + "_1_" + options.timeField() + "_1"));
  }

  /** An index on measurements as one on buckets. */
  static IndexSpec onBuckets(IndexSpec spec, TimeSeriesOptions options) {
    BsonDocument declared = copy(spec.declared());
    for (String name : NOT_INDEXED) {
      if (declared.containsKey(name) && !declared.get(name).equals(BsonBoolean.FALSE)) {
        throw new EngineException(
            INVALID_OPTIONS,
            "the index option '" + name + "' is not supported on time-series collections");
      }
    }
    if (declared.get("partialFilterExpression") instanceof BsonDocument filter) {
      declared.put("partialFilterExpression", partial(filter, options));
    }
    if (declared.get("key") instanceof BsonDocument key) {
      declared.put("key", MetaNames.indexKey(key, options));
    }
    return new IndexSpec(declared);
  }

  /** The same fields, to be changed; what came over the wire is bytes, whose clone is, too. */
  private static BsonDocument copy(BsonDocument document) {
    BsonDocument copy = new BsonDocument();
    copy.putAll(document);
    return copy;
  }

  private static BsonDocument partial(BsonDocument filter, TimeSeriesOptions options) {
    try {
      return MetaNames.filter(filter, options);
    } catch (EngineException other) {
      throw new EngineException(
          INVALID_OPTIONS,
          "a partial index on a time-series collection is only supported by its metaField");
    }
  }

  /** The indexes of buckets as those of measurements. */
  static List<BsonDocument> shownIndexes(List<BsonDocument> ofBuckets, TimeSeriesOptions options) {
    List<BsonDocument> shown = new ArrayList<>();
    for (BsonDocument index : ofBuckets) {
      if (!index.containsKey("clustered")) {
        BsonDocument changed = copy(index);
        changed.put("key", MetaNames.originalKey(index.getDocument("key"), options));
        shown.add(changed);
      }
    }
    return shown;
  }

  /** A collMod of the collection as one of its buckets. */
  static BsonDocument modification(BsonDocument modification, TimeSeriesOptions options) {
    BsonDocument changed = copy(modification);
    if (changed.get("index") instanceof BsonDocument index
        && index.get("keyPattern") instanceof BsonDocument key) {
      changed.put("index", copy(index).append("keyPattern", MetaNames.indexKey(key, options)));
    }
    for (String name : changed.keySet()) {
      if (!Set.of("timeseries", "expireAfterSeconds", "index", "dryRun").contains(name)) {
        throw new EngineException(
            INVALID_OPTIONS, "option not supported on a time-series collection: " + name);
      }
    }
    return changed;
  }

  /** What of a collMod concerns the entry that users see. */
  static BsonDocument shownModification(BsonDocument modification) {
    BsonDocument changed = new BsonDocument();
    for (String name : List.of("timeseries", "expireAfterSeconds")) {
      if (modification.containsKey(name)) {
        changed.append(name, modification.get(name));
      }
    }
    return changed;
  }
}
