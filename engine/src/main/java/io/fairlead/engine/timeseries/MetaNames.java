// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.timeseries;

import static io.fairlead.engine.error.ErrorCodes.INVALID_OPTIONS;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.Values;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Filters, updates and index keys on measurements, as such on buckets. */
public final class MetaNames {
  private MetaNames() {}

  /** The path in a bucket of a path within the meta field; null for any other. */
  public static @Nullable String renamed(String path, TimeSeriesOptions options) {
    String meta = options.metaField();
    if (meta == null) {
      return null;
    }
    if (path.equals(meta)) {
      return "meta";
    }
    return path.startsWith(meta + ".") ? "meta" + path.substring(meta.length()) : null;
  }

  /**
   * A filter that may only ask about the meta field.
   *
   * @throws EngineException 72 for one that asks about anything else
   */
  public static BsonDocument filter(BsonDocument filter, TimeSeriesOptions options) {
    BsonDocument renamed = new BsonDocument();
    for (Map.Entry<String, BsonValue> entry : filter.entrySet()) {
      String name = entry.getKey();
      BsonValue value = entry.getValue();
      if (name.equals("$and") || name.equals("$or") || name.equals("$nor")) {
        BsonArray branches = new BsonArray();
        for (BsonValue branch : value.isArray() ? value.asArray() : new BsonArray()) {
          branches.add(
              branch instanceof BsonDocument document ? filter(document, options) : branch);
        }
        renamed.append(name, branches);
      } else if (name.equals("$comment")) {
        renamed.append(name, value);
      } else {
        String inBucket = renamed(name, options);
        if (inBucket == null) {
          throw invalid(
              "Cannot perform an update on a time-series collection when querying on a field that"
                  + " is not the metaField"
                  + shown(options));
        }
        renamed.append(inBucket, value);
      }
    }
    return renamed;
  }

  /**
   * An update by operators that may only change the meta field.
   *
   * @throws EngineException 72 for a replacement, a pipeline, and what changes anything else
   */
  public static BsonDocument update(BsonValue update, TimeSeriesOptions options) {
    if (!(update instanceof BsonDocument operators)) {
      throw invalid("Cannot perform an update on a time-series collection using a pipeline update");
    }
    if (operators.isEmpty() || !operators.getFirstKey().startsWith("$")) {
      throw invalid(
          "Cannot perform an update on a time-series collection using a replacement update");
    }
    BsonDocument renamed = new BsonDocument();
    operators.forEach(
        (operator, operand) -> {
          if (!(operand instanceof BsonDocument fields)) {
            renamed.append(operator, operand);
            return;
          }
          BsonDocument changed = new BsonDocument();
          fields.forEach(
              (path, value) -> {
                boolean renames = operator.equals("$rename") && value.isString();
                changed.append(
                    changing(path, options),
                    renames
                        ? new BsonString(changing(value.asString().getValue(), options))
                        : value);
              });
          renamed.append(operator, changed);
        });
    return renamed;
  }

  private static String changing(String path, TimeSeriesOptions options) {
    String inBucket = renamed(path, options);
    if (inBucket == null) {
      throw invalid(
          "Cannot perform an update on a time-series collection which updates a field that is not"
              + " the metaField"
              + shown(options));
    }
    return inBucket;
  }

  private static String shown(TimeSeriesOptions options) {
    return options.metaField() == null ? "" : " '" + options.metaField() + "'";
  }

  /** An index's key pattern on buckets: bounds for what is measured, the meta field as it is. */
  public static BsonDocument indexKey(BsonDocument key, TimeSeriesOptions options) {
    BsonDocument onBuckets = new BsonDocument();
    key.forEach(
        (path, kind) -> {
          String meta = renamed(path, options);
          if (meta != null) {
            onBuckets.append(meta, kind);
          } else if (!kind.isNumber()) {
            throw invalid(
                "Indexes of kind "
                    + Values.show(kind)
                    + " are only supported on the metaField of a time-series"
                    + " collection");
          } else {
            boolean down = kind.asNumber().doubleValue() < 0;
            onBuckets.append("control." + (down ? "max." : "min.") + path, kind);
            onBuckets.append("control." + (down ? "min." : "max.") + path, kind);
          }
        });
    return onBuckets;
  }

  /** The key pattern of which {@link #indexKey} made this one. */
  public static BsonDocument originalKey(BsonDocument onBuckets, TimeSeriesOptions options) {
    BsonDocument key = new BsonDocument();
    onBuckets.forEach(
        (path, kind) -> {
          if (path.equals("meta") || path.startsWith("meta.")) {
            key.append(options.metaField() + path.substring("meta".length()), kind);
          } else if (path.startsWith("control.min.") || path.startsWith("control.max.")) {
            key.append(path.substring("control.min.".length()), kind);
          } else {
            key.append(path, kind);
          }
        });
    return key;
  }

  private static EngineException invalid(String message) {
    return new EngineException(INVALID_OPTIONS, message);
  }
}
