// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import java.util.HashSet;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Which paths a wildcard index covers: those below one path, or those that a projection keeps.
 *
 * @param below the path in front of {@code .$**}; empty for the whole document
 * @param listed the paths of the projection
 * @param including whether those are kept, rather than left out
 */
public record WildcardPaths(String below, Set<String> listed, boolean including) {
  public WildcardPaths {
    listed = Set.copyOf(listed);
  }

  /**
   * The paths of a wildcard field.
   *
   * @param field {@code $**} or {@code path.$**}
   * @param projection the index's {@code wildcardProjection}, or null
   */
  static WildcardPaths of(String field, @Nullable BsonDocument projection) {
    String below = field.equals("$**") ? "" : field.substring(0, field.length() - 4);
    if (!below.isEmpty()) {
      return new WildcardPaths(below, Set.of(), false);
    }
    if (projection == null) {
      return new WildcardPaths("", Set.of("_id"), false);
    }
    Set<String> included = new HashSet<>();
    Set<String> excluded = new HashSet<>();
    flatten("", projection, included, excluded);
    boolean onlyId = included.stream().allMatch(path -> path.equals("_id")) && !included.isEmpty();
    if (!included.isEmpty() && !(onlyId && !excluded.isEmpty())) {
      return new WildcardPaths("", included, true);
    }
    if (!included.contains("_id")) {
      excluded.add("_id");
    }
    return new WildcardPaths("", excluded, false);
  }

  private static void flatten(
      String prefix, BsonDocument projection, Set<String> included, Set<String> excluded) {
    for (var field : projection.entrySet()) {
      String path = prefix + field.getKey();
      BsonValue value = field.getValue();
      if (value.isDocument()) {
        flatten(path + ".", value.asDocument(), included, excluded);
      } else if (io.fairlead.engine.value.Values.truthy(value)) {
        included.add(path);
      } else {
        excluded.add(path);
      }
    }
  }

  /** Whether values at that path are in the index. */
  public boolean covers(String path) {
    if (!below.isEmpty()) {
      return isWithin(path, below);
    }
    boolean isListed = listed.stream().anyMatch(one -> isWithin(path, one));
    return including == isListed;
  }

  /** Whether that path, or one below it, may be in the index. */
  boolean leadsTo(String path) {
    if (!below.isEmpty()) {
      return isWithin(path, below) || isWithin(below, path);
    }
    return including
        ? listed.stream().anyMatch(one -> isWithin(path, one) || isWithin(one, path))
        : covers(path);
  }

  private static boolean isWithin(String path, String outer) {
    return path.equals(outer)
        || (path.length() > outer.length()
            && path.charAt(outer.length()) == '.'
            && path.startsWith(outer));
  }
}
