// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.geo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SphereTest {
  private static SphereShape shape(String json) {
    return GeoJson.parse(BsonDocument.parse(json));
  }

  private static List<Vec> ring(double... coordinates) {
    List<Vec> points = new ArrayList<>();
    for (int i = 0; i < coordinates.length; i += 2) {
      points.add(Vec.of(coordinates[i], coordinates[i + 1]));
    }
    return points;
  }

  @Test
  void an_octant_is_an_eighth_of_the_sphere_in_either_direction() {
    Ring octant = Ring.smaller(ring(0, 0, 90, 0, 0, 90));
    assertThat(octant.area()).isCloseTo(Math.PI / 2, Offset.offset(1e-12));
    Ring turned = Ring.smaller(ring(0, 90, 90, 0, 0, 0));
    assertThat(turned.area()).isCloseTo(Math.PI / 2, Offset.offset(1e-12));
    assertThat(turned.side(Vec.of(45, 45))).isEqualTo(1);
    assertThat(turned.side(Vec.of(-45, 45))).isEqualTo(-1);
    assertThat(turned.side(Vec.of(45, 0))).isZero();
    assertThat(turned.side(Vec.of(0, 90))).isZero();
  }

  /** Distances by the haversine formula, in kilometres by the earth's radius of MongoDB. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, 0, 0",
    "0, 0, 180, 0, 20037.39",
    "0, 90, 55, -90, 20037.39",
    "-73.9667, 40.78, 2.3522, 48.8566, 5836.648",
    "0, 0, 0, 0.000001, 0.000111319"
  })
  void distances_are_great_circles(double x, double y, double x2, double y2, double kilometres) {
    double distance = Vec.of(x, y).angle(Vec.of(x2, y2)) * Sphere.RADIUS_METRES / 1000;
    assertThat(distance).isCloseTo(kilometres, Offset.offset(Math.max(1e-9, kilometres * 1e-3)));
  }

  @Test
  void a_line_is_as_far_as_its_nearest_point() {
    SphereShape line = shape("{type: 'LineString', coordinates: [[-10, 0], [10, 0]]}");
    assertThat(Math.toDegrees(line.distance(Vec.of(3, 5)))).isCloseTo(5, Offset.offset(1e-9));
    assertThat(Math.toDegrees(line.distance(Vec.of(14, 0)))).isCloseTo(4, Offset.offset(1e-9));
    assertThat(line.distance(Vec.of(-7.25, 0))).isZero();
    SphereShape square =
        shape("{type: 'Polygon', coordinates: [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]}");
    assertThat(square.distance(Vec.of(1, 1))).isZero();
    assertThat(Math.toDegrees(square.distance(Vec.of(-2, 2)))).isCloseTo(2, Offset.offset(1e-2));
  }

  /** A tiny star, whose reflex corners are nearest to many points inside. */
  @ParameterizedTest
  @ValueSource(doubles = {0.00001, 0.01, 1, 20})
  void the_side_of_a_star_is_that_of_the_plane_when_it_is_small(double size) {
    double[] corners = new double[20];
    for (int i = 0; i < 10; i++) {
      double reach = size * (i % 2 == 0 ? 1 : 0.35);
      corners[2 * i] = 12 + reach * Math.cos(Math.PI * i / 5);
      corners[2 * i + 1] = reach * Math.sin(Math.PI * i / 5);
    }
    Ring star = Ring.smaller(ring(corners));
    assertThat(star.crossesItself()).isFalse();
    Random random = new Random(5);
    for (int i = 0; i < 2000; i++) {
      double angle = random.nextDouble() * 2 * Math.PI;
      double reach = size * random.nextDouble() * 1.3;
      double x = 12 + reach * Math.cos(angle);
      double y = reach * Math.sin(angle);
      boolean wanted = crossings(corners, x, y) % 2 == 1;
      if (borderDistance(corners, x, y) > size * 0.03) {
        assertThat(star.side(Vec.of(x, y)) > 0).as("%s, %s", x, y).isEqualTo(wanted);
      }
    }
  }

  private static int crossings(double[] corners, double x, double y) {
    int crossings = 0;
    int size = corners.length / 2;
    for (int i = 0; i < size; i++) {
      double ax = corners[2 * i];
      double ay = corners[2 * i + 1];
      double bx = corners[2 * ((i + 1) % size)];
      double by = corners[2 * ((i + 1) % size) + 1];
      if ((ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax) {
        crossings++;
      }
    }
    return crossings;
  }

  private static double borderDistance(double[] corners, double x, double y) {
    double least = Double.MAX_VALUE;
    int size = corners.length / 2;
    for (int i = 0; i < size; i++) {
      double ax = corners[2 * i];
      double ay = corners[2 * i + 1];
      double bx = corners[2 * ((i + 1) % size)] - ax;
      double by = corners[2 * ((i + 1) % size) + 1] - ay;
      double along =
          Math.max(0, Math.min(1, ((x - ax) * bx + (y - ay) * by) / (bx * bx + by * by)));
      least = Math.min(least, Math.hypot(x - ax - along * bx, y - ay - along * by));
    }
    return least;
  }

  @Test
  void cells_of_a_point_lie_in_the_ranges_of_what_holds_it() {
    Random random = new Random(9);
    for (int i = 0; i < 2000; i++) {
      double x = random.nextDouble() * 360 - 180;
      double y = random.nextDouble() * 180 - 90;
      long cell = CellSpace.SPHERE.cell(x, y);
      double reach = Math.pow(10, -random.nextInt(8));
      Rect around = Rect.ofCap(Vec.of(x, y), Math.toRadians(reach));
      assertThat(CellSpace.SPHERE.ranges(around.onMap()))
          .as("%s, %s within %s degrees", x, y, reach)
          .anySatisfy(range -> assertThat(cell).isBetween(range.from(), range.to()));
    }
  }
}
