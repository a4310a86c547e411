// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * {@code $geoWithin} or {@code $geoIntersects}.
 *
 * @param within whether a document's geometry must lie in the region, rather than touch it
 */
public record GeoPredicate(Region region, boolean within) {
  /** Whether a stored value satisfies it. */
  public boolean matches(BsonValue value) {
    StoredGeometry stored = StoredGeometry.parseOrNull(value);
    return stored != null && (within ? region.contains(stored) : region.intersects(stored));
  }

  /**
   * Reads the operand of {@code $geoWithin}, {@code $within} or {@code $geoIntersects}.
   *
   * @throws io.fairlead.engine.error.EngineException 2 when it is malformed
   */
  public static GeoPredicate parse(String operator, BsonValue operand) {
    if (!operand.isDocument()) {
      throw GeoErrors.bad("geometry must be an object: " + operator + ": " + Values.show(operand));
    }
    boolean within = !operator.equals("$geoIntersects");
    Region region = null;
    for (Map.Entry<String, BsonValue> part : operand.asDocument().entrySet()) {
      String name = part.getKey();
      if (name.equals("$uniqueDocs") && within) {
        continue; // has had no meaning since documents are found once anyway
      }
      if (region != null) {
        throw GeoErrors.bad(operator + " takes one geometry: " + Values.show(operand));
      }
      region = region(operator, within, name, part.getValue());
    }
    if (region == null) {
      throw GeoErrors.bad(operator + " doesn't have any geometry: " + Values.show(operand));
    }
    return new GeoPredicate(region, within);
  }

  private static Region region(String operator, boolean within, String name, BsonValue operand) {
    if (name.equals("$geometry")) {
      return geometry(operator, within, operand);
    }
    if (within) {
      switch (name) {
        case "$box" -> {
          return box(operand);
        }
        case "$center" -> {
          Circle circle = circle(name, operand);
          return new Region.Circle(circle.centre, circle.radius);
        }
        case "$centerSphere" -> {
          Circle circle = circle(name, operand);
          circle.centre.requireOnSphere();
          return new Region.Cap(circle.centre.vector(), circle.radius);
        }
        case "$polygon" -> {
          return polygon(operand);
        }
        default -> {}
      }
    }
    throw GeoErrors.bad(
        "unknown geo specifier: " + name + ": " + Values.show(operand) + " in " + operator);
  }

  private static Region geometry(String operator, boolean within, BsonValue operand) {
    Position pair = Position.pair(operand, true);
    if (pair != null) {
      pair.requireOnSphere();
      if (within) {
        throw GeoErrors.bad(
            operator + " not supported with provided geometry: " + Values.show(operand));
      }
      return new Region.Spherical(SphereShape.point(pair.x(), pair.y()));
    }
    if (!(operand instanceof BsonDocument document)) {
      throw GeoErrors.bad("$geometry must be an object: " + Values.show(operand));
    }
    SphereShape shape = GeoJson.parse(document);
    String type = GeoJson.type(document);
    if (within && !"Polygon".equals(type) && !"MultiPolygon".equals(type)) {
      throw GeoErrors.bad(
          operator + " not supported with provided geometry: " + Values.showDocument(document));
    }
    return new Region.Spherical(shape);
  }

  private static Region box(BsonValue operand) {
    List<Position> corners = positions("$box", operand);
    if (corners.size() != 2) {
      throw GeoErrors.bad("$box needs two corners: " + Values.show(operand));
    }
    Position a = corners.get(0);
    Position b = corners.get(1);
    return new Region.Box(
        new Rect(
            Math.min(a.x(), b.x()),
            Math.min(a.y(), b.y()),
            Math.max(a.x(), b.x()),
            Math.max(a.y(), b.y())));
  }

  private static Region polygon(BsonValue operand) {
    List<Position> corners = positions("$polygon", operand);
    if (corners.size() < 3) {
      throw GeoErrors.bad("Polygon must have at least 3 points");
    }
    return new Region.FlatPolygon(corners);
  }

  private static List<Position> positions(String name, BsonValue operand) {
    Iterable<BsonValue> points;
    if (operand instanceof BsonArray array) {
      points = array;
    } else if (operand instanceof BsonDocument document) {
      points = document.values();
    } else {
      throw GeoErrors.bad(name + " must be an array of points: " + Values.show(operand));
    }
    List<Position> positions = new ArrayList<>();
    for (BsonValue point : points) {
      Position position = Position.pair(point, true);
      if (position == null) {
        throw GeoErrors.bad(
            "Point must be an array or object of two numbers, instead got " + Values.show(point));
      }
      positions.add(position);
    }
    return positions;
  }

  private record Circle(Position centre, double radius) {}

  private static Circle circle(String name, BsonValue operand) {
    if (!(operand instanceof BsonArray parts) || parts.size() != 2) {
      throw GeoErrors.bad(
          "invalid center in "
              + name
              + ": a point and a radius are needed: "
              + Values.show(operand));
    }
    Position centre = Position.pair(parts.get(0), true);
    if (centre == null) {
      throw GeoErrors.bad("Point must only contain numeric elements: " + Values.show(parts.get(0)));
    }
    if (!parts.get(1).isNumber() || !(Numbers.toDouble(parts.get(1)) >= 0)) {
      throw GeoErrors.bad("radius must be a non-negative number");
    }
    return new Circle(centre, Numbers.toDouble(parts.get(1)));
  }
}
