// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.timeseries;

import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What a filter on measurements says about their buckets, so that an index on buckets helps: all
 * that it says of the meta field, and bounds of the time. Every bucket with a measurement that
 * matches the one matches the other.
 */
public final class BucketFilter {
  private static final Set<String> LOGICAL = Set.of("$and", "$or");

  private BucketFilter() {}

  /** The filter on buckets; empty when nothing is known. */
  public static BsonDocument of(BsonDocument filter, TimeSeriesOptions options) {
    BsonArray parts = new BsonArray();
    for (Map.Entry<String, BsonValue> entry : filter.entrySet()) {
      BsonDocument part = part(entry.getKey(), entry.getValue(), options);
      if (part != null) {
        parts.add(part);
      }
    }
    return switch (parts.size()) {
      case 0 -> new BsonDocument();
      case 1 -> parts.getFirst().asDocument();
      default -> new BsonDocument("$and", parts);
    };
  }

  private static @Nullable BsonDocument part(
      String name, BsonValue value, TimeSeriesOptions options) {
    if (LOGICAL.contains(name) && value.isArray()) {
      return logical(name, value.asArray(), options);
    }
    if (name.equals(options.timeField())) {
      return time(value, options.timeField());
    }
    String renamed = MetaNames.renamed(name, options);
    return renamed == null ? null : new BsonDocument(renamed, value);
  }

  private static @Nullable BsonDocument logical(
      String name, BsonArray branches, TimeSeriesOptions options) {
    BsonArray parts = new BsonArray();
    for (BsonValue branch : branches) {
      BsonDocument part =
          branch instanceof BsonDocument document ? of(document, options) : new BsonDocument();
      if (!part.isEmpty()) {
        parts.add(part);
      } else if (name.equals("$or")) {
        return null; // a branch of which nothing is known may match anything
      }
    }
    return parts.isEmpty() ? null : new BsonDocument(name, parts);
  }

  private static @Nullable BsonDocument time(BsonValue value, String timeField) {
    String min = "control.min." + timeField;
    String max = "control.max." + timeField;
    if (value.isDateTime()) {
      return new BsonDocument(min, new BsonDocument("$lte", value))
          .append(max, new BsonDocument("$gte", value));
    }
    if (!(value instanceof BsonDocument operators)) {
      return null;
    }
    BsonArray parts = new BsonArray();
    for (Map.Entry<String, BsonValue> each : operators.entrySet()) {
      if (!each.getValue().isDateTime()) {
        continue;
      }
      switch (each.getKey()) {
        case "$gt", "$gte" ->
            parts.add(new BsonDocument(max, new BsonDocument(each.getKey(), each.getValue())));
        // The least time of a bucket is rounded down, so a bound on it must let its own value in.
        case "$lt", "$lte" ->
            parts.add(new BsonDocument(min, new BsonDocument("$lte", each.getValue())));
        case "$eq" -> {
          parts.add(new BsonDocument(min, new BsonDocument("$lte", each.getValue())));
          parts.add(new BsonDocument(max, new BsonDocument("$gte", each.getValue())));
        }
        default -> {}
      }
    }
    return parts.isEmpty() ? null : new BsonDocument("$and", parts);
  }

  /** The stage that makes measurements of buckets. */
  public static BsonDocument unpackStage(TimeSeriesOptions options) {
    BsonDocument operand = new BsonDocument("timeField", new BsonString(options.timeField()));
    if (options.metaField() != null) {
      operand.append("metaField", new BsonString(options.metaField()));
    }
    return new BsonDocument("$_internalUnpackBucket", operand);
  }
}
