// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.query.Predicate;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Values;
import java.util.List;

/**
 * A filter's tree without what depends on how strings are compared: those conditions are left to
 * the documents.
 */
final class StringBlind {
  private StringBlind() {}

  static Predicate of(Predicate predicate) {
    return switch (predicate) {
      case Predicate.And and -> new Predicate.And(all(and.children()));
      case Predicate.Or or -> new Predicate.Or(all(or.children()));
      case Predicate.Nor nor -> new Predicate.Nor(all(nor.children()));
      case Predicate.Not not -> new Predicate.Not(of(not.child()));
      case Predicate.Comparison comparison when Values.hasStrings(comparison.value()) ->
          opaque(comparison.path());
      case Predicate.In in
          when !in.patterns().isEmpty() || in.values().stream().anyMatch(Values::hasStrings) ->
          opaque(in.path());
      case Predicate.Regex regex -> opaque(regex.path());
      case Predicate.ElementMatch match ->
          new Predicate.ElementMatch(match.path(), of(match.child()));
      case Predicate.ElementValueMatch match ->
          new Predicate.ElementValueMatch(match.path(), all(match.children()));
      default -> predicate;
    };
  }

  /** Whether anything in a tree depends on how strings are compared. */
  static boolean saysStrings(Predicate predicate) {
    return !of(predicate).equals(predicate);
  }

  private static List<Predicate> all(List<Predicate> children) {
    return children.stream().map(StringBlind::of).toList();
  }

  private static Predicate opaque(FieldPath path) {
    return new Predicate.Opaque("collated", path);
  }
}
