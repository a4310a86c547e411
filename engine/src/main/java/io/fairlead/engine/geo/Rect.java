// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

import java.util.ArrayList;
import java.util.List;

/**
 * A rectangle of two coordinates, ends included. On the sphere they are longitude and latitude in
 * degrees; a rectangle over the date line has an end beyond 180 or before -180.
 */
public record Rect(double minX, double minY, double maxX, double maxY) {
  /** What rounding may move a coordinate by, in degrees. */
  private static final double SLACK = 1e-8;

  static final Rect WORLD = new Rect(-180, -90, 180, 90);

  static Rect around(double x, double y) {
    return new Rect(x, y, x, y).widened();
  }

  private Rect widened() {
    return sphere(minX - SLACK, minY - SLACK, maxX + SLACK, maxY + SLACK);
  }

  /** At a pole all longitudes meet. */
  private static Rect sphere(double minX, double minY, double maxX, double maxY) {
    boolean pole = minY <= -90 || maxY >= 90;
    return pole || maxX - minX >= 360
        ? new Rect(-180, Math.max(-90, minY), 180, Math.min(90, maxY))
        : new Rect(minX, minY, maxX, maxY);
  }

  /** What is within an angle of a point of the sphere. */
  static Rect ofCap(Vec centre, double radians) {
    double degrees = Math.toDegrees(radians) + SLACK;
    double latitude = centre.latitude();
    double minY = latitude - degrees;
    double maxY = latitude + degrees;
    if (minY <= -90 || maxY >= 90) {
      return sphere(-180, minY, 180, maxY);
    }
    double sine = Math.sin(Math.toRadians(degrees)) / Math.cos(Math.toRadians(latitude));
    double width = sine >= 1 ? 360 : Math.toDegrees(Math.asin(sine)) + SLACK;
    double longitude = centre.longitude();
    return sphere(longitude - width, minY, longitude + width, maxY);
  }

  static Rect of(SpherePolygon polygon) {
    Ring outer = polygon.outer();
    if (outer.area() > 2 * Math.PI) {
      return WORLD;
    }
    Rect border = ofLine(outer.points(), true);
    boolean north = outer.side(new Vec(0, 0, 1)) >= 0;
    boolean south = outer.side(new Vec(0, 0, -1)) >= 0;
    if (!north && !south) {
      return border;
    }
    return new Rect(-180, south ? -90 : border.minY, 180, north ? 90 : border.maxY);
  }

  static Rect ofLine(List<Vec> points, boolean closed) {
    double x = points.get(0).longitude();
    double minX = x;
    double maxX = x;
    double minY = 90;
    double maxY = -90;
    int edges = closed ? points.size() : points.size() - 1;
    for (int i = 0; i < edges; i++) {
      Vec from = points.get(i);
      Vec to = points.get((i + 1) % points.size());
      double step = to.longitude() - from.longitude();
      step = step > 180 ? step - 360 : step < -180 ? step + 360 : step;
      x += step;
      minX = Math.min(minX, x);
      maxX = Math.max(maxX, x);
      double[] latitudes = latitudes(new Arc(from, to));
      minY = Math.min(minY, latitudes[0]);
      maxY = Math.max(maxY, latitudes[1]);
    }
    return new Rect(minX, minY, maxX, maxY).widened();
  }

  /** The least and greatest latitude of an arc: it bulges towards the nearer pole. */
  private static double[] latitudes(Arc arc) {
    double min = Math.min(arc.from().latitude(), arc.to().latitude());
    double max = Math.max(arc.from().latitude(), arc.to().latitude());
    Vec normal = arc.from().cross(arc.to()).unit();
    Vec top =
        new Vec(-normal.z() * normal.x(), -normal.z() * normal.y(), 1 - normal.z() * normal.z())
            .unit();
    if (arc.faces(top)) {
      max = Math.max(max, top.latitude());
    }
    if (arc.faces(top.negated())) {
      min = Math.min(min, top.negated().latitude());
    }
    return new double[] {min, max};
  }

  /** The same on a map from -180 to 180: two rectangles when it lies over the date line. */
  List<Rect> onMap() {
    List<Rect> parts = new ArrayList<>(2);
    for (int turn = -1; turn <= 1; turn++) {
      double from = Math.max(-180, minX + turn * 360);
      double to = Math.min(180, maxX + turn * 360);
      if (from <= to) {
        parts.add(new Rect(from, minY, to, maxY));
      }
    }
    return parts;
  }

  boolean overlaps(double fromX, double fromY, double toX, double toY) {
    return minX <= toX && fromX <= maxX && minY <= toY && fromY <= maxY;
  }
}
