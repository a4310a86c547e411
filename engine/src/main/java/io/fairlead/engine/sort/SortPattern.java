// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.sort;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.MetaDocument;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** A sort specification. Immutable. */
public final class SortPattern {
  /**
   * One key of the pattern.
   *
   * @param meta {@code textScore}, {@code randVal} …, or empty when the key is a path
   */
  public record Part(FieldPath path, boolean ascending, String meta) {}

  private static final Set<String> METAS =
      Set.of("textScore", "randVal", "geoNearDistance", "searchScore", "vectorSearchScore");

  private static final Slice NULL = new Slice(new byte[0], BsonTypes.NULL, 0);

  private final BsonDocument spec;
  private final List<Part> parts;

  private SortPattern(BsonDocument spec, List<Part> parts) {
    this.spec = spec;
    this.parts = parts;
  }

  /**
   * Parses a pattern; an empty one keeps the order. {@code $natural} is taken as it is, for the
   * planner.
   *
   * @throws EngineException 15974, 15975 for a bad direction, 17312 and 31138 for a bad {@code
   *     $meta}
   */
  public static SortPattern parse(BsonDocument spec) {
    List<Part> parts = new ArrayList<>();
    for (Map.Entry<String, BsonValue> entry : spec.entrySet()) {
      BsonValue direction = entry.getValue();
      if (direction.isDocument()) {
        parts.add(
            new Part(FieldPath.validated(entry.getKey()), false, meta(direction.asDocument())));
        continue;
      }
      FieldPath path =
          entry.getKey().equals("$natural")
              ? FieldPath.of("$natural")
              : FieldPath.validated(entry.getKey());
      parts.add(new Part(path, ascending(entry.getKey(), direction), ""));
    }
    if (parts.size() > 32) {
      throw new EngineException(13103, "too many compound keys");
    }
    return new SortPattern(spec, List.copyOf(parts));
  }

  private static boolean ascending(String name, BsonValue direction) {
    if (!direction.isNumber()) {
      throw new EngineException(
          15974, "Illegal key in $sort specification: " + name + ": " + Values.show(direction));
    }
    long value = Numbers.isLong(direction) ? Numbers.toLong(direction) : 0;
    if (value != 1 && value != -1) {
      throw new EngineException(
          15975, "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
    }
    return value == 1;
  }

  private static String meta(BsonDocument spec) {
    BsonValue meta = spec.get("$meta");
    if (meta == null || spec.size() != 1) {
      throw new EngineException(17312, "$meta is the only expression supported by $sort right now");
    }
    String name = meta.isString() ? meta.asString().getValue() : "";
    if (!METAS.contains(name)) {
      throw new EngineException(31138, "Illegal $meta sort: $meta: " + Values.show(meta));
    }
    return name;
  }

  public List<Part> parts() {
    return parts;
  }

  public boolean isEmpty() {
    return parts.isEmpty();
  }

  /** Whether it is {@code {$natural: ±1}}. */
  public boolean isNatural() {
    return parts.size() == 1 && parts.getFirst().path().dotted().equals("$natural");
  }

  /** The pattern as it was given. */
  public BsonDocument spec() {
    return spec;
  }

  /**
   * Compares whole documents; ascending keys use the smallest element of an array, descending ones
   * the greatest. Parts that go through one array are taken from the same element of it.
   */
  public Comparator<RawBsonDocument> comparator(BsonOrder order) {
    return (a, b) -> compare(key(a, order), key(b, order), order);
  }

  /**
   * Compares whole documents by the values that stand at the paths, arrays as a whole: the order of
   * {@code $push} and {@code $sortArray}. A number in a path may pick an element of an array.
   */
  public Comparator<RawBsonDocument> plainComparator(BsonOrder order) {
    return (a, b) -> {
      for (Part part : parts) {
        int comparison = order.compare(plain(a, part), plain(b, part));
        if (comparison != 0) {
          return part.ascending ? comparison : -comparison;
        }
      }
      return 0;
    };
  }

  private static Slice plain(RawBsonDocument document, Part part) {
    byte[] bytes = RawBytes.bytes(document);
    int at = RawBytes.offset(document);
    Slice value = new Slice();
    for (int i = 0; i < part.path.size(); i++) {
      if (!value.moveToField(bytes, at, part.path.name(i))) {
        return NULL;
      }
      if (i < part.path.size() - 1 && !value.isDocument() && !value.isArray()) {
        return NULL;
      }
      at = value.start();
    }
    return value;
  }

  /**
   * The sort key of a document. Make it once, compare it often.
   *
   * @throws EngineException 2 when two parts go through different arrays
   */
  public SortKey key(RawBsonDocument document, BsonOrder order) {
    if (throughArrays(document) > 1) {
      return ArrayKeys.least(parts, document, order);
    }
    Slice[] values = new Slice[parts.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = read(document, parts.get(i), order);
    }
    return new SortKey(values);
  }

  private int throughArrays(RawBsonDocument document) {
    if (parts.size() < 2) {
      return 0;
    }
    int count = 0;
    Slice value = new Slice();
    for (Part part : parts) {
      if (part.meta.isEmpty()
          && (part.path.follow(RawBytes.bytes(document), RawBytes.offset(document), value)
              || value.isArray())) {
        count++;
      }
    }
    return count;
  }

  /**
   * The values by which a document is sorted, as {@code {$meta: 'sortKey'}} shows them.
   *
   * @throws EngineException 2 when two parts go through different arrays
   */
  public BsonArray values(RawBsonDocument document, BsonOrder order) {
    SortKey key = key(document, order);
    BsonArray values = new BsonArray();
    for (int i = 0; i < parts.size(); i++) {
      BsonValue known =
          parts.get(i).meta.isEmpty()
              ? key.value(i).value()
              : MetaDocument.get(document, parts.get(i).meta);
      values.add(known == null ? BsonNull.VALUE : known);
    }
    return values;
  }

  /** Compares two keys made by {@link #key}. */
  public int compare(SortKey a, SortKey b, BsonOrder order) {
    for (int i = 0; i < parts.size(); i++) {
      int comparison = order.compare(a.values[i], b.values[i]);
      if (comparison != 0) {
        return parts.get(i).ascending ? comparison : -comparison;
      }
    }
    return 0;
  }

  static Slice read(RawBsonDocument document, Part part, BsonOrder order) {
    if (!part.meta.isEmpty()) {
      BsonValue known = MetaDocument.get(document, part.meta);
      return known == null
          ? NULL
          : Slice.of(
              part.meta.equals("geoNearDistance")
                  // nearer is first, where every other kind has the greatest first
                  ? new org.bson.BsonDouble(-known.asNumber().doubleValue())
                  : known);
    }
    if (part.path.dotted().equals("$natural")) {
      return NULL;
    }
    return KeyReader.read(
        RawBytes.bytes(document), RawBytes.offset(document), part.path, part.ascending, order);
  }
}
