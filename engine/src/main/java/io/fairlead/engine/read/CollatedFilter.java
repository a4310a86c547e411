// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.query.Predicate;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.SortTexts;
import io.fairlead.engine.value.StringOrder;
import java.util.List;

/**
 * A filter's tree as an index with a collation sees it: every string is its sort key, which is text
 * itself. What looks at the characters of strings is left to the documents.
 */
final class CollatedFilter {
  private CollatedFilter() {}

  static Predicate of(Predicate predicate, StringOrder strings) {
    return switch (predicate) {
      case Predicate.And and -> new Predicate.And(all(and.children(), strings));
      case Predicate.Or or -> new Predicate.Or(all(or.children(), strings));
      case Predicate.Nor nor -> new Predicate.Nor(all(nor.children(), strings));
      case Predicate.Not not -> new Predicate.Not(of(not.child(), strings));
      case Predicate.Comparison comparison ->
          new Predicate.Comparison(
              comparison.path(), comparison.operator(), SortTexts.of(comparison.value(), strings));
      case Predicate.In in when !in.patterns().isEmpty() -> opaque(in.path());
      case Predicate.In in ->
          new Predicate.In(
              in.path(),
              in.values().stream().map(value -> SortTexts.of(value, strings)).toList(),
              List.of());
      case Predicate.Regex regex -> opaque(regex.path());
      case Predicate.ElementMatch match ->
          new Predicate.ElementMatch(match.path(), of(match.child(), strings));
      case Predicate.ElementValueMatch match ->
          new Predicate.ElementValueMatch(match.path(), all(match.children(), strings));
      default -> predicate;
    };
  }

  private static List<Predicate> all(List<Predicate> children, StringOrder strings) {
    return children.stream().map(child -> of(child, strings)).toList();
  }

  private static Predicate opaque(FieldPath path) {
    return new Predicate.Opaque("$regex", path);
  }
}
