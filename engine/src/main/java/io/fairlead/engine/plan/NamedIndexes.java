// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import static io.fairlead.engine.error.ErrorCodes.AMBIGUOUS_INDEX_KEY_PATTERN;
import static io.fairlead.engine.error.ErrorCodes.INDEX_NOT_FOUND;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexConflicts;
import io.fairlead.engine.value.Values;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The indexes that a name or a key pattern means; by collation, several may have one pattern. */
public final class NamedIndexes {
  private NamedIndexes() {}

  /**
   * Refuses a pattern that means several indexes when one is to be dropped or changed.
   *
   * @throws EngineException 181
   */
  public static void requireOne(CollectionState collection, BsonValue nameOrKey) {
    List<String> names = names(collection, nameOrKey);
    if (names.size() > 1) {
      throw new EngineException(
          AMBIGUOUS_INDEX_KEY_PATTERN,
          "index keyPattern "
              + Values.show(nameOrKey)
              + " matches "
              + names.size()
              + " indexes, must use index name. Conflicting indexes: "
              + names);
    }
  }

  /**
   * Refuses a hint that means several indexes.
   *
   * @throws EngineException 27
   */
  static void requireOneHinted(CollectionState collection, BsonValue hint) {
    List<String> names = names(collection, hint);
    if (names.size() > 1) {
      throw new EngineException(
          INDEX_NOT_FOUND,
          "Hint matched multiple indexes, must hint by index name. Matched: "
              + names.get(0)
              + " and "
              + names.get(1));
    }
  }

  private static List<String> names(CollectionState collection, BsonValue nameOrKey) {
    if (!(nameOrKey instanceof BsonDocument key)) {
      return List.of();
    }
    return collection.indexes().stream()
        .map(IndexState::definition)
        .filter(index -> IndexConflicts.sameKey(index.key(), key))
        .map(index -> index.name())
        .toList();
  }
}
