// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.aggregation.GeoNear;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.index.IndexKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which field a {@code $geoNear} without a key means: that of the collection's one geo index. */
final class GeoFields {
  private GeoFields() {}

  /**
   * The field.
   *
   * @throws EngineException 27 when no index has geometry, 2 when several have
   */
  static String of(GeoNear near, @Nullable CollectionState collection) {
    String key = near.key();
    if (key != null) {
      return key;
    }
    if (collection == null) {
      return "_";
    }
    for (IndexKind kind : List.of(IndexKind.GEO_PLANE, IndexKind.GEO_SPHERE)) {
      List<String> fields = fields(collection, kind);
      if (fields.size() > 1) {
        throw new EngineException(
            ErrorCodes.BAD_VALUE,
            "There is more than one "
                + kind.plugin()
                + " index on "
                + collection.namespace()
                + "; unsure which to use for $geoNear");
      }
      if (fields.size() == 1) {
        return fields.getFirst();
      }
    }
    throw new EngineException(
        ErrorCodes.INDEX_NOT_FOUND,
        "$geoNear requires a 2d or 2dsphere index, but none were found");
  }

  private static List<String> fields(CollectionState collection, IndexKind kind) {
    List<String> fields = new ArrayList<>();
    for (IndexDefinition definition : collection.definitions()) {
      if (definition.kind() == kind && !definition.hidden()) {
        for (int i = 0; i < definition.pattern().size(); i++) {
          if (definition.isSpecial(i)) {
            fields.add(definition.pattern().fields().get(i).path());
          }
        }
      }
    }
    return fields;
  }
}
