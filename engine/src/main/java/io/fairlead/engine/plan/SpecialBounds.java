// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.geo.CellSpace;
import io.fairlead.engine.geo.GeoCells;
import io.fairlead.engine.geo.GeoPredicate;
import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.index.IndexKind;
import io.fairlead.engine.index.KeyBytes;
import io.fairlead.engine.index.KeyPattern;
import io.fairlead.engine.index.WildcardPaths;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.query.Predicate;
import io.fairlead.engine.value.ValueHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Where in a special index the documents of a query are.
 *
 * @param pattern the fields that the bounds are of; of a wildcard index those of one path
 * @param multikey bit {@code i}: field {@code i} of the pattern goes through an array
 * @param unordered bit {@code i}: the order of field {@code i} is not that of its values
 * @param coversAll whether no bounds are needed for every document to be in the index
 */
record SpecialBounds(
    KeyPattern pattern, long multikey, long unordered, boolean coversAll, IndexBounds bounds) {

  /**
   * The bounds of a query on an index with a hash, with geometry or with wildcards; null when it
   * can answer nothing of it.
   */
  static @Nullable SpecialBounds of(IndexState index, Predicate filter, Conditions conditions) {
    return switch (index.definition().kind()) {
      case ORDERED, TEXT -> null;
      case HASHED -> hashed(index, conditions);
      case WILDCARD -> wildcard(index, filter);
      case GEO_SPHERE, GEO_PLANE -> geo(index, conditions);
    };
  }

  private static long unordered(IndexDefinition index) {
    long bits = 0;
    for (int i = 0; i < index.pattern().size(); i++) {
      bits |= index.isSpecial(i) ? 1L << i : 0;
    }
    return bits;
  }

  private static SpecialBounds hashed(IndexState index, Conditions conditions) {
    IndexDefinition definition = index.definition();
    IndexBounds bounds =
        IndexBounds.of(
            definition.pattern(),
            index.multikey(),
            field -> {
              String path = definition.pattern().fields().get(field).path();
              return definition.isSpecial(field)
                  ? hashes(conditions.equalities(path))
                  : conditions.on(path, definition.sparse());
            });
    return new SpecialBounds(
        definition.pattern(),
        index.multikey(),
        unordered(definition),
        !definition.sparse(),
        bounds);
  }

  private static List<Intervals> hashes(List<List<BsonValue>> equalities) {
    List<Intervals> all = new ArrayList<>(equalities.size());
    for (List<BsonValue> values : equalities) {
      List<Intervals> each = new ArrayList<>(values.size());
      for (BsonValue value : values) {
        long hash = ValueHash.of(value);
        each.add(Intervals.point(KeyBytes.number(hash), false, "[" + hash + ", " + hash + "]"));
      }
      all.add(Intervals.anyOf(each).inexact());
    }
    return all;
  }

  private static @Nullable SpecialBounds geo(IndexState index, Conditions conditions) {
    IndexDefinition definition = index.definition();
    GeoCells cells = Objects.requireNonNull(definition.cells());
    boolean[] asked = {false};
    IndexBounds bounds =
        IndexBounds.of(
            definition.pattern(),
            // Two regions on one field are each in an entry of their own.
            index.multikey(),
            field -> {
              String path = definition.pattern().fields().get(field).path();
              if (!definition.isSpecial(field)) {
                return conditions.on(path, false);
              }
              List<Intervals> all = new ArrayList<>(1);
              for (GeoPredicate region : conditions.regions(path)) {
                if (cells.serves(region)) {
                  asked[0] = true;
                  all.add(cells(cells.ranges(region)));
                }
              }
              return all.isEmpty() ? all : List.of(all.getFirst());
            });
    return asked[0]
        ? new SpecialBounds(
            definition.pattern(), index.multikey(), unordered(definition), false, bounds)
        : null;
  }

  /** The intervals of cells. */
  static Intervals cells(List<CellSpace.Range> ranges) {
    List<ByteRange> bytes = new ArrayList<>(ranges.size());
    List<String> text = new ArrayList<>(ranges.size());
    for (CellSpace.Range range : ranges) {
      bytes.add(
          new ByteRange(
              KeyBytes.number(range.from()), ByteRange.after(KeyBytes.number(range.to()))));
      text.add("[" + range.from() + ", " + range.to() + "]");
    }
    return new Intervals(bytes, false, false, text);
  }

  /** The path of the query on which the index has the fewest entries to read. */
  private static @Nullable SpecialBounds wildcard(IndexState index, Predicate filter) {
    WildcardPaths paths = Objects.requireNonNull(index.definition().wildcard());
    Conditions conditions = Conditions.forWildcard(filter);
    SpecialBounds best = null;
    long fewest = Long.MAX_VALUE;
    Set<String> candidates = new LinkedHashSet<>(conditions.paths());
    candidates.addAll(conditions.present());
    for (String path : candidates) {
      if (!paths.covers(path) || hasNumber(path)) {
        continue;
      }
      SpecialBounds bounds = wildcard(index, conditions, path);
      if (bounds == null) {
        continue;
      }
      long entries = 0;
      for (ByteRange range : bounds.bounds.ranges()) {
        entries += index.entries().count(range.from(), range.to());
      }
      if (entries < fewest) {
        fewest = entries;
        best = bounds;
      }
    }
    return best;
  }

  /** A number in a path may be a position in an array, which the index does not have. */
  private static boolean hasNumber(String path) {
    return Arrays.stream(path.split("\\.", -1))
        .anyMatch(part -> !part.isEmpty() && part.chars().allMatch(Character::isDigit));
  }

  private static @Nullable SpecialBounds wildcard(
      IndexState index, Conditions conditions, String path) {
    List<KeyPattern.Field> fields = new ArrayList<>();
    List<Integer> origins = new ArrayList<>();
    int place = 0;
    KeyPattern pattern = index.definition().pattern();
    for (int i = 0; i < pattern.size(); i++) {
      KeyPattern.Field field = pattern.fields().get(i);
      if (index.definition().isSpecial(i)) {
        place = fields.size();
        fields.add(new KeyPattern.Field("$_path", false));
        fields.add(new KeyPattern.Field(path, false));
        origins.add(i);
      } else {
        fields.add(field);
      }
      origins.add(i);
    }
    int pathField = place;
    long multikey = 0;
    for (int i = 0; i < fields.size(); i++) {
      boolean many = ((index.multikey() >>> origins.get(i)) & 1) != 0;
      multikey |= many && i != pathField ? 1L << i : 0;
    }
    KeyPattern virtual = new KeyPattern(fields);
    // Nothing is said of the value but that there is one: it may be a document.
    boolean within = conditions.on(path, true).isEmpty();
    IndexBounds bounds =
        IndexBounds.of(
            virtual,
            multikey,
            field ->
                field == pathField
                    ? List.of(within ? point(path).or(below(path)) : point(path))
                    : conditions.on(virtual.fields().get(field).path(), field == pathField + 1));
    // Without the path before it, or bounds on its value, the entries say nothing about the query.
    return bounds.bounded() > pathField + (within ? 0 : 1)
        ? new SpecialBounds(virtual, multikey, 0, false, bounds)
        : null;
  }

  /** The paths below one. */
  private static Intervals below(String path) {
    byte[] start = new KeyWriter().value(new BsonString(path + ".")).toBytes();
    byte[] open = Arrays.copyOf(start, start.length - 1);
    return Intervals.range(
        ByteRange.startingWith(open), false, "[\"" + path + ".\", \"" + path + "/\")");
  }

  /** Inexact, since it is no condition of the query. */
  private static Intervals point(String path) {
    return Intervals.point(
        new KeyWriter().value(new BsonString(path)).toBytes(),
        false,
        "[\"" + path + "\", \"" + path + "\"]");
  }

  /**
   * Whether an index of that kind is read for a query at all times, or only by its own operators.
   */
  static boolean isOrdered(IndexState index) {
    return index.definition().kind() == IndexKind.ORDERED;
  }
}
