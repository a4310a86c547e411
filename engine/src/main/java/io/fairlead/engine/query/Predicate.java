// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.geo.GeoPredicate;
import io.fairlead.engine.geo.NearQuery;
import io.fairlead.engine.text.TextQuery;
import io.fairlead.engine.value.FieldPath;
import java.util.List;
import java.util.Set;
import org.bson.BsonRegularExpression;
import org.bson.BsonValue;

/**
 * A filter as a tree, for the planner. {@code $ne} is {@code Not(Comparison EQ)}, {@code $nin} is
 * {@code Not(In)}, {@code {$exists: false}} is {@code Not(Exists)}, {@code $all} is an {@code And}.
 * Nodes that no index can answer are {@link Opaque}.
 */
public sealed interface Predicate {
  /** All hold; an empty one holds always. */
  record And(List<Predicate> children) implements Predicate {}

  record Or(List<Predicate> children) implements Predicate {}

  /** None holds. */
  record Nor(List<Predicate> children) implements Predicate {}

  record Not(Predicate child) implements Predicate {}

  /**
   * A value at the path, or an element of an array there, compares so with {@code value}; type
   * bracketing applies.
   */
  record Comparison(FieldPath path, Operator operator, BsonValue value) implements Predicate {}

  /** Equal to one of the values, or matched by one of the patterns. */
  record In(FieldPath path, List<BsonValue> values, List<BsonRegularExpression> patterns)
      implements Predicate {}

  record Exists(FieldPath path) implements Predicate {}

  /** The BSON type at the path is one of these codes (numbers expanded to their four types). */
  record Type(FieldPath path, Set<Integer> codes) implements Predicate {}

  record Regex(FieldPath path, BsonRegularExpression pattern) implements Predicate {}

  /**
   * An element of the array at the path is a document for which the child, with paths inside it,
   * holds.
   */
  record ElementMatch(FieldPath path, Predicate child) implements Predicate {}

  /**
   * An element of the array at the path satisfies all children, whose paths are empty and mean the
   * element itself.
   */
  record ElementValueMatch(FieldPath path, List<Predicate> children) implements Predicate {}

  /** A geometry at the path lies in a region, or touches it. */
  record Geo(FieldPath path, GeoPredicate geo) implements Predicate {}

  /** Nearest first; needs an index on geometry. */
  record Near(FieldPath path, NearQuery near) implements Predicate {}

  /** A search for words; needs the text index. */
  record Text(TextQuery query) implements Predicate {}

  /**
   * Evaluated on the document only: {@code $expr}, {@code $mod}, {@code $size}, bits, {@code
   * $jsonSchema} …
   */
  record Opaque(String operator, FieldPath path) implements Predicate {}

  /**
   * {@code $alwaysTrue} and {@code $alwaysFalse}, and what is known never to match, as {@code {$in:
   * []}}.
   */
  record Constant(boolean value) implements Predicate {}

  /** The ordering operators. */
  enum Operator {
    EQ,
    GT,
    GTE,
    LT,
    LTE
  }
}
