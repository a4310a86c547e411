// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads GeoJSON geometries. A ring's inside is the smaller part of the sphere, unless a polygon of
 * a query names the reference system with strict winding: then it is what lies on the left.
 */
final class GeoJson {
  static final Set<String> TYPES =
      Set.of(
          "Point",
          "LineString",
          "Polygon",
          "MultiPoint",
          "MultiLineString",
          "MultiPolygon",
          "GeometryCollection");
  private static final String STRICT = "urn:x-mongodb:crs:strictwinding:EPSG:4326";
  private static final Set<String> SYSTEMS =
      Set.of("urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326", STRICT);

  private GeoJson() {}

  /** The type that a document names, when it is one of GeoJSON's; else null. */
  static @Nullable String type(BsonDocument document) {
    return document.get("type") instanceof BsonString name && TYPES.contains(name.getValue())
        ? name.getValue()
        : null;
  }

  /**
   * Reads a geometry.
   *
   * @throws io.fairlead.engine.error.EngineException 2 when it is none
   */
  static SphereShape parse(BsonDocument document) {
    String type = type(document);
    if (type == null) {
      throw GeoErrors.bad("unknown GeoJSON type: " + Values.showDocument(document));
    }
    boolean strict = isStrict(document);
    if (strict && !type.equals("Polygon")) {
      throw GeoErrors.bad("strict winding order is only supported by Polygon");
    }
    if (type.equals("GeometryCollection")) {
      return collection(document);
    }
    BsonValue coordinates = document.get("coordinates");
    if (coordinates == null || !coordinates.isArray()) {
      throw GeoErrors.bad(
          type + " coordinates must be an array, got " + Values.showDocument(document));
    }
    BsonArray array = coordinates.asArray();
    return switch (type) {
      case "Point" -> points(List.of(array));
      case "MultiPoint" -> points(notEmpty(array, type));
      case "LineString" -> lines(List.of(array));
      case "MultiLineString" -> lines(notEmpty(array, type));
      case "Polygon" -> polygons(List.of(array), strict);
      default -> polygons(notEmpty(array, type), false);
    };
  }

  static boolean isStrict(BsonDocument document) {
    BsonValue crs = document.get("crs");
    if (crs == null) {
      return false;
    }
    if (crs instanceof BsonDocument system
        && new BsonString("name").equals(system.get("type"))
        && system.get("properties") instanceof BsonDocument properties
        && properties.get("name") instanceof BsonString name) {
      if (!SYSTEMS.contains(name.getValue())) {
        throw GeoErrors.bad("Unknown CRS name: " + name.getValue());
      }
      return name.getValue().equals(STRICT);
    }
    throw GeoErrors.bad("GeoJSON CRS must have type \"name\" and properties with a name");
  }

  private static List<BsonValue> notEmpty(BsonArray array, String type) {
    if (array.isEmpty()) {
      throw GeoErrors.bad(type + " coordinates must have at least 1 element");
    }
    return array;
  }

  private static SphereShape collection(BsonDocument document) {
    if (!(document.get("geometries") instanceof BsonArray geometries) || geometries.isEmpty()) {
      throw GeoErrors.bad(
          "GeometryCollection geometries must be an array of at least 1 geometry: "
              + Values.showDocument(document));
    }
    List<SphereShape> shapes = new ArrayList<>();
    for (BsonValue geometry : geometries) {
      if (!geometry.isDocument()) {
        throw GeoErrors.bad("Element " + shapes.size() + " of \"geometries\" is not an object");
      }
      if ("GeometryCollection".equals(type(geometry.asDocument()))) {
        throw GeoErrors.bad("GeometryCollections cannot be nested");
      }
      shapes.add(parse(geometry.asDocument()));
    }
    return SphereShape.all(shapes);
  }

  private static SphereShape points(List<? extends BsonValue> positions) {
    List<Vec> points = new ArrayList<>(positions.size());
    positions.forEach(position -> points.add(Position.geoJson(position).vector()));
    return new SphereShape(points, List.of(), List.of());
  }

