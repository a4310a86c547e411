// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.geo.GeoPredicate;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Slice;

/** {@code $geoWithin} and {@code $geoIntersects}. */
record GeoTest(GeoPredicate geo) implements ValueTest {
  @Override
  public boolean test(Slice value, Evaluation evaluation) {
    return (value.isArray() || value.isDocument())
        && geo.matches(java.util.Objects.requireNonNull(value.value()));
  }

  @Override
  public Predicate predicate(FieldPath path) {
    return new Predicate.Geo(path, geo);
  }
}
