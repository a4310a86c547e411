// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A closed line of great-circle arcs without crossings, whose inside is on its left.
 *
 * <p>Whether a point is inside is read off the nearest part of the line: beside an edge it is the
 * side of the edge; beyond a corner it is outside of a convex one and inside of a reflex one.
 *
 * @param points the corners, each once
 */
public record Ring(List<Vec> points) {
  public Ring {
    points = List.copyOf(points);
  }

  /** The ring whose inside is the smaller part of the sphere, in whichever order it is given. */
  static Ring smaller(List<Vec> points) {
    Ring ring = new Ring(points);
    if (ring.area() > 2 * Math.PI) {
      List<Vec> reversed = new ArrayList<>(points);
      Collections.reverse(reversed);
      return new Ring(reversed);
    }
    return ring;
  }

  int size() {
    return points.size();
  }

  Arc edge(int i) {
    return new Arc(points.get(i), points.get((i + 1) % points.size()));
  }

  /** The area on the left of the line, of the whole sphere's 4π. */
  double area() {
    double area = 0;
    for (int i = 1; i + 1 < points.size(); i++) {
      area += Sphere.triangle(points.get(0), points.get(i), points.get(i + 1));
    }
    area %= 4 * Math.PI;
    return area < 0 ? area + 4 * Math.PI : area;
  }

  /** 1 inside, -1 outside, 0 on the line. */
  int side(Vec point) {
    double nearest = Double.MAX_VALUE;
    int nearestEdge = 0;
    for (int i = 0; i < points.size(); i++) {
      double distance = edge(i).distance(point);
      if (distance < nearest) {
        nearest = distance;
        nearestEdge = i;
      }
    }
    if (nearest <= Sphere.SAME) {
      return 0;
    }
    Arc edge = edge(nearestEdge);
    if (edge.faces(point)) {
      return sideOf(edge, point);
    }
    int corner =
        point.angle(edge.from()) <= point.angle(edge.to())
            ? nearestEdge
            : (nearestEdge + 1) % points.size();
    Vec before = points.get((corner + points.size() - 1) % points.size());
    Vec at = points.get(corner);
    Vec behind = points.get((corner + 1) % points.size());
    double turn = new Arc(before, at).side(behind);
    double scale = before.angle(at) * at.angle(behind);
    return Math.abs(turn) <= 1e-12 * scale ? sideOf(edge, point) : turn > 0 ? -1 : 1;
  }

  private static int sideOf(Arc edge, Vec point) {
    return edge.side(point) > 0 ? 1 : -1;
  }

  double distance(Vec point) {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < points.size(); i++) {
      least = Math.min(least, edge(i).distance(point));
    }
    return least;
  }

  /** Whether an edge of it crosses one of another ring; touching is not crossing. */
  boolean crosses(Ring other) {
    for (int i = 0; i < points.size(); i++) {
      for (int j = 0; j < other.points.size(); j++) {
        if (crosses(edge(i), other.edge(j))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean crosses(Arc a, Arc b) {
    return a.meets(b)
        && a.distance(b.from()) > Sphere.SAME
        && a.distance(b.to()) > Sphere.SAME
        && b.distance(a.from()) > Sphere.SAME
        && b.distance(a.to()) > Sphere.SAME;
  }

  /** How many corners it has in common with another ring. */
  long cornersSharedWith(Ring other) {
    return points.stream()
        .filter(point -> other.points.stream().anyMatch(that -> point.angle(that) <= Sphere.SAME))
        .count();
  }

  /** Whether two of its edges cross, or a corner lies on an edge that is not its own. */
  boolean crossesItself() {
    int size = points.size();
    for (int i = 0; i < size; i++) {
      Arc edge = edge(i);
      for (int j = i + 2; j < size; j++) {
        if (i == 0 && j == size - 1) {
          continue;
        }
        if (edge.meets(edge(j))) {
          return true;
        }
      }
    }
    return false;
  }
}
