// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Which collections stages read besides their input, sub-pipelines included. */
public final class ForeignCollections {
  private ForeignCollections() {}

  /** The collections of the same database that a stage reads besides its input. */
  public static List<String> readBy(BsonDocument stage) {
    List<String> names = new ArrayList<>();
    for (Map.Entry<String, BsonValue> entry : stage.entrySet()) {
      BsonValue operand = entry.getValue();
      switch (entry.getKey()) {
        case "$lookup", "$graphLookup" -> {
          if (operand instanceof BsonDocument lookup) {
            addName(lookup.get("from"), names);
            addStages(lookup.get("pipeline"), names);
          }
        }
        case "$unionWith" -> {
          addName(operand, names);
          if (operand instanceof BsonDocument union) {
            addName(union.get("coll"), names);
            addStages(union.get("pipeline"), names);
          }
        }
        case "$facet" -> {
          if (operand instanceof BsonDocument facets) {
            facets.values().forEach(pipeline -> addStages(pipeline, names));
          }
        }
        default -> {}
      }
    }
    return names;
  }

  private static void addName(@Nullable BsonValue name, List<String> names) {
    if (name != null && name.isString()) {
      names.add(name.asString().getValue());
    }
  }

  private static void addStages(@Nullable BsonValue pipeline, List<String> names) {
    if (pipeline != null && pipeline.isArray()) {
      for (BsonValue stage : pipeline.asArray()) {
        if (stage instanceof BsonDocument document) {
          names.addAll(readBy(document));
        }
      }
    }
  }
}
