// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

import io.fairlead.engine.error.EngineException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * How an index on geometry keeps stored values, and where in it the answer of a query can be.
 *
 * @param sphere whether it is of the kind 2dsphere, rather than 2d
 */
public record GeoCells(boolean sphere, CellSpace space) {
  /** As 2dsphere indexes do. */
  public static final GeoCells SPHERE = new GeoCells(true, CellSpace.SPHERE);

  /** As a 2d index does. */
  public static GeoCells plane(double min, double max, int bits) {
    return new GeoCells(false, new CellSpace(min, min, max, max, bits));
  }

  /**
   * The cells of a stored value; in the plane perhaps none.
   *
   * @throws EngineException 2 for what is no geometry, in the plane 13026, 13027, 13068, 16804
   */
  public List<Long> stored(BsonValue value) {
    if (!sphere) {
      return storedPoints(value);
    }
    StoredGeometry geometry = StoredGeometry.parse(value);
    Position position = geometry.position();
    if (geometry.sphere() == null) {
      if (position != null) {
        position.requireOnSphere();
      }
      throw GeoErrors.bad("not a geometry on the sphere");
    }
    return position != null
        ? List.of(space.cell(position.x(), position.y()))
        : space.stored(onMap(geometry.sphere().bounds()));
  }

  /**
   * The points of a value in the plane: one pair, or an array or document of several. What is
   * neither array nor document is no location and has no cell, as an empty one has none.
   */
  private List<Long> storedPoints(BsonValue value) {
    List<BsonValue> parts = parts(value);
    if (parts.isEmpty()) {
      return List.of();
    }
    if (parts.getFirst().isNumber()) {
      return List.of(point(value));
    }
    List<Long> cells = new ArrayList<>(parts.size());
    for (BsonValue one : parts) {
      if (!one.isArray() && !one.isDocument()) {
        throw new EngineException(
            16804, "location object expected, location array not in correct format");
      }
      if (!parts(one).isEmpty()) {
        cells.add(point(one));
      }
    }
    return cells;
  }

  private static List<BsonValue> parts(BsonValue value) {
    return switch (value) {
      case BsonArray array -> array;
      case BsonDocument document -> List.copyOf(document.values());
      default -> List.of();
    };
  }

  private long point(BsonValue value) {
    Position point = Position.pair(value, false);
    if (point == null) {
      int size = value.isArray() ? value.asArray().size() : value.asDocument().size();
      throw size == 1
          ? new EngineException(13068, "geo field only has 1 element")
          : new EngineException(
              13026, "geo values must be 'legacy coordinate pairs' for 2d indexes");
    }
    if (!(point.x() >= space.minX()
        && point.x() <= space.maxX()
        && point.y() >= space.minY()
        && point.y() <= space.maxY())) {
      throw new EngineException(
          13027,
          "point not in interval of [ "
              + space.minX()
              + ", "
              + space.maxX()
              + " ]: "
              + point.x()
              + ", "
              + point.y());
    }
    return space.cell(point.x(), point.y());
  }

  /** Whether the answer of the predicate can be found in it. */
  public boolean serves(GeoPredicate predicate) {
    return sphere ? predicate.region().isOnSphere() : predicate.region().isInPlane();
  }

  /** Whether what is near can be found in it. */
  public boolean serves(NearQuery near) {
    return sphere ? near.spherical() : !near.geoJson();
  }

  /** Where the answer of a predicate can be. */
  public List<CellSpace.Range> ranges(GeoPredicate predicate) {
    Region region = predicate.region();
    return space.ranges(region.isOnSphere() ? onMap(region.bounds()) : region.bounds());
  }

  /** Where everything within a distance of the point is, and perhaps more. */
  public List<CellSpace.Range> ranges(NearQuery near, double distance) {
    List<Rect> bounds = near.within(distance);
    return space.ranges(near.spherical() ? onMap(bounds) : bounds);
  }

  /** The distance beyond which there is nothing. */
  public double farthest(NearQuery near) {
    if (near.spherical()) {
      return Math.PI;
    }
    double x =
        Math.max(
            Math.abs(near.centre().x() - space.minX()), Math.abs(near.centre().x() - space.maxX()));
    double y =
        Math.max(
            Math.abs(near.centre().y() - space.minY()), Math.abs(near.centre().y() - space.maxY()));
    return Math.hypot(x, y);
  }

  private static List<Rect> onMap(List<Rect> bounds) {
    List<Rect> parts = new ArrayList<>();
    bounds.forEach(rect -> parts.addAll(rect.onMap()));
    return parts;
  }
}
