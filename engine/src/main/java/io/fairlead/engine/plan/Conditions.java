// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import io.fairlead.engine.geo.GeoPredicate;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.query.Predicate;
import io.fairlead.engine.query.Predicate.Comparison;
import io.fairlead.engine.query.Predicate.Operator;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Indexes;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonRegularExpression;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What a filter says about single paths, as intervals. Every condition must hold, each of some
 * element where the path goes through an array; conditions of one {@code $elemMatch} on values hold
 * of the same element and are one condition.
 */
final class Conditions {
  private final Map<String, List<Intervals>> byPath = new HashMap<>();
  private final Map<String, List<Intervals>> notForSparse = new HashMap<>();
  private final Map<String, List<GeoPredicate>> regions = new HashMap<>();
  private final Map<String, List<List<BsonValue>>> equalities = new HashMap<>();
  private final Set<String> present = new LinkedHashSet<>();
  private final boolean wildcard;
  private int conditions;
  private boolean complete = true;

  private Conditions(boolean wildcard) {
    this.wildcard = wildcard;
  }

  static Conditions of(Predicate filter) {
    Conditions conditions = new Conditions(false);
    conditions.add(filter, "");
    return conditions;
  }

  /**
   * The conditions that a wildcard index can express: none on documents or arrays, which it does
   * not have as values.
   */
  static Conditions forWildcard(Predicate filter) {
    Conditions conditions = new Conditions(true);
    conditions.add(filter, "");
    return conditions;
  }

  /** The paths on which an index without nulls can answer something. */
  Set<String> paths() {
    return byPath.keySet();
  }

  /** The paths that must be there, whatever their values. */
  Set<String> present() {
    return present;
  }

  /** The regions in which, or at which, the geometry at a path must be; each on its own. */
  List<GeoPredicate> regions(String path) {
    return regions.getOrDefault(path, List.of());
  }

  /** The values of which the one at a path must be one; for each condition. */
  List<List<BsonValue>> equalities(String path) {
    return equalities.getOrDefault(path, List.of());
  }

  /**
   * The intervals of each condition on that path; those that a sparse index cannot answer are left
   * out for one.
   */
  List<Intervals> on(String path, boolean sparse) {
    List<Intervals> always = byPath.getOrDefault(path, List.of());
    if (sparse || !notForSparse.containsKey(path) || isNumbered(path)) {
      return always;
    }
    List<Intervals> all = new ArrayList<>(always);
    all.addAll(notForSparse.getOrDefault(path, List.of()));
    return all;
  }

