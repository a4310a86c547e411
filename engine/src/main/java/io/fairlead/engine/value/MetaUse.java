// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import io.fairlead.engine.error.EngineException;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Which {@code $meta} a specification uses, and whether there is such a thing. */
public final class MetaUse {
  private static final int NOT_AVAILABLE = 40218;

  private MetaUse() {}

  /** The names within every {@code {$meta: name}} of a specification. */
  public static Set<String> of(BsonValue specification) {
    Set<String> names = new TreeSet<>();
    collect(specification, names);
    return names;
  }

  private static void collect(BsonValue value, Set<String> into) {
    if (value instanceof BsonDocument document) {
      if (document.size() == 1 && document.get("$meta") instanceof BsonString name) {
        into.add(name.getValue());
        return;
      }
      document.forEach(
          (name, field) -> {
            if (!name.equals("$literal")) {
              collect(field, into);
            }
          });
    } else if (value.isArray()) {
      value.asArray().forEach(element -> collect(element, into));
    }
  }

  private static String spoken(String name) {
    return switch (name) {
      case "textScore" -> "text score";
      case "sortKey" -> "sort key";
      default -> name;
    };
  }

  /**
   * Refuses the use of what the query does not give.
   *
   * @param text whether the query searches for words
   * @param near whether it looks for what is near
   * @param found whether it reads records, so that there is a record id and an index key
   * @param sorted whether it sorts
   * @throws EngineException 40218
   */
  public static void check(
      BsonValue specification, boolean text, boolean near, boolean found, boolean sorted) {
    for (String name : of(specification)) {
      boolean given =
          switch (name) {
            case "textScore" -> text;
            case "geoNearDistance", "geoNearPoint" -> near;
            case "recordId", "indexKey" -> found;
            case "sortKey" -> sorted;
            case "randVal" -> true;
            default -> false;
          };
      if (!given) {
        throw new EngineException(
            NOT_AVAILABLE, "query requires " + spoken(name) + " metadata, but it is not available");
      }
    }
  }
}
