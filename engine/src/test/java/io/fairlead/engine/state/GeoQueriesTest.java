// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GeoQueriesTest {
  private static final String SQUARE =
      "{type: 'Polygon', coordinates: [[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]]}";
  private static final String RING =
      "{type: 'Polygon', coordinates: [[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]],"
          + " [[4, 4], [6, 4], [6, 6], [4, 6], [4, 4]]]}";

  private final Store store = new Store();

  private static String point(double x, double y) {
    return "{type: 'Point', coordinates: [" + x + ", " + y + "]}";
  }

  private List<Integer> ids(String filter) {
    return ids(store, FindRequest.matching(json(filter)));
  }

  private static List<Integer> ids(Store store, FindRequest request) {
    return store.find(request).stream()
        .map(text -> BsonDocument.parse(text).getInt32("_id").getValue())
        .toList();
  }

  @Test
  void points_lines_and_polygons_are_within_a_polygon() {
    store.insert(
        "{_id: 1, l: " + point(5, 5) + "}",
        "{_id: 2, l: " + point(5, 11) + "}",
        "{_id: 3, l: [5, 5]}",
        "{_id: 4, l: {lng: 5, lat: 5}}",
        "{_id: 5, l: {type: 'LineString', coordinates: [[1, 1], [9, 9]]}}",
        "{_id: 6, l: {type: 'LineString', coordinates: [[1, 1], [19, 9]]}}",
        "{_id: 7, l: {type: 'Polygon', coordinates: [[[1, 1], [2, 1], [2, 2], [1, 1]]]}}",
        "{_id: 8, l: " + RING + "}",
        "{_id: 9, l: 'nowhere'}",
        "{_id: 10}",
        "{_id: 11, l: {type: 'MultiPoint', coordinates: [[1, 1], [50, 50]]}}");
    String within = "{l: {$geoWithin: {$geometry: " + SQUARE + "}}}";
    assertThat(ids(within)).containsExactlyInAnyOrder(1, 3, 4, 5, 7, 8);
    String hole = "{l: {$geoWithin: {$geometry: " + RING + "}}}";
    assertThat(ids(hole)).containsExactlyInAnyOrder(7, 8);
    String touching = "{l: {$geoIntersects: {$geometry: " + SQUARE + "}}}";
    assertThat(ids(touching)).containsExactlyInAnyOrder(1, 3, 4, 5, 6, 7, 8, 11);
    assertThat(ids("{l: {$geoIntersects: {$geometry: " + point(5, 5) + "}}}"))
        .containsExactlyInAnyOrder(1, 3, 4);
    assertThat(ids("{l: {$not: {$geoWithin: {$geometry: " + SQUARE + "}}}}"))
        .containsExactlyInAnyOrder(2, 6, 9, 10, 11);
  }

  @Test
  void flat_shapes_hold_points_of_the_plane() {
    store.insert(
        "{_id: 1, l: [1, 1]}",
        "{_id: 2, l: [3, 3]}",
        "{_id: 3, l: " + point(2, 2) + "}",
        "{_id: 4, l: [[9, 9], [1, 2]]}",
        "{_id: 5, l: [1000, 1000]}");
    assertThat(ids("{l: {$geoWithin: {$box: [[0, 0], [2, 2]]}}}")).containsExactly(1, 3, 4);
    assertThat(ids("{l: {$geoWithin: {$center: [[1, 1], 1]}}}")).containsExactly(1, 4);
    assertThat(ids("{l: {$geoWithin: {$polygon: [[0, 0], [4, 0], [4, 4]]}}}"))
        .containsExactly(1, 2, 3);
    assertThat(ids("{l: {$geoWithin: {$centerSphere: [[1, 1], 0.02]}}}")).containsExactly(1, 4);
    assertThat(ids("{l: {$within: {$box: [[900, 900], [2000, 2000]]}}}")).containsExactly(5);
  }

  @Test
  void geometry_reaches_over_the_date_line_and_the_poles() {
    store.index("{l: '2dsphere'}");
    store.insert(
        "{_id: 1, l: [179.9, 0]}",
        "{_id: 2, l: [-179.9, 0]}",
        "{_id: 3, l: [0, 0]}",
        "{_id: 4, l: [17, 89.9]}",
        "{_id: 5, l: [-180, 0]}",
        "{_id: 6, l: [0, -90]}");
    String across =
        "{type: 'Polygon', coordinates: [[[179, -1], [-179, -1], [-179, 1], [179, 1], [179, -1]]]}";
    assertThat(ids("{l: {$geoWithin: {$geometry: " + across + "}}}"))
        .containsExactlyInAnyOrder(1, 2, 5);
    String pole =
        "{type: 'Polygon', coordinates: [[[0, 80], [90, 80], [180, 80], [-90, 80], [0, 80]]]}";
    assertThat(ids("{l: {$geoWithin: {$geometry: " + pole + "}}}")).containsExactly(4);
    assertThat(ids("{l: {$geoWithin: {$centerSphere: [[180, 0], 0.01]}}}"))
        .containsExactlyInAnyOrder(1, 2, 5);
    assertThat(ids("{l: {$geoWithin: {$centerSphere: [[100, -90], 0.01]}}}")).containsExactly(6);
    assertThat(ids("{l: {$near: {$geometry: " + point(180, 0) + ", $maxDistance: 20000}}}"))
        .hasSize(3)
        .startsWith(5);
    String strict =
        "{type: 'Polygon', coordinates: [[[0, 0], [0, 10], [10, 10], [10, 0], [0, 0]]],"
            + " crs: {type: 'name',"
            + " properties: {name: 'urn:x-mongodb:crs:strictwinding:EPSG:4326'}}}";
    assertThat(ids("{l: {$geoWithin: {$geometry: " + strict + "}}}")).contains(1, 2, 4, 5, 6);
    store.check();
  }

  @Test
  void near_needs_an_index_and_gives_the_nearest_first() {
    store.insert(
        "{_id: 1, l: " + point(0, 3) + "}",
        "{_id: 2, l: " + point(0, 1) + "}",
        "{_id: 3, l: " + point(0, 2) + ", off: true}",
        "{_id: 4}");
    String near = "{l: {$near: {$geometry: " + point(0, 0) + "}}}";
    refused(291, () -> ids(near));
    store.index("{l: '2dsphere'}");
    assertThat(ids(near)).containsExactly(2, 3, 1);
    assertThat(ids("{l: {$near: {$geometry: " + point(0, 0) + "}}, off: {$ne: true}}"))
        .containsExactly(2, 1);
    assertThat(
            ids(
                "{l: {$nearSphere: {$geometry: "
                    + point(0, 0)
                    + ", $minDistance: 150000, $maxDistance: 300000}}}"))
        .containsExactly(3);
    assertThat(ids("{l: {$nearSphere: [0, 0], $maxDistance: 0.04}}")).containsExactly(2, 3);
    refused(291, () -> ids("{l: {$near: [0, 0]}}"));
    assertThat(ids(store, FindRequest.matching(json(near)).withSort(json("{_id: 1}")).withLimit(2)))
        .containsExactly(1, 2);
    assertThat(store.plan(near)).isEqualTo("GEO_NEAR_2DSPHERE:l_2dsphere");
    assertThat(store.count(near)).isEqualTo(3);
  }

  @Test
  void a_plane_index_measures_in_units_of_the_plane() {
    store.index("{l: '2d'}", "{min: -500, max: 500}");
    store.insert("{_id: 1, l: [300, 400]}", "{_id: 2, l: [3, 4]}", "{_id: 3, l: {x: 30, y: 40}}");
    assertThat(ids("{l: {$near: [0, 0]}}")).containsExactly(2, 3, 1);
    assertThat(ids("{l: {$near: [0, 0], $minDistance: 6, $maxDistance: 60}}")).containsExactly(3);
    assertThat(store.plan("{l: {$geoWithin: {$box: [[0, 0], [5, 5]]}}}"))
        .isEqualTo("FETCH IXSCAN:l_2d");
    refused(291, () -> ids("{l: {$near: {$geometry: " + point(0, 0) + "}}}"));
    refused(13027, () -> store.insert("{l: [501, 0]}"));
    refused(16804, () -> store.insert("{l: ['here', 'there']}"));
    refused(16804, () -> store.insert("{l: {type: 'Point', coordinates: [1, 2]}}"));
    refused(13026, () -> store.insert("{l: [7, 'x']}"));
    refused(13068, () -> store.insert("{l: [7]}"));
    store.insert("{_id: 4}", "{_id: 5, l: [[1, 1], [2, 2]]}").check();
    assertThat(ids("{l: {$near: [0, 0], $maxDistance: 2}}")).containsExactly(5);
  }

  @Test
  void a_plane_index_passes_over_what_is_no_location() {
    store.index("{l: '2d'}");
    store.insert(
        "{_id: 1, l: 7}",
        "{_id: 2, l: 'here'}",
        "{_id: 3, l: null}",
        "{_id: 4, l: []}",
        "{_id: 5, l: {}}",
        "{_id: 6, l: {a: [1, 1], b: [50, 50]}}",
        "{_id: 7, l: [[], [1, 2]]}");
    store.check();
    assertThat(store.find("{}")).hasSize(7);
  }

  @Test
  void a_lone_null_or_empty_value_is_as_good_as_no_geometry() {
    store.index("{l: '2dsphere'}").index("{'a.p': '2dsphere'}");
    store.insert(
        "{_id: 1, l: []}",
        "{_id: 2, l: {}}",
        "{_id: 3, a: [{p: null}, {p: null}]}",
        "{_id: 4, a: [{p: [1, 2]}, {q: 1}, 5]}");
    refused(16755, () -> store.insert("{a: [{p: [1, 2]}, {p: null}]}"));
    refused(16755, () -> store.insert("{a: [{p: null}, {p: []}]}"));
    store.check();
    assertThat(store.find("{}")).hasSize(4);
  }

  @Test
  void what_is_no_geometry_cannot_be_indexed() {
    store.index("{l: '2dsphere'}");
    refused(16755, () -> store.insert("{l: 'here'}"));
    refused(16755, () -> store.insert("{l: [200, 0]}"));
    refused(16755, () -> store.insert("{l: {type: 'Point', coordinates: [0, 91]}}"));
    refused(16755, () -> store.insert("{l: {type: 'Pint', coordinates: [0, 1]}}"));
    refused(
        16755,
        () -> store.insert("{l: {type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1]]]}}"));
    refused(
        16755,
        () ->
            store.insert(
                "{l: {type: 'Polygon', coordinates: [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]]}}"));
    store.insert("{l: null}", "{}", "{l: [1, 2]}").check();
    assertThat(store.find("{}")).hasSize(3);
  }

  @Test
  void malformed_geometry_in_queries_is_refused() {
    for (String bad :
        List.of(
            "{$geoWithin: 5}",
            "{$geoWithin: {}}",
            "{$geoWithin: {$geometry: {type: 'Point', coordinates: [0, 0]}}}",
            "{$geoWithin: {$blob: [1]}}",
            "{$geoWithin: {$box: [[0, 0]]}}",
            "{$geoWithin: {$center: [[0, 0], -1]}}",
            "{$geoWithin: {$polygon: [[0, 0], [1, 1]]}}",
            "{$geoIntersects: {$box: [[0, 0], [1, 1]]}}",
            "{$geoIntersects: {$geometry: {type: 'Point', coordinates: [0, 100]}}}",
            "{$geoIntersects: {$geometry: {type: 'LineString', coordinates: [[0, 0]]}}}",
            "{$near: 'x'}",
            "{$near: {$geometry: {type: 'Point', coordinates: ['x', 0]}}}",
            "{$near: [0, 0], $maxDistance: -1}",
            "{$near: [0, 0], $maxDistance: 'far'}",
            "{$maxDistance: 1}")) {
      refused(2, () -> ids("{l: " + bad + "}"));
    }
    refused(2, () -> ids("{$or: [{l: {$near: [0, 0]}}, {a: 1}]}"));
    refused(2, () -> ids("{l: {$near: [0, 0]}, m: {$near: [0, 0]}}"));
    refused(2, () -> ids("{l: {$not: {$near: [0, 0]}}}"));
  }

  @Test
  void an_index_answers_what_a_scan_answers() {
    long seed = 4711;
    Random random = new Random(seed);
    Store indexed = new Store().index("{l: '2dsphere'}").index("{k: 1, l: '2dsphere'}");
    for (int i = 0; i < 400; i++) {
      String document =
          "{_id: " + i + ", k: " + random.nextInt(3) + ", l: " + geometry(random) + "}";
      store.insert(document);
      indexed.insert(document);
    }
    indexed.check();
    for (int i = 0; i < 150; i++) {
      String filter =
          random.nextInt(4) == 0
              ? "{k: 1, l: " + condition(random) + "}"
              : "{l: " + condition(random) + "}";
      assertThat(ids(indexed, FindRequest.matching(json(filter))))
          .as("seed %s, %s", seed, filter)
          .containsExactlyInAnyOrderElementsOf(ids(filter));
      assertThat(indexed.plan(filter)).contains("IXSCAN");
    }
  }

  private static double longitude(Random random) {
    return random.nextInt(5) == 0 ? 179 + random.nextDouble() : random.nextDouble() * 360 - 180;
  }

  private static String geometry(Random random) {
    double x = longitude(random);
    double y = random.nextDouble() * 170 - 85;
    return switch (random.nextInt(4)) {
      case 0 -> "[" + x + ", " + y + "]";
      case 1 -> point(x, y);
      case 2 ->
          "{type: 'LineString', coordinates: [["
              + x
              + ", "
              + y
              + "], ["
              + wrap(x + random.nextDouble() * 20)
              + ", "
              + y * 0.9
              + "]]}";
      default -> polygon(x, y, 0.5 + random.nextDouble() * 10);
    };
  }

  private static double wrap(double x) {
    return x > 180 ? x - 360 : x < -180 ? x + 360 : x;
  }

  private static String polygon(double x, double y, double size) {
    double top = Math.min(89, y + size / 2);
    double bottom = Math.max(-89, y - size / 2);
    double left = wrap(x - size / 2);
    double right = wrap(x + size / 2);
    String ring =
        "[[%s, %s], [%s, %s], [%s, %s], [%s, %s], [%s, %s]]"
            .formatted(left, bottom, right, bottom, right, top, left, top, left, bottom);
    return "{type: 'Polygon', coordinates: [" + ring + "]}";
  }

  private static String condition(Random random) {
    double x = longitude(random);
    double y = random.nextDouble() * 160 - 80;
    return switch (random.nextInt(3)) {
      case 0 -> "{$geoWithin: {$geometry: " + polygon(x, y, 5 + random.nextDouble() * 60) + "}}";
      case 1 ->
          "{$geoWithin: {$centerSphere: [[" + x + ", " + y + "], " + random.nextDouble() + "]}}";
      default -> "{$geoIntersects: {$geometry: " + polygon(x, y, 1 + random.nextInt(20)) + "}}";
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void what_is_near_is_sorted_as_if_every_distance_were_known(long seed) {
    Random random = new Random(seed);
    List<double[]> points = new ArrayList<>();
    store.index("{l: '2dsphere'}");
    for (int i = 0; i < 600; i++) {
      double[] next = {longitude(random), random.nextDouble() * 180 - 90};
      points.add(next);
      store.insert("{_id: " + i + ", l: [" + next[0] + ", " + next[1] + "]}");
    }
    for (int round = 0; round < 10; round++) {
      double x = longitude(random);
      double y = random.nextDouble() * 180 - 90;
      List<Integer> expected = new ArrayList<>();
      for (int i = 0; i < points.size(); i++) {
        expected.add(i);
      }
      expected.sort(
          java.util.Comparator.comparingDouble(
              i -> haversine(x, y, points.get(i)[0], points.get(i)[1])));
      String filter = "{l: {$nearSphere: [" + x + ", " + y + "]}}";
      assertThat(ids(filter)).as("seed %s", seed).isEqualTo(expected);
      FindRequest few = FindRequest.matching(json(filter)).withLimit(5);
      assertThat(ids(store, few)).isEqualTo(expected.subList(0, 5));
      assertThat(store.stats(few).getNumber("totalDocsExamined").intValue()).isLessThan(300);
    }
  }

  private static double haversine(double x, double y, double x2, double y2) {
    double a = Math.toRadians(y);
    double b = Math.toRadians(y2);
    double h =
        Math.pow(Math.sin((b - a) / 2), 2)
            + Math.cos(a) * Math.cos(b) * Math.pow(Math.sin(Math.toRadians(x2 - x) / 2), 2);
    return 2 * Math.asin(Math.min(1, Math.sqrt(h)));
  }

  @Test
  void the_stage_adds_the_distance_and_the_place() {
    store.index("{l: '2dsphere'}");
    store.insert(
        "{_id: 1, l: " + point(0, 2) + ", k: 1}",
        "{_id: 2, l: " + point(0, 1) + ", k: 1}",
        "{_id: 3, l: " + point(0, 1.5) + ", k: 2}");
    List<String> found =
        store.aggregate(
            "{$geoNear: {near: "
                + point(0, 0)
                + ", distanceField: 'd.m', includeLocs: 'd.at', query: {k: 1},"
                + " distanceMultiplier: 0.001, maxDistance: 300000}}",
            "{$limit: 5}");
    assertThat(found).hasSize(2);
    BsonDocument first = BsonDocument.parse(found.getFirst());
    assertThat(first.getInt32("_id").getValue()).isEqualTo(2);
    assertThat(first.getDocument("d").getDouble("m").getValue())
        .isCloseTo(111.31884502145034, org.assertj.core.data.Offset.offset(1e-6));
    assertThat(first.getDocument("d").get("at")).isEqualTo(json(point(0, 1)));
    refused(
        40603,
        () -> store.aggregate("{$limit: 1}", "{$geoNear: {near: [0, 0], distanceField: 'd'}}"));
    refused(16605, () -> store.aggregate("{$geoNear: {near: [0, 0]}}"));
    refused(5626500, () -> store.aggregate("{$match: {l: {$near: [0, 0]}}}"));
    refused(291, () -> store.aggregate("{$geoNear: {near: [0, 0], distanceField: 'd'}}"));
    refused(
        27,
        () -> new Store().insert("{}").aggregate("{$geoNear: {near: [0, 0], distanceField: 'd'}}"));
    assertThat(
            store.aggregate(
                "{$geoNear: {near: [0, 0], spherical: true, distanceField: 'd'}}",
                "{$project: {_id: 1, far: {$meta: 'geoNearDistance'}}}"))
        .hasSize(3)
        .first()
        .asString()
        .contains("0.01745");
  }

  private static void refused(int code, ThrowingCallable call) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }
}
