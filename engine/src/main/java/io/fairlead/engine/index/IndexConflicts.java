// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import static io.fairlead.engine.error.ErrorCodes.CANNOT_CREATE_INDEX;
import static io.fairlead.engine.error.ErrorCodes.INDEX_KEY_SPECS_CONFLICT;
import static io.fairlead.engine.error.ErrorCodes.INDEX_OPTIONS_CONFLICT;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.Values;
import java.util.List;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Whether an index that is asked for is there already, or another is in its way. */
public final class IndexConflicts {
  private static final int INDEXES_MAX = 64;

  /** What tells two indexes apart, besides their names. */
  private static final List<String> SIGNATURE =
      List.of(
          "unique",
          "sparse",
          "partialFilterExpression",
          "collation",
          "weights",
          "default_language",
          "language_override",
          "wildcardProjection");

  private IndexConflicts() {}

  /**
   * Whether {@code wish} is there already.
   *
   * @throws EngineException 85 or 86 when another is in its way, 67 when there are too many
   */
  public static boolean exists(IndexDefinition wish, List<IndexDefinition> existing) {
    for (IndexDefinition other : existing) {
      if (other.name().equals(wish.name())) {
        if (!sameSignature(wish, other)) {
          throw new EngineException(
              INDEX_KEY_SPECS_CONFLICT,
              "An existing index has the same name as the requested index. When index names are not"
                  + " specified, they are auto generated and can cause conflicts. Please refer to"
                  + " our documentation. Requested index: "
                  + Values.showDocument(wish.declared())
                  + ", existing index: "
                  + Values.showDocument(other.declared()));
        }
        checkSameOptions(wish, other);
        return true;
      }
    }
    if (wish.kind() == IndexKind.TEXT
        && existing.stream().anyMatch(other -> other.kind() == IndexKind.TEXT)) {
      throw new EngineException(
          CANNOT_CREATE_INDEX,
          "only one text index per collection allowed, found existing text index \""
              + existing.stream()
                  .filter(other -> other.kind() == IndexKind.TEXT)
                  .map(IndexDefinition::name)
                  .findFirst()
                  .orElseThrow()
              + "\"");
    }
    for (IndexDefinition other : existing) {
      if (sameSignature(wish, other)) {
        if (other.isId()) {
          return true;
        }
        throw new EngineException(
            INDEX_OPTIONS_CONFLICT, "Index already exists with a different name: " + other.name());
      }
    }
    if (existing.size() >= INDEXES_MAX) {
      throw new EngineException(
          CANNOT_CREATE_INDEX,
          "add index fails, too many indexes, key: " + Values.showDocument(wish.key()));
    }
    return false;
  }

  private static void checkSameOptions(IndexDefinition wish, IndexDefinition other) {
    if (!wish.expireAfterSeconds().equals(other.expireAfterSeconds())
        || !Objects.equals(wish.cells(), other.cells())) {
      throw new EngineException(
          INDEX_OPTIONS_CONFLICT,
          "An equivalent index already exists with the same name but different options. Requested"
              + " index: "
              + Values.showDocument(wish.declared())
              + ", existing index: "
              + Values.showDocument(other.declared()));
    }
  }

  private static boolean sameSignature(IndexDefinition a, IndexDefinition b) {
    return sameKey(a, b)
        && SIGNATURE.stream()
            .allMatch(option -> Objects.equals(a.declared().get(option), b.declared().get(option)));
  }

  private static boolean sameKey(IndexDefinition a, IndexDefinition b) {
    return sameKey(a.key(), b.key());
  }

  /** Whether two key patterns have equal fields, in order, with equal numbers. */
  public static boolean sameKey(BsonDocument a, BsonDocument b) {
    if (!List.copyOf(a.keySet()).equals(List.copyOf(b.keySet()))) {
      return false;
    }
    return a.keySet().stream().allMatch(path -> sameKind(a.get(path), b.get(path)));
  }

  private static boolean sameKind(@Nullable BsonValue a, @Nullable BsonValue b) {
    if (a != null && b != null && a.isNumber() && b.isNumber()) {
      return a.asNumber().doubleValue() == b.asNumber().doubleValue();
    }
    return Objects.equals(a, b);
  }
}
