// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

/** Measures of the sphere that MongoDB takes the earth for. */
public final class Sphere {
  /** The radius by which metres and radians are converted. */
  public static final double RADIUS_METRES = 6_378_100;

  /** Points nearer than this, in radians, are one: less than a tenth of a millimetre. */
  static final double SAME = 1e-11;

  private Sphere() {}

  /** Signed area of the triangle on the unit sphere; positive when it is left of its edges. */
  static double triangle(Vec a, Vec b, Vec c) {
    return 2 * Math.atan2(a.dot(b.cross(c)), 1 + a.dot(b) + b.dot(c) + c.dot(a));
  }
}
