// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

import java.util.ArrayList;
import java.util.List;

/**
 * What any GeoJSON geometry is made of, on the sphere.
 *
 * @param points single points
 * @param lines each of two or more points
 * @param polygons with holes
 */
public record SphereShape(List<Vec> points, List<List<Vec>> lines, List<SpherePolygon> polygons) {
  public SphereShape {
    points = List.copyOf(points);
    lines = List.copyOf(lines);
    polygons = List.copyOf(polygons);
  }

  static SphereShape point(double longitude, double latitude) {
    return new SphereShape(List.of(Vec.of(longitude, latitude)), List.of(), List.of());
  }

  static SphereShape all(List<SphereShape> shapes) {
    List<Vec> points = new ArrayList<>();
    List<List<Vec>> lines = new ArrayList<>();
    List<SpherePolygon> polygons = new ArrayList<>();
    for (SphereShape shape : shapes) {
      points.addAll(shape.points);
      lines.addAll(shape.lines);
      polygons.addAll(shape.polygons);
    }
    return new SphereShape(points, lines, polygons);
  }

  boolean isPoint() {
    return points.size() == 1 && lines.isEmpty() && polygons.isEmpty();
  }

  /** The arcs of its lines. */
  List<Arc> arcs() {
    List<Arc> arcs = new ArrayList<>();
    for (List<Vec> line : lines) {
      for (int i = 0; i + 1 < line.size(); i++) {
        arcs.add(new Arc(line.get(i), line.get(i + 1)));
      }
    }
    return arcs;
  }

  /** Whether all of {@code other} lies in this one's polygons, each of its parts in one of them. */
  boolean contains(SphereShape other) {
    for (Vec point : other.points) {
      if (polygons.stream().noneMatch(polygon -> polygon.contains(point))) {
        return false;
      }
    }
    for (List<Vec> line : other.lines) {
      if (polygons.stream().noneMatch(polygon -> containsLine(polygon, line))) {
        return false;
      }
    }
    for (SpherePolygon part : other.polygons) {
      if (polygons.stream().noneMatch(polygon -> polygon.contains(part))) {
        return false;
      }
    }
    return true;
  }

  private static boolean containsLine(SpherePolygon polygon, List<Vec> line) {
    for (int i = 0; i + 1 < line.size(); i++) {
      if (!polygon.contains(new Arc(line.get(i), line.get(i + 1)))) {
        return false;
      }
    }
    return true;
  }

  /** Whether they have a point in common. */
  boolean intersects(SphereShape other) {
    return meetsPoints(other) || other.meetsPoints(this) || meetsLines(other);
  }

  private boolean meetsPoints(SphereShape other) {
    for (Vec point : other.points) {
      if (distance(point) <= Sphere.SAME) {
        return true;
      }
    }
    return false;
  }

  private boolean meetsLines(SphereShape other) {
    List<Arc> mine = arcs();
    List<Arc> theirs = other.arcs();
    for (Arc arc : mine) {
      if (theirs.stream().anyMatch(arc::meets)
          || other.polygons.stream().anyMatch(polygon -> polygon.intersects(arc))) {
        return true;
      }
    }
    for (SpherePolygon polygon : polygons) {
      if (theirs.stream().anyMatch(polygon::intersects)
          || other.polygons.stream().anyMatch(polygon::intersects)) {
        return true;
      }
    }
    return false;
  }

  /** The least angle to a point, in radians; 0 within a polygon. */
  double distance(Vec point) {
    double least = Double.MAX_VALUE;
    for (Vec own : points) {
      least = Math.min(least, own.angle(point));
    }
    for (Arc arc : arcs()) {
      least = Math.min(least, arc.distance(point));
    }
    for (SpherePolygon polygon : polygons) {
      least = Math.min(least, polygon.distance(point));
    }
    return least;
  }

  /** Rectangles of longitude and latitude that together hold it. */
  List<Rect> bounds() {
    List<Rect> bounds = new ArrayList<>();
    for (Vec point : points) {
      bounds.add(Rect.around(point.longitude(), point.latitude()));
    }
    for (List<Vec> line : lines) {
      bounds.add(Rect.ofLine(line, false));
    }
    for (SpherePolygon polygon : polygons) {
      bounds.add(Rect.of(polygon));
    }
    return bounds;
  }
}
