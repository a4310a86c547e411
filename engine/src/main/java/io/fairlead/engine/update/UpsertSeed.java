// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.update;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.query.Predicate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** What a filter says an upserted document must be: its equalities, as fields. */
final class UpsertSeed {
  private UpsertSeed() {}

  /**
   * The seed.
   *
   * @param onlyId whether only {@code _id} is taken, as for a replacement
   */
  static BsonDocument of(Matcher filter, boolean onlyId) {
    Map<String, BsonValue> equalities = new TreeMap<>();
    collect(filter.predicate(), equalities, onlyId);
    BsonDocument seed = new BsonDocument();
    List<String> done = new ArrayList<>();
    equalities.forEach(
        (path, value) -> {
          for (String other : done) {
            if (path.startsWith(other + ".")) {
              throw new EngineException(
                  54,
                  "cannot infer query fields to set, both paths '"
                      + other
                      + "' and '"
                      + path
                      + "' are matched");
            }
          }
          done.add(path);
          set(seed, path, value);
        });
    return seed;
  }

  private static void collect(Predicate predicate, Map<String, BsonValue> into, boolean onlyId) {
    switch (predicate) {
      case Predicate.And and -> and.children().forEach(child -> collect(child, into, onlyId));
      case Predicate.Comparison equal when equal.operator() == Predicate.Operator.EQ ->
          add(equal.path().dotted(), equal.value(), into, onlyId);
      case Predicate.In in when in.values().size() == 1 && in.patterns().isEmpty() ->
          add(in.path().dotted(), in.values().getFirst(), into, onlyId);
      default -> {}
    }
  }

  private static void add(
      String path, BsonValue value, Map<String, BsonValue> into, boolean onlyId) {
    if (onlyId && path.startsWith("_id.")) {
      throw new EngineException(
          111, "field at '_id' must be exactly specified, field at sub-path '" + path + "'found");
    }
    if (onlyId && !path.equals("_id")) {
      return;
    }
    if (into.put(path, value) != null) {
      throw new EngineException(
          54, "cannot infer query fields to set, path '" + path + "' is matched twice");
    }
  }

  private static void set(BsonDocument seed, String path, BsonValue value) {
    String[] parts = path.split("\\.", -1);
    BsonDocument at = seed;
    for (int i = 0; i < parts.length - 1; i++) {
      BsonValue child = at.get(parts[i]);
      if (child == null) {
        child = new BsonDocument();
        at.put(parts[i], child);
      }
      if (!(child instanceof BsonDocument document)) {
        throw new EngineException(
            ErrorCodes.PATH_NOT_VIABLE,
            "Cannot create field '" + parts[i + 1] + "' in element {" + parts[i] + "}");
      }
      at = document;
    }
    at.put(parts[parts.length - 1], Mutable.copy(value));
  }
}
