// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.cursor.FindRequest;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In which forms points and polygons come, and which are none. */
final class GeoShapesTest {
  private static final String STRICT =
      "{type: 'Polygon', coordinates: [[[5, 5], [-5, 5], [-5, -5], [5, -5], [5, 5]]], crs: {type:"
          + " 'name', properties: {name: 'urn:x-mongodb:crs:strictwinding:EPSG:4326'}}}";

  private final Store store = new Store();

  private List<Integer> ids(String filter) {
    return store.find(FindRequest.matching(json(filter))).stream()
        .map(text -> BsonDocument.parse(text).getInt32("_id").getValue())
        .toList();
  }

  @Test
  void near_takes_a_geojson_point_as_it_is_and_distances_in_metres_beside_it() {
    store.index("{l: '2dsphere'}");
    store.insert("{_id: 1, l: [0, 0]}", "{_id: 2, l: [0, 1]}", "{_id: 3, l: [0, 2]}");
    String point = "{type: 'Point', coordinates: [0, 0]}";
    for (String near : List.of("$near", "$nearSphere", "$geoNear")) {
      assertThat(ids("{l: {" + near + ": " + point + "}}")).containsExactly(1, 2, 3);
      assertThat(ids("{l: {" + near + ": " + point + ", $minDistance: 1000}}"))
          .containsExactly(2, 3);
      assertThat(ids("{l: {" + near + ": " + point + ", $maxDistance: 150000}}"))
          .containsExactly(1, 2);
    }
  }

  @Test
  void a_pair_of_numbers_is_a_geometry_that_may_be_intersected() {
    store.insert("{_id: 1, l: [41, 6]}", "{_id: 2, l: {type: 'Point', coordinates: [41, 6]}}");
    assertThat(ids("{l: {$geoIntersects: {$geometry: [41, 6]}}}")).containsExactly(1, 2);
    assertThat(ids("{l: {$geoIntersects: {$geometry: {x: 41, y: 6}}}}")).containsExactly(1, 2);
    assertThat(ids("{l: {$geoIntersects: {$geometry: [40, 6]}}}")).isEmpty();
    assertThat(Store.code(() -> ids("{l: {$geoWithin: {$geometry: [41, 6]}}}"))).isEqualTo(2);
    assertThat(Store.code(() -> ids("{l: {$geoIntersects: {$geometry: [200, 6]}}}"))).isEqualTo(2);
  }

  @Test
  void a_polygon_with_strict_winding_is_for_queries_alone() {
    store.insert("{_id: 1, l: " + STRICT + "}", "{_id: 2, l: [0, 0]}");
    assertThat(ids("{l: {$geoIntersects: {$geometry: {type: 'Point', coordinates: [0, 0]}}}}"))
        .containsExactly(2);
    assertThat(ids("{l: {$geoIntersects: {$geometry: " + STRICT + "}}}")).containsExactly(2);
    assertThat(Store.code(() -> store.index("{l: '2dsphere'}"))).isNotZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void points_straight_beside_the_centre_lie_on_the_circle(boolean indexed) {
    if (indexed) {
      store.index("{l: '2d'}");
    }
    store.insert(
        "{_id: 1, l: [4.9999, 52]}",
        "{_id: 2, l: [5, 52]}",
        "{_id: 3, l: [5.0001, 52]}",
        "{_id: 4, l: [5, 52.0001]}",
        "{_id: 5, l: [5, 51.9999]}",
        "{_id: 6, l: [4.9999, 52.0001]}",
        "{_id: 7, l: [5.0001, 51.9999]}");
    assertThat(ids("{l: {$geoWithin: {$center: [[5, 52], 0.0001]}}}"))
        .containsExactlyInAnyOrder(1, 2, 3, 4, 5);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        // holes that cross each other
        "[[0.2, 0.6], [0.2, 0.9], [0.6, 0.9], [0.6, 0.6], [0.2, 0.6]],"
            + " [[0.5, 0.4], [0.5, 0.7], [0.8, 0.7], [0.8, 0.4], [0.5, 0.4]]",
        // a hole in a hole
        "[[0.1, 0.1], [0.1, 0.9], [0.9, 0.9], [0.9, 0.1], [0.1, 0.1]],"
            + " [[0.2, 0.2], [0.2, 0.8], [0.8, 0.8], [0.8, 0.2], [0.2, 0.2]]",
        // a hole that shares two corners with the outer ring
        "[[0, 0], [0.1, 0.9], [1, 1], [0.9, 0.1], [0, 0]]",
      })
  void rings_of_a_polygon_that_get_into_each_others_way_are_refused(String holes) {
    store.index("{l: '2dsphere'}");
    String polygon =
        "{type: 'Polygon', coordinates: [[[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]], " + holes + "]}";
    assertThat(Store.code(() -> store.insert("{l: " + polygon + "}"))).isNotZero();
    assertThat(Store.code(() -> ids("{l: {$geoWithin: {$geometry: " + polygon + "}}}")))
        .isEqualTo(2);
  }

  @Test
  void a_hole_may_touch_the_outer_ring_in_one_point_and_stand_beside_another() {
    store.index("{l: '2dsphere'}");
    store.insert(
        "{_id: 1, l: {type: 'Polygon', coordinates: [[[0, 0], [0, 9], [9, 9], [9, 0], [0, 0]],"
            + " [[0, 0], [1, 3], [3, 3], [0, 0]], [[5, 5], [5, 6], [6, 6], [5, 5]]]}}");
    assertThat(ids("{l: {$geoIntersects: {$geometry: [8, 1]}}}")).containsExactly(1);
    assertThat(ids("{l: {$geoIntersects: {$geometry: [1.5, 2.5]}}}")).isEmpty();
  }
}
