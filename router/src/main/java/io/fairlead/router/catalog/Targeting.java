// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.catalog;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.query.Predicate;
import io.fairlead.engine.value.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Which shards may have documents that a filter matches. Errs only towards more shards.
 *
 * <p>Looks for values that fix the whole key ({@code =} and {@code $in} on each field), else for a
 * range of its first field when that is not hashed; an {@code $or} whose branches can all be
 * narrowed is their union. A collation other than the simple one narrows nothing that compares
 * strings, so then everything is asked.
 */
public final class Targeting {

  private static final int COMBINATIONS_MAX = 500;

  private final RoutingTable table;

  private Targeting(RoutingTable table) {
    this.table = table;
  }

  /** The shards to ask; never none. */
  public static SequencedSet<String> shards(
      RoutingTable table, BsonDocument filter, boolean collated, OperationContext context) {
    if (filter.isEmpty() || collated) {
      return table.shards();
    }
    SequencedSet<String> found =
        new Targeting(table).of(Matcher.compile(filter, context).predicate());
    return found.isEmpty() ? nothing(table) : found;
  }

  /**
   * A filter that cannot match is still asked somewhere, for the errors and the shape of the
   * answer.
   */
  private static SequencedSet<String> nothing(RoutingTable table) {
    return new TreeSet<>(List.of(table.shards().getFirst()));
  }

  /** The key value that a filter fixes by equality on every field; null when it does not. */
  public static BsonValue @Nullable [] fixedKey(
      RoutingTable table, BsonDocument filter, boolean collated, OperationContext context) {
    if (collated) {
      return null;
    }
    List<BsonValue[]> keys =
        new Targeting(table).keys(conjuncts(Matcher.compile(filter, context).predicate()));
    return keys != null && keys.size() == 1 ? keys.getFirst() : null;
  }

  private SequencedSet<String> of(Predicate predicate) {
    List<Predicate> conjuncts = conjuncts(predicate);
    List<BsonValue[]> keys = keys(conjuncts);
    if (keys != null) {
      TreeSet<String> shards = new TreeSet<>();
      keys.forEach(key -> shards.add(table.chunkOf(key).shard()));
      return shards;
    }
    SequencedSet<String> narrowed = firstFieldRange(conjuncts);
    for (Predicate conjunct : conjuncts) {
      if (conjunct instanceof Predicate.Or or && !or.children().isEmpty()) {
        TreeSet<String> union = new TreeSet<>();
        or.children().forEach(child -> union.addAll(of(child)));
        narrowed.retainAll(union);
      }
    }
    return narrowed;
  }

  private static List<Predicate> conjuncts(Predicate predicate) {
    List<Predicate> flat = new ArrayList<>();
    flatten(predicate, flat);
    return flat;
  }

  private static void flatten(Predicate predicate, List<Predicate> flat) {
    if (predicate instanceof Predicate.And and) {
      and.children().forEach(child -> flatten(child, flat));
    } else {
      flat.add(predicate);
    }
  }

  /**
   * Every key value that the conditions allow, when they fix each field to some values; null when
   * they do not.
   */
  private @Nullable List<BsonValue[]> keys(List<Predicate> conjuncts) {
    ShardKey key = table.key();
    List<BsonValue[]> keys = new ArrayList<>();
    keys.add(new BsonValue[key.fields().size()]);
    for (int field = 0; field < key.fields().size(); field++) {
      List<BsonValue> values = valuesOf(FieldPath.of(key.fields().get(field)), conjuncts);
      if (values == null || (long) keys.size() * values.size() > COMBINATIONS_MAX) {
        return null;
      }
      List<BsonValue[]> longer = new ArrayList<>();
      for (BsonValue[] prefix : keys) {
        for (BsonValue value : values) {
          BsonValue[] extended = prefix.clone();
          extended[field] = key.stored(field, value);
          longer.add(extended);
        }
      }
      keys = longer;
    }
    return keys;
  }

  private static @Nullable List<BsonValue> valuesOf(FieldPath path, List<Predicate> conjuncts) {
    for (Predicate conjunct : conjuncts) {
      if (conjunct
              instanceof
              Predicate.Comparison(FieldPath p, Predicate.Operator operator, BsonValue value)
          && p.equals(path)
          && operator == Predicate.Operator.EQ
          && isPoint(value)) {
        return List.of(value);
      }
      if (conjunct instanceof Predicate.In(FieldPath p, List<BsonValue> values, var patterns)
          && p.equals(path)
          && patterns.isEmpty()
          && values.stream().allMatch(Targeting::isPoint)) {
        return values;
      }
    }
    return null;
  }

  /** An array as operand also matches elements, and a key is never one. */
  private static boolean isPoint(BsonValue value) {
    return !value.isArray() && !value.isRegularExpression();
  }

  private SequencedSet<String> firstFieldRange(List<Predicate> conjuncts) {
    ShardKey key = table.key();
    if (key.isHashed(0)) {
      return table.shards();
    }
    FieldPath first = FieldPath.of(key.fields().getFirst());
    BsonValue low = new BsonMinKey();
    BsonValue high = new BsonMaxKey();
    for (Predicate conjunct : conjuncts) {
      if (conjunct
              instanceof
              Predicate.Comparison(FieldPath path, Predicate.Operator operator, BsonValue value)
          && path.equals(first)
          && isPoint(value)) {
        switch (operator) {
          case EQ -> {
            low = value;
            high = value;
          }
          case GT, GTE -> low = value;
          case LT, LTE -> high = value;
        }
      }
    }
    List<BsonValue> values = valuesOf(first, conjuncts);
    if (values != null && values.size() <= COMBINATIONS_MAX) {
      TreeSet<String> shards = new TreeSet<>();
      values.forEach(value -> shards.addAll(between(value, value)));
      return shards;
    }
    return between(low, high);
  }

  private SequencedSet<String> between(BsonValue low, BsonValue high) {
    BsonValue[] from = table.key().lowest();
    BsonValue[] to = table.key().highest();
    from[0] = low;
    to[0] = high;
    return ShardKey.compare(from, to) > 0 ? new TreeSet<>() : table.shardsBetween(from, to);
  }
}
