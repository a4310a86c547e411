// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

/** A point of the unit sphere, or any vector. */
public record Vec(double x, double y, double z) {
  /** The point at that longitude and latitude, in degrees. */
  static Vec of(double longitude, double latitude) {
    double lng = Math.toRadians(longitude);
    double lat = Math.toRadians(latitude);
    double cos = Math.cos(lat);
    return new Vec(cos * Math.cos(lng), cos * Math.sin(lng), Math.sin(lat));
  }

  double dot(Vec other) {
    return x * other.x + y * other.y + z * other.z;
  }

  Vec cross(Vec other) {
    return new Vec(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x);
  }

  double length() {
    return Math.sqrt(dot(this));
  }

  Vec unit() {
    double length = length();
    return length == 0 ? this : new Vec(x / length, y / length, z / length);
  }

  Vec negated() {
    return new Vec(-x, -y, -z);
  }

  /** The angle to another point, in radians; exact for small angles, too. */
  double angle(Vec other) {
    return Math.atan2(cross(other).length(), dot(other));
  }

  /** In degrees, -180 to 180. */
  double longitude() {
    return Math.toDegrees(Math.atan2(y, x));
  }

  /** In degrees, -90 to 90. */
  double latitude() {
    return Math.toDegrees(Math.atan2(z, Math.hypot(x, y)));
  }
}