  /**
   * Whether a number in the path picks an element where it meets an array. The key is that element
   * then, while the field may be missing in other elements: such an index says nothing about null.
   */
  private static boolean isNumbered(String path) {
    for (String part : path.split("\\.", -1)) {
      if (Indexes.parse(part) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether the filter says nothing but these conditions. */
  boolean complete() {
    return complete;
  }

  /** How many conditions there are. */
  int count() {
    return conditions;
  }

  private void add(Predicate part, String prefix) {
    switch (part) {
      case Predicate.And and -> and.children().forEach(child -> add(child, prefix));
      case Predicate.ElementMatch match -> {
        // Its conditions hold of one element, which the intervals cannot say: the document has to
        // be looked at.
        complete = false;
        add(match.child(), join(prefix, match.path()) + ".");
      }
      case Predicate.ElementValueMatch match -> {
        complete = false;
        Intervals all = null;
        for (Predicate child : match.children()) {
          Optional<Intervals> one = expressible(child);
          if (one.isPresent() && !nullish(child)) {
            all = all == null ? one.get() : all.and(one.get());
          }
        }
        if (all != null) {
          put(byPath, join(prefix, match.path()), all.inexact());
        }
      }
      case Predicate.Constant constant -> complete &= constant.value();
      case Predicate.Nor nor -> complete = false;
      case Predicate.Not not -> complete = false;
      case Predicate.Or or -> complete = false;
      case Predicate.Opaque opaque -> complete = false;
      case Predicate.Type type -> complete = false;
      case Predicate.Exists exists -> {
        complete = false;
        present.add(join(prefix, exists.path()));
      }
      case Predicate.Near near -> complete = false;
      case Predicate.Text text -> complete = false;
      case Predicate.Geo geo -> {
        complete = false;
        regions
            .computeIfAbsent(join(prefix, geo.path()), name -> new ArrayList<>(1))
            .add(geo.geo());
      }
      case Comparison comparison -> leaf(part, join(prefix, comparison.path()));
      case Predicate.In in -> leaf(part, join(prefix, in.path()));
      case Predicate.Regex regex -> leaf(part, join(prefix, regex.path()));
    }
  }

  private void leaf(Predicate part, String path) {
    conditions++;
    noteEqualities(part, path);
    Optional<Intervals> found = expressible(part);
    if (found.isEmpty()) {
      complete = false;
      return;
    }
    put(nullish(part) ? notForSparse : byPath, path, found.get());
  }

  /** What an index says about a condition; a wildcard index has keys for scalars alone. */
  private Optional<Intervals> expressible(Predicate part) {
    return wildcard && !isScalar(part) ? Optional.empty() : intervals(part);
  }

  private void noteEqualities(Predicate part, String path) {
    List<BsonValue> values =
        switch (part) {
          case Comparison equal when equal.operator() == Operator.EQ -> List.of(equal.value());
          case Predicate.In in when in.patterns().isEmpty() -> in.values();
          default -> List.of();
        };
    if (!values.isEmpty() && values.stream().noneMatch(Conditions::isHashedOtherwise)) {
      equalities.computeIfAbsent(path, name -> new ArrayList<>(1)).add(values);
    }
  }

  /** Values that equal others with another hash. */
  private static boolean isHashedOtherwise(BsonValue value) {
    return switch (value.getBsonType()) {
      case ARRAY, UNDEFINED, REGULAR_EXPRESSION, DOCUMENT -> true;
      default -> false;
    };
  }

  private static boolean isScalar(Predicate part) {
    return switch (part) {
      case Comparison comparison -> isScalar(comparison.value());
      case Predicate.In in -> in.values().stream().allMatch(Conditions::isScalar);
      default -> true;
    };
  }

  private static boolean isScalar(BsonValue value) {
    return switch (value.getBsonType()) {
      case DOCUMENT, ARRAY, NULL, UNDEFINED, MIN_KEY, MAX_KEY -> false;
      default -> true;
    };
  }

  private static void put(Map<String, List<Intervals>> map, String path, Intervals intervals) {
    map.computeIfAbsent(path, name -> new ArrayList<>(1)).add(intervals);
  }

  private static String join(String prefix, FieldPath path) {
    return path.dotted().isEmpty() && prefix.endsWith(".")
        ? prefix.substring(0, prefix.length() - 1)
        : prefix + path.dotted();
  }

  /** Whether a missing field satisfies it. */
  private static boolean nullish(Predicate part) {
    return switch (part) {
      case Comparison comparison -> comparison.value().isNull();
      case Predicate.In in -> in.values().stream().anyMatch(BsonValue::isNull);
      default -> false;
    };
  }

  private static Optional<Intervals> intervals(Predicate part) {
    return switch (part) {
      case Comparison comparison ->
          Optional.ofNullable(comparison(comparison.operator(), comparison.value()));
      case Predicate.In in -> {
        List<Intervals> each = new ArrayList<>(in.values().size() + in.patterns().size());
        for (BsonValue value : in.values()) {
          each.add(equal(value));
        }
        for (BsonRegularExpression pattern : in.patterns()) {
          each.add(pattern(pattern));
        }
        yield Optional.of(Intervals.anyOf(each));
      }
      case Predicate.Regex regex -> Optional.of(pattern(regex.pattern()));
      default -> Optional.empty();
    };
  }

  private static @Nullable Intervals comparison(Operator operator, BsonValue value) {
    if (operator == Operator.EQ) {
      return equal(value);
    }
    return switch (value.getBsonType()) {
      case NULL ->
          operator == Operator.GTE || operator == Operator.LTE
              ? equal(value)
              : Intervals.none().inexact();
      // Compared across types, or with elements and with the whole array.
      case MIN_KEY, MAX_KEY, ARRAY, REGULAR_EXPRESSION, UNDEFINED -> null;
      default -> {
        if (value.isNumber()
            && Double.isNaN(Values.isNumber(value) ? value.asNumber().doubleValue() : 0)) {
          yield null;
        }
        yield ordered(operator, value);
      }
    };
  }

  private static Intervals ordered(Operator operator, BsonValue value) {
    byte[] key = new KeyWriter().value(value).toBytes();
    ByteRange bracket =
        new ByteRange(KeyWriter.startOfBracket(value), KeyWriter.endOfBracket(value));
    byte[] behind = ByteRange.after(key);
    ByteRange range =
        switch (operator) {
          case GT -> new ByteRange(behind == null ? key : behind, bracket.to());
          case GTE -> new ByteRange(key, bracket.to());
          case LT -> new ByteRange(bracket.from(), key);
          case LTE -> new ByteRange(bracket.from(), behind);
          case EQ -> throw new IllegalArgumentException("an equality is a point");
        };
    boolean exact =
        switch (value.getBsonType()) {
          case INT32, INT64, DOUBLE, DECIMAL128, STRING, DATE_TIME, OBJECT_ID, TIMESTAMP, BOOLEAN ->
              true;
          default -> false;
        };
    String shown = Values.show(value);
    String text =
        switch (operator) {
          case GT -> "(" + shown + ", " + end(value) + ")";
          case GTE -> "[" + shown + ", " + end(value) + ")";
          case LT -> "(" + start(value) + ", " + shown + ")";
          case LTE -> "(" + start(value) + ", " + shown + "]";
          case EQ -> shown;
        };
    return Intervals.range(range, exact, text);
  }

  private static String end(BsonValue value) {
    return switch (value.getBsonType()) {
      case INT32, INT64, DOUBLE, DECIMAL128 -> "inf.0";
      case STRING -> "{}";
      case DATE_TIME -> "new Date(9223372036854775807)";
      default -> "MaxKey";
    };
  }

  private static String start(BsonValue value) {
    return switch (value.getBsonType()) {
      case INT32, INT64, DOUBLE, DECIMAL128 -> "-inf.0";
      case STRING -> "\"\"";
      case DATE_TIME -> "new Date(-9223372036854775808)";
      default -> "MinKey";
    };
  }

  private static Intervals equal(BsonValue value) {
    String shown = Values.show(value);
    String text = "[" + shown + ", " + shown + "]";
    byte[] key = new KeyWriter().value(value).toBytes();
    return switch (value.getBsonType()) {
      // The array itself as an element, or its first element when it is the whole value.
      case ARRAY -> {
        BsonValue first = value.asArray().isEmpty() ? new BsonUndefined() : value.asArray().get(0);
        String firstShown = Values.show(first);
        yield Intervals.point(key, false, text)
            .or(
                Intervals.point(
                    new KeyWriter().value(first).toBytes(),
                    false,
                    "[" + firstShown + ", " + firstShown + "]"));
      }
      // Also matches what is missing, and on a path through arrays not all of what is missing.
      case NULL, UNDEFINED, REGULAR_EXPRESSION -> Intervals.point(key, false, text);
      default -> Intervals.point(key, true, text);
    };
  }

  private static Intervals pattern(BsonRegularExpression pattern) {
    String prefix = RegexPrefix.of(pattern);
    byte[] start = new KeyWriter().value(new org.bson.BsonString(prefix)).toBytes();
    // Without the end of the string, its beginning is the beginning of all keys that begin so.
    byte[] open = Arrays.copyOf(start, start.length - 1);
    String shown = Values.show(pattern);
    return Intervals.range(ByteRange.startingWith(open), false, "[\"" + prefix + "\", {})")
        .or(
            Intervals.point(
                new KeyWriter().value(pattern).toBytes(), false, "[" + shown + ", " + shown + "]"));
  }
}