  private static SphereShape lines(List<? extends BsonValue> lines) {
    List<List<Vec>> result = new ArrayList<>(lines.size());
    for (BsonValue line : lines) {
      List<Vec> points = path(line);
      if (points.size() < 2) {
        throw GeoErrors.bad(
            "GeoJSON LineString must have at least 2 vertices: " + Values.show(line));
      }
      result.add(points);
    }
    return new SphereShape(List.of(), result, List.of());
  }

  /** Positions, repeated ones once. */
  private static List<Vec> path(BsonValue value) {
    if (!value.isArray()) {
      throw GeoErrors.bad("GeoJSON coordinates must be an array of coordinates");
    }
    List<Vec> points = new ArrayList<>(value.asArray().size());
    for (BsonValue position : value.asArray()) {
      Vec point = Position.geoJson(position).vector();
      if (points.isEmpty() || points.getLast().angle(point) > Sphere.SAME) {
        points.add(point);
      }
    }
    return points;
  }

  private static SphereShape polygons(List<? extends BsonValue> polygons, boolean strict) {
    List<SpherePolygon> result = new ArrayList<>(polygons.size());
    for (BsonValue polygon : polygons) {
      result.add(polygon(polygon, strict));
    }
    return new SphereShape(List.of(), List.of(), result);
  }

  private static SpherePolygon polygon(BsonValue value, boolean strict) {
    if (!value.isArray() || value.asArray().isEmpty()) {
      throw GeoErrors.bad("Polygon has no loops.");
    }
    if (strict && value.asArray().size() != 1) {
      throw GeoErrors.bad("Only one simple loop is allowed in a big polygon");
    }
    List<Ring> rings = new ArrayList<>();
    for (BsonValue ring : value.asArray()) {
      rings.add(ring(ring, strict));
    }
    Ring outer = rings.getFirst();
    List<Ring> holes = rings.subList(1, rings.size());
    for (Ring hole : holes) {
      if (hole.points().stream().anyMatch(corner -> outer.side(corner) < 0)) {
        throw GeoErrors.bad(
            "Secondary loops not contained by first exterior loop - secondary loops must be holes: "
                + Values.show(value));
      }
    }
    requireApart(rings, value);
    return new SpherePolygon(outer, holes);
  }

  /** Rings touch in one point at most, and no hole is in another. */
  private static void requireApart(List<Ring> rings, BsonValue polygon) {
    for (int i = 0; i < rings.size(); i++) {
      for (int j = i + 1; j < rings.size(); j++) {
        Ring a = rings.get(i);
        Ring b = rings.get(j);
        if (a.cornersSharedWith(b) > 1 || a.crosses(b)) {
          throw GeoErrors.bad(
              "Polygon isn't valid: loops " + i + " and " + j + " cross: " + Values.show(polygon));
        }
        if (i > 0 && (isInside(a, b) || isInside(b, a))) {
          throw GeoErrors.bad("Polygon interior loops cannot be nested: " + Values.show(polygon));
        }
      }
    }
  }

  private static boolean isInside(Ring ring, Ring other) {
    return ring.points().stream().anyMatch(corner -> other.side(corner) > 0);
  }

  private static Ring ring(BsonValue value, boolean strict) {
    if (!value.isArray() || value.asArray().isEmpty()) {
      throw GeoErrors.bad("Polygon loops must be arrays of coordinates");
    }
    BsonArray positions = value.asArray();
    Vec first = Position.geoJson(positions.get(0)).vector();
    Vec last = Position.geoJson(positions.get(positions.size() - 1)).vector();
    if (first.angle(last) > Sphere.SAME) {
      throw GeoErrors.bad("Loop is not closed: " + Values.show(value));
    }
    List<Vec> points = path(value);
    if (points.size() > 1 && points.getFirst().angle(points.getLast()) <= Sphere.SAME) {
      points.removeLast();
    }
    if (points.size() < 3) {
      throw GeoErrors.bad("Loop must have at least 3 different vertices: " + Values.show(value));
    }
    Ring ring = strict ? new Ring(points) : Ring.smaller(points);
    if (ring.crossesItself()) {
      throw GeoErrors.bad("Loop is not valid: " + Values.show(value) + " Edges cross.");
    }
    return ring;
  }
}
