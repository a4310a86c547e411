// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

import java.util.List;

/** Where a geometry of a query is. */
public sealed interface Region {
  /** Whether all of the stored geometry lies in it: {@code $geoWithin}. */
  boolean contains(StoredGeometry stored);

  /** Whether they have a point in common: {@code $geoIntersects}. */
  boolean intersects(StoredGeometry stored);

  /** Rectangles that together hold it; of longitude and latitude when it is on the sphere. */
  List<Rect> bounds();

  /** Whether an index on the sphere can find what is in it. */
  boolean isOnSphere();

  /** Whether an index in the plane can find what is in it. */
  boolean isInPlane();

  /** GeoJSON. */
  record Spherical(SphereShape shape) implements Region {
    @Override
    public boolean contains(StoredGeometry stored) {
      return stored.sphere() != null && shape.contains(stored.sphere());
    }

    @Override
    public boolean intersects(StoredGeometry stored) {
      return stored.sphere() != null && shape.intersects(stored.sphere());
    }

    @Override
    public List<Rect> bounds() {
      return shape.bounds();
    }

    @Override
    public boolean isOnSphere() {
      return true;
    }

    @Override
    public boolean isInPlane() {
      return false;
    }
  }

  /** {@code $centerSphere}: what is within an angle of a point. */
  record Cap(Vec centre, double radians) implements Region {
    @Override
    public boolean contains(StoredGeometry stored) {
      SphereShape shape = stored.sphere();
      if (shape == null) {
        return false;
      }
      if (radians >= Math.PI) {
        return true;
      }
      // Within the cap is what keeps away from the point opposite to its centre.
      return shape.isPoint()
          ? shape.distance(centre) <= radians
          : shape.distance(centre.negated()) >= Math.PI - radians;
    }

    @Override
    public boolean intersects(StoredGeometry stored) {
      return stored.sphere() != null && stored.sphere().distance(centre) <= radians;
    }

    @Override
    public List<Rect> bounds() {
      return List.of(radians >= Math.PI ? Rect.WORLD : Rect.ofCap(centre, radians));
    }

    @Override
    public boolean isOnSphere() {
      return true;
    }

    @Override
    public boolean isInPlane() {
      return true;
    }
  }

  /** A shape of the plane, in which only points can be. */
  sealed interface Flat extends Region {
    boolean contains(Position point);

    @Override
    default boolean contains(StoredGeometry stored) {
      return stored.position() != null && contains(stored.position());
    }

    @Override
    default boolean intersects(StoredGeometry stored) {
      return contains(stored);
    }

    @Override
    default boolean isOnSphere() {
      return false;
    }

    @Override
    default boolean isInPlane() {
      return true;
    }
  }

  /** {@code $box}. */
  record Box(Rect rect) implements Flat {
    @Override
    public boolean contains(Position point) {
      return rect.overlaps(point.x(), point.y(), point.x(), point.y());
    }

    @Override
    public List<Rect> bounds() {
      return List.of(rect);
    }
  }

  /** {@code $center}. */
  record Circle(Position centre, double radius) implements Flat {
    @Override
    public boolean contains(Position point) {
      double x = Math.abs(point.x() - centre.x());
      double y = Math.abs(point.y() - centre.y());
      // Straight beside the centre, what counts is where the radius ends, not the rounded distance.
      if (x == 0) {
        return Math.max(point.y(), centre.y()) <= Math.min(point.y(), centre.y()) + radius;
      }
      if (y == 0) {
        return Math.max(point.x(), centre.x()) <= Math.min(point.x(), centre.x()) + radius;
      }
      return Math.sqrt(x * x + y * y) <= radius;
    }

    @Override
    public List<Rect> bounds() {
      // a little more, for points that lie on the circle but for rounding
      double reach = Math.nextUp(Math.nextUp(radius) * (1 + 1e-9));
      return List.of(
          new Rect(centre.x() - reach, centre.y() - reach, centre.x() + reach, centre.y() + reach));
    }
  }

  /** {@code $polygon}, whose border belongs to it. */
  record FlatPolygon(List<Position> corners) implements Flat {
    public FlatPolygon {
      corners = List.copyOf(corners);
    }

    @Override
    public boolean contains(Position point) {
      boolean inside = false;
      for (int i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
        Position a = corners.get(i);
        Position b = corners.get(j);
        if (isBetween(point, a, b)) {
          return true;
        }
        if ((a.y() > point.y()) != (b.y() > point.y())
            && point.x() < (b.x() - a.x()) * (point.y() - a.y()) / (b.y() - a.y()) + a.x()) {
          inside = !inside;
        }
      }
      return inside;
    }

    private static boolean isBetween(Position point, Position a, Position b) {
      double cross = (point.x() - a.x()) * (b.y() - a.y()) - (point.y() - a.y()) * (b.x() - a.x());
      return Math.abs(cross) <= 1e-13
          && point.x() >= Math.min(a.x(), b.x())
          && point.x() <= Math.max(a.x(), b.x())
          && point.y() >= Math.min(a.y(), b.y())
          && point.y() <= Math.max(a.y(), b.y());
    }

    @Override
    public List<Rect> bounds() {
      double minX = Double.MAX_VALUE;
      double minY = Double.MAX_VALUE;
      double maxX = -Double.MAX_VALUE;
      double maxY = -Double.MAX_VALUE;
      for (Position corner : corners) {
        minX = Math.min(minX, corner.x());
        minY = Math.min(minY, corner.y());
        maxX = Math.max(maxX, corner.x());
        maxY = Math.max(maxY, corner.y());
      }
      return List.of(new Rect(minX, minY, maxX, maxY));
    }
  }
}
