// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.geo.NearQuery;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Slice;
import java.util.function.Consumer;

/** {@code $near}: a place at the path is as far from the point as is wanted. */
record NearCheck(FieldPath path, NearQuery near) implements Check {
  @Override
  public boolean document(byte[] bytes, int offset, Evaluation evaluation) {
    return path.visit(bytes, offset, true, (value, arrayIndex) -> reaches(value));
  }

  private boolean reaches(Slice value) {
    return (value.isArray() || value.isDocument())
        && near.reaches(near.distance(java.util.Objects.requireNonNull(value.value())));
  }

  @Override
  public boolean value(Slice value, Evaluation evaluation) {
    return reaches(value);
  }

  @Override
  public Predicate predicate() {
    return new Predicate.Near(path, near);
  }

  @Override
  public void eachPath(Consumer<FieldPath> action) {
    action.accept(path);
  }
}
