// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.Iterator;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Two numbers: a legacy coordinate pair, or a GeoJSON position. */
public record Position(double x, double y) {
  /** Whether they can be longitude and latitude. */
  boolean isOnSphere() {
    return x >= -180 && x <= 180 && y >= -90 && y <= 90;
  }

  /**
   * The pair that an array or a document begins with; null when it begins with something else.
   *
   * @param exact whether anything behind the pair makes it none
   */
  static @Nullable Position pair(BsonValue value, boolean exact) {
    Iterator<BsonValue> parts;
    if (value.isArray()) {
      parts = value.asArray().iterator();
    } else if (value.isDocument()) {
      parts = value.asDocument().values().iterator();
    } else {
      return null;
    }
    BsonValue x = parts.hasNext() ? parts.next() : null;
    BsonValue y = parts.hasNext() ? parts.next() : null;
    if (x == null || y == null || !x.isNumber() || !y.isNumber() || (exact && parts.hasNext())) {
      return null;
    }
    double first = Numbers.toDouble(x);
    double second = Numbers.toDouble(y);
    return Double.isFinite(first) && Double.isFinite(second) ? new Position(first, second) : null;
  }

  /** A GeoJSON position: longitude, latitude, and perhaps more that does not count. */
  static Position geoJson(BsonValue value) {
    if (!value.isArray()) {
      throw GeoErrors.bad("Point must be an array or object, instead got type " + typeOf(value));
    }
    if (value.asArray().size() < 2) {
      throw GeoErrors.bad("Point must contain at least two coordinates, got " + Values.show(value));
    }
    Position position = pair(value, false);
    if (position == null) {
      throw GeoErrors.bad(
          "Point must only contain numeric elements, instead got " + Values.show(value));
    }
    position.requireOnSphere();
    return position;
  }

  void requireOnSphere() {
    if (!isOnSphere()) {
      throw GeoErrors.bad(
          "Longitude/latitude is out of bounds, lng: "
              + Values.showDouble(x)
              + " lat: "
              + Values.showDouble(y));
    }
  }

  private static String typeOf(BsonValue value) {
    return io.fairlead.engine.value.BsonTypes.nameOf(value);
  }

  Vec vector() {
    return Vec.of(x, y);
  }
}
