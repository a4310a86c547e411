// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

/** The shorter great-circle arc between two points of the sphere. */
record Arc(Vec from, Vec to) {
  /** A vector upright on the arc's plane, exact for short arcs, too. */
  private Vec normal() {
    return plus(from, to).cross(minus(to, from));
  }

  private static Vec plus(Vec a, Vec b) {
    return new Vec(a.x() + b.x(), a.y() + b.y(), a.z() + b.z());
  }

  private static Vec minus(Vec a, Vec b) {
    return new Vec(a.x() - b.x(), a.y() - b.y(), a.z() - b.z());
  }

  /** The point halfway. */
  Vec middle() {
    return plus(from, to).unit();
  }

  /** Whether the point's nearest point on the great circle lies on the arc. */
  boolean faces(Vec point) {
    Vec normal = normal();
    return normal.cross(from).dot(minus(point, from)) > 0
        && to.cross(normal).dot(minus(point, to)) > 0;
  }

  /** Positive on the left of the arc, negative on its right. */
  double side(Vec point) {
    return normal().dot(minus(point, from));
  }

  /** The least angle between the point and the arc, in radians. */
  double distance(Vec point) {
    Vec normal = normal();
    double length = normal.length();
    if (length > 1e-15
        && normal.cross(from).dot(minus(point, from)) > 0
        && to.cross(normal).dot(minus(point, to)) > 0) {
      // Near a quarter turn the arc sine is coarse, but then it decides nothing.
      return Math.asin(Math.min(1, Math.abs(normal.dot(minus(point, from))) / length));
    }
    return Math.min(point.angle(from), point.angle(to));
  }

  /** Whether both arcs have a point in common. */
  boolean meets(Arc other) {
    return isNear(other) && (crosses(other) || touches(other));
  }

  /** Whether an end of one lies on the other. */
  private boolean touches(Arc other) {
    return distance(other.from) <= Sphere.SAME
        || distance(other.to) <= Sphere.SAME
        || other.distance(from) <= Sphere.SAME
        || other.distance(to) <= Sphere.SAME;
  }

  /** Whether the balls around both chords touch; an arc leaves that of its chord by little. */
  private boolean isNear(Arc other) {
    double reach = 0.8 * (minus(to, from).length() + minus(other.to, other.from).length());
    Vec between = minus(plus(from, to), plus(other.from, other.to));
    return between.length() / 2 <= reach + 1e-9;
  }

  /** Whether the arcs cross at a point that is an end of neither. */
  boolean crosses(Arc other) {
    double a = side(other.from);
    double b = side(other.to);
    double c = other.side(from);
    double d = other.side(to);
    if (!((a < 0 && b > 0) || (a > 0 && b < 0)) || !((c < 0 && d > 0) || (c > 0 && d < 0))) {
      return false;
    }
    // The great circles cross twice; it must be on the same side of the sphere for both arcs.
    Vec point = normal().cross(other.normal());
    return (point.dot(plus(from, to)) > 0) == (point.dot(plus(other.from, other.to)) > 0)
        && !touches(other);
  }
}
