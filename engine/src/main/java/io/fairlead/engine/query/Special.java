// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code $near} and {@code $text} in a filter: conditions that say which index is read, and of
 * which there can be one.
 */
public final class Special {
  private Special() {}

  /** The {@code $near} of a filter, or null. */
  public static Predicate.@Nullable Near near(Predicate filter) {
    List<Predicate> found = new ArrayList<>();
    collect(filter, found);
    for (Predicate one : found) {
      if (one instanceof Predicate.Near near) {
        return near;
      }
    }
    return null;
  }

  /** The {@code $text} of a filter, or null. */
  public static Predicate.@Nullable Text text(Predicate filter) {
    List<Predicate> found = new ArrayList<>();
    collect(filter, found);
    for (Predicate one : found) {
      if (one instanceof Predicate.Text text) {
        return text;
      }
    }
    return null;
  }

  private static void collect(Predicate part, List<Predicate> into) {
    switch (part) {
      case Predicate.And and -> and.children().forEach(child -> collect(child, into));
      case Predicate.Or or -> or.children().forEach(child -> collect(child, into));
      case Predicate.Nor nor -> nor.children().forEach(child -> collect(child, into));
      case Predicate.Not not -> collect(not.child(), into);
      case Predicate.ElementMatch match -> collect(match.child(), into);
      case Predicate.ElementValueMatch match ->
          match.children().forEach(child -> collect(child, into));
      case Predicate.Near near -> into.add(near);
      case Predicate.Text text -> into.add(text);
      case Predicate.Comparison comparison -> {}
      case Predicate.In in -> {}
      case Predicate.Exists exists -> {}
      case Predicate.Type type -> {}
      case Predicate.Regex regex -> {}
      case Predicate.Geo geo -> {}
      case Predicate.Opaque opaque -> {}
      case Predicate.Constant constant -> {}
    }
  }

  /**
   * Refuses them where they cannot be.
   *
   * @throws EngineException 2
   */
  static void check(Predicate filter) {
    List<Predicate> found = new ArrayList<>();
    collect(filter, found);
    if (found.isEmpty()) {
      return;
    }
    long nears = found.stream().filter(Predicate.Near.class::isInstance).count();
    if (nears > 1) {
      throw bad("Too many geoNear expressions");
    }
    if (found.size() - nears > 1) {
      throw bad("Too many text expressions");
    }
    if (found.size() > 1) {
      throw bad("text and geoNear not allowed in same query");
    }
    if (nears == 1 && !isOnTop(filter, found.getFirst())) {
      throw bad("geoNear must be top-level expr");
    }
    if (nears == 0) {
      checkText(filter);
    }
  }

  /** Refuses both of them: where no index takes part. */
  static void refuse(Predicate filter) {
    List<Predicate> found = new ArrayList<>();
    collect(filter, found);
    if (!found.isEmpty()) {
      throw bad(
          (found.getFirst() instanceof Predicate.Near ? "$near" : "$text")
              + " is not allowed in this context");
    }
  }

  public static boolean isOnTop(Predicate filter, Predicate wanted) {
    return filter.equals(wanted)
        || (filter instanceof Predicate.And and
            && and.children().stream().anyMatch(child -> isOnTop(child, wanted)));
  }

  private static void checkText(Predicate part) {
    switch (part) {
      case Predicate.And and -> and.children().forEach(Special::checkText);
      case Predicate.Or or -> or.children().forEach(Special::checkText);
      case Predicate.Text text -> {}
      default -> {
        List<Predicate> within = new ArrayList<>();
        collect(part, within);
        if (!within.isEmpty()) {
          throw bad(
              part instanceof Predicate.Nor
                  ? "text expression not allowed in nor"
                  : "$text cannot be negated, nor be within $elemMatch");
        }
      }
    }
  }

  private static EngineException bad(String message) {
    return new EngineException(ErrorCodes.BAD_VALUE, message);
  }
}
