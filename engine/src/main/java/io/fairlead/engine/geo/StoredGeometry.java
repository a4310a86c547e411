// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.Values;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A geometry of a document: GeoJSON, or a legacy coordinate pair.
 *
 * @param position the point that it is, in the plane too; null for anything but a point
 * @param sphere what it is on the sphere; null for a pair that is no longitude and latitude
 */
public record StoredGeometry(@Nullable Position position, @Nullable SphereShape sphere) {
  /**
   * Reads a value.
   *
   * @throws EngineException 2 when it is no geometry
   */
  public static StoredGeometry parse(BsonValue value) {
    if (value instanceof BsonDocument document && GeoJson.type(document) != null) {
      if (GeoJson.isStrict(document)) {
        // What is on the left of a ring can be asked for, but not stored.
        throw GeoErrors.bad(
            "can't index geometry with strict winding order: " + Values.showDocument(document));
      }
      SphereShape shape = GeoJson.parse(document);
      Position position =
          shape.isPoint()
                  && document.get("coordinates") instanceof org.bson.BsonArray pair
                  && pair.get(0).isNumber()
              ? Position.geoJson(pair)
              : null;
      return new StoredGeometry(position, shape);
    }
    Position pair = Position.pair(value, false);
    if (pair == null) {
      throw GeoErrors.bad(
          value.isArray() || value.isDocument()
              ? "unknown GeoJSON type or malformed coordinate pair: " + Values.show(value)
              : "geo element must be an array or object: " + Values.show(value));
    }
    return new StoredGeometry(
        pair, pair.isOnSphere() ? SphereShape.point(pair.x(), pair.y()) : null);
  }

  /** Reads a value; null when it is no geometry. */
  public static @Nullable StoredGeometry parseOrNull(@Nullable BsonValue value) {
    if (value == null || !(value.isArray() || value.isDocument())) {
      return null;
    }
    try {
      return parse(value);
    } catch (EngineException notGeometry) {
      // What cannot be read matches no query; only an index insists on geometry.
      return null;
    }
  }
}
