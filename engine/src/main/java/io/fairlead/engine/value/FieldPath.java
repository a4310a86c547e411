// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import java.util.List;
import java.util.Set;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A dotted path. Immutable; equal by its text. The empty path means the value itself.
 *
 * <p>{@link #visit} is how queries see documents: arrays are walked through, numeric parts are
 * indexes as well as names.
 */
public final class FieldPath {
  /** The value itself. */
  public static final FieldPath SELF = new FieldPath("");

  private static final int PARTS_MAX = 200;

  /** Fields of DBRefs, and of sorted results on their way to a merge. */
  private static final Set<String> DOLLAR_NAMES = Set.of("$ref", "$id", "$db", "$sortKey");

  private final String dotted;
  private final List<String> parts;
  private final FieldName[] names;
  private final int[] indexes;

  private FieldPath(String dotted) {
    this.dotted = dotted;
    this.parts = dotted.isEmpty() ? List.of("") : List.of(dotted.split("\\.", -1));
    this.names = new FieldName[parts.size()];
    this.indexes = new int[parts.size()];
    for (int i = 0; i < indexes.length; i++) {
      names[i] = FieldName.of(parts.get(i));
      indexes[i] = Indexes.parse(parts.get(i));
    }
  }

  public static FieldPath of(String dotted) {
    return new FieldPath(dotted);
  }

  /**
   * Checks the name of one field: not empty, without dots, not starting with {@code $}.
   *
   * @throws io.fairlead.engine.error.EngineException 15998, 16410, 16411, 16412
   */
  public static void checkName(String name) {
    if (name.startsWith("$")) {
      throw new EngineException(
          16410,
          "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
    }
    checkPart(name);
    if (name.indexOf('.') >= 0) {
      throw new EngineException(
          16412,
          "FieldPath field names may not contain '.'. Consider using $getField or $setField.");
    }
  }

  private static void checkPart(String part) {
    if (part.isEmpty()) {
      throw new EngineException(15998, "FieldPath field names may not be empty strings.");
    }
    if (part.startsWith("$") && !DOLLAR_NAMES.contains(part)) {
      throw new EngineException(
          16410,
          "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
    }
    if (part.indexOf('\0') >= 0) {
      throw new EngineException(16411, "FieldPath field names may not contain '\0'.");
    }
  }

  /**
   * A path as pipelines and sorts allow it: no empty part, none that starts with {@code $}.
   *
   * @throws io.fairlead.engine.error.EngineException 40352, 40353, 15998, 16410
   */
  public static FieldPath validated(String dotted) {
    if (dotted.isEmpty()) {
      throw new EngineException(40352, "FieldPath cannot be constructed with empty string");
    }
    if (dotted.endsWith(".")) {
      throw new EngineException(40353, "FieldPath must not end with a '.'.");
    }
    FieldPath path = new FieldPath(dotted);
    path.parts.forEach(FieldPath::checkPart);
    if (path.parts.size() > PARTS_MAX) {
      throw new EngineException(ErrorCodes.OVERFLOW, "FieldPath is too long");
    }
    return path;
  }

  public String dotted() {
    return dotted;
  }

  public List<String> parts() {
    return parts;
  }

  public int size() {
    return names.length;
  }

  /** The name of a part. */
  public FieldName name(int part) {
    return names[part];
  }

  /** The index that a part means, or -1. */
  public int index(int part) {
    return indexes[part];
  }

  /** This is {@code other} or lies within it. */
  public boolean startsWith(FieldPath other) {
    return dotted.equals(other.dotted) || dotted.startsWith(other.dotted + ".");
  }

  /** What is done with each value that a path reaches. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Sees one value; {@code value} is reused and must not be kept.
     *
     * @param arrayIndex index in the outermost array on the way, -1 when there was none
     * @return true to stop
     */
    boolean see(Slice value, int arrayIndex);
  }

  /**
   * Shows every value that a query on this path looks at: elements of an array at the end, then the
   * array itself. A path that ends early shows a missing value, except within an array whose
   * elements are no documents: it shows nothing.
   *
   * @param expandLast whether an array at the end of the path is also shown element by element
   * @return whether the visitor stopped
   */
  public boolean visit(byte[] bytes, int offset, boolean expandLast, Visitor visitor) {
    return document(bytes, offset, 0, -1, expandLast, visitor, new Slice());
  }

  public boolean visit(RawBsonDocument document, boolean expandLast, Visitor visitor) {
    return visit(RawBytes.bytes(document), RawBytes.offset(document), expandLast, visitor);
  }

  private boolean document(
      byte[] bytes, int offset, int part, int outer, boolean expand, Visitor visitor, Slice slice) {
    if (!slice.moveToField(bytes, offset, names[part])) {
      return visitor.see(slice, outer);
    }
    int type = slice.type();
    int start = slice.start();
    if (part == names.length - 1) {
      if (expand && type == BsonTypes.ARRAY) {
        if (elements(bytes, start, outer, visitor, slice)) {
          return true;
        }
        slice.set(bytes, type, start);
      }
      return visitor.see(slice, outer);
    }
    if (type == BsonTypes.DOCUMENT) {
      return document(bytes, start, part + 1, outer, expand, visitor, slice);
    }
    if (type == BsonTypes.ARRAY) {
      return array(bytes, start, part + 1, outer, expand, visitor, slice);
    }
    return visitor.see(slice.clear(), outer);
  }

  private static boolean elements(
      byte[] bytes, int offset, int outer, Visitor visitor, Slice slice) {
    int end = offset + RawBytes.int32(bytes, offset) - 1;
    int at = offset + 4;
    int index = 0;
    while (at < end) {
      int type = bytes[at];
      int value = RawBytes.textEnd(bytes, at + 1) + 1;
      if (visitor.see(slice.set(bytes, type, value), outer >= 0 ? outer : index)) {
        return true;
      }
      at = value + RawBytes.valueLength(type, bytes, value);
      index++;
    }
    return false;
  }

  /**
   * Within an array, with {@code part} still to be found in its elements, or by index in the array
   * itself.
   */
  private boolean array(
      byte[] bytes, int offset, int part, int outer, boolean expand, Visitor visitor, Slice slice) {
    int end = offset + RawBytes.int32(bytes, offset) - 1;
    int at = offset + 4;
    int index = 0;
    int wanted = indexes[part];
    while (at < end) {
      int type = bytes[at];
      int value = RawBytes.textEnd(bytes, at + 1) + 1;
      int position = outer >= 0 ? outer : index;
      if (type == BsonTypes.DOCUMENT
          && document(bytes, value, part, position, expand, visitor, slice)) {
        return true;
      }
      // an element that the path names by its index is not one that was looked for
      if (index == wanted && atIndex(bytes, type, value, part, outer, expand, visitor, slice)) {
        return true;
      }
      at = value + RawBytes.valueLength(type, bytes, value);
      index++;
    }
    return false;
  }

  private boolean atIndex(
      byte[] bytes,
      int type,
      int value,
      int part,
      int outer,
      boolean expand,
      Visitor visitor,
      Slice slice) {
    if (part == names.length - 1) {
      return visitor.see(slice.set(bytes, type, value), outer);
    }
    return switch (type) {
      case BsonTypes.DOCUMENT -> document(bytes, value, part + 1, outer, expand, visitor, slice);
      case BsonTypes.ARRAY -> array(bytes, value, part + 1, outer, expand, visitor, slice);
      default -> false;
    };
  }

  /**
   * Follows the path through documents only, as far as no array is met.
   *
   * @param into becomes the value, missing when a part is not there
   * @return whether an array was met before the last part; {@code into} is then that array
   */
  public boolean follow(byte[] bytes, int offset, Slice into) {
    int at = offset;
    for (int part = 0; ; part++) {
      if (!into.moveToField(bytes, at, names[part]) || part == names.length - 1) {
        return false;
      }
      if (into.type() != BsonTypes.DOCUMENT) {
        if (into.type() == BsonTypes.ARRAY) {
          return true;
        }
        into.clear();
        return false;
      }
      at = into.start();
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FieldPath path && path.dotted.equals(dotted);
  }

  @Override
  public int hashCode() {
    return dotted.hashCode();
  }

  @Override
  public String toString() {
    return dotted;
  }
}
