// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What is near a point, nearest first.
 *
 * @param centre the point
 * @param spherical whether distances are angles on the sphere, rather than lengths in the plane
 * @param geoJson whether the point was given as GeoJSON, for which an index on the sphere is needed
 * @param min the least distance, in radians or units of the plane; included
 * @param max the greatest, included
 */
public record NearQuery(
    Position centre, boolean spherical, boolean geoJson, double min, double max) {
  private static final String GEOMETRY = "$geometry";

  /**
   * Reads {@code $near}, {@code $nearSphere} or {@code $geoNear}.
   *
   * @param siblings the operators beside it, of which {@code $minDistance} and {@code $maxDistance}
   *     belong to a legacy point
   * @throws io.fairlead.engine.error.EngineException 2 when it is malformed
   */
  public static NearQuery parse(String operator, BsonValue operand, BsonDocument siblings) {
    boolean sphere = operator.equals("$nearSphere");
    if (operand instanceof BsonDocument document && document.containsKey(GEOMETRY)) {
      BsonValue geometry = document.get(GEOMETRY);
      for (String name : document.keySet()) {
        if (!List.of(GEOMETRY, "$minDistance", "$maxDistance").contains(name)) {
          throw GeoErrors.bad("invalid argument in geo near query: " + name);
        }
      }
      for (String name : List.of("$minDistance", "$maxDistance")) {
        if (siblings.containsKey(name)) {
          throw GeoErrors.bad(name + " belongs into " + operator + " beside $geometry");
        }
      }
      return geoJson(
          point(geometry),
          metres(document.get("$minDistance"), "$minDistance", 0),
          metres(document.get("$maxDistance"), "$maxDistance", Double.POSITIVE_INFINITY));
    }
    if (operand instanceof BsonDocument document && GeoJson.type(document) != null) {
      return geoJson(
          point(document),
          metres(siblings.get("$minDistance"), "$minDistance", 0),
          metres(siblings.get("$maxDistance"), "$maxDistance", Double.POSITIVE_INFINITY));
    }
    Position centre = Position.pair(operand, false);
    if (centre == null) {
      throw GeoErrors.bad(
          "invalid point in geo near query $geometry argument: " + Values.show(operand));
    }
    double max = Double.POSITIVE_INFINITY;
    if (operand.isArray() && operand.asArray().size() > 2) {
      max = distance(operand.asArray().get(2), "$maxDistance", max);
    }
    return legacy(
        centre,
        sphere,
        distance(siblings.get("$minDistance"), "$minDistance", 0),
        distance(siblings.get("$maxDistance"), "$maxDistance", max));
  }

  /**
   * Near a point as the stage {@code $geoNear} has it: radians for a legacy point on the sphere.
   */
  public static NearQuery parse(
      BsonValue near, boolean spherical, @Nullable BsonValue min, @Nullable BsonValue max) {
    if (near instanceof BsonDocument document && document.containsKey("type")) {
      return geoJson(
          point(document),
          metres(min, "minDistance", 0),
          metres(max, "maxDistance", Double.POSITIVE_INFINITY));
    }
    Position centre = Position.pair(near, false);
    if (centre == null) {
      throw GeoErrors.bad("invalid point in geo near query: " + Values.show(near));
    }
    return legacy(
        centre,
        spherical,
        distance(min, "minDistance", 0),
        distance(max, "maxDistance", Double.POSITIVE_INFINITY));
  }

  private static NearQuery geoJson(Position centre, double min, double max) {
    return new NearQuery(centre, true, true, min, max);
  }

  private static NearQuery legacy(Position centre, boolean sphere, double min, double max) {
    if (sphere) {
      centre.requireOnSphere();
    }
    return new NearQuery(centre, sphere, false, min, max);
  }

  private static Position point(@Nullable BsonValue geometry) {
    if (geometry instanceof BsonDocument document) {
      String type = GeoJson.type(document);
      if ("Point".equals(type) && document.get("coordinates") != null) {
        GeoJson.isStrict(document); // refuses an unknown reference system
        return Position.geoJson(java.util.Objects.requireNonNull(document.get("coordinates")));
      }
      Position pair = type == null ? Position.pair(document, false) : null;
      if (pair != null) {
        pair.requireOnSphere();
        return pair;
      }
    }
    throw GeoErrors.bad(
        "invalid point in geo near query $geometry argument: " + Values.show(geometry));
  }

  private static double metres(@Nullable BsonValue value, String name, double without) {
    return distance(value, name, without) / Sphere.RADIUS_METRES;
  }

  private static double distance(@Nullable BsonValue value, String name, double without) {
    if (value == null) {
      return without;
    }
    if (!value.isNumber()) {
      throw GeoErrors.bad(name + " must be a number");
    }
    double distance = Numbers.toDouble(value);
    if (!(distance >= 0)) {
      throw GeoErrors.bad(name + " must be non-negative");
    }
    return distance;
  }

  /** How far a stored value is, in radians or units of the plane; negative when it is nowhere. */
  public double distance(BsonValue value) {
    StoredGeometry stored = StoredGeometry.parseOrNull(value);
    if (stored == null) {
      return -1;
    }
    if (!spherical) {
      Position point = stored.position();
      return point == null ? -1 : Math.hypot(point.x() - centre.x(), point.y() - centre.y());
    }
    return stored.sphere() == null ? -1 : stored.sphere().distance(centre.vector());
  }

  /** Whether a distance is one of those that are wanted. */
  public boolean reaches(double distance) {
    return distance >= min && distance <= max;
  }

  /** What one unit of its own is in those of the answer: metres when the point is GeoJSON. */
  public double unit() {
    return geoJson ? Sphere.RADIUS_METRES : 1;
  }

  /** Rectangles that hold everything within a distance. */
  List<Rect> within(double distance) {
    if (spherical) {
      return List.of(distance >= Math.PI ? Rect.WORLD : Rect.ofCap(centre.vector(), distance));
    }
    return List.of(
        new Rect(
            centre.x() - distance,
            centre.y() - distance,
            centre.x() + distance,
            centre.y() + distance));
  }
}
