// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import io.fairlead.engine.index.KeyPattern;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** In which direction an index is read for a wanted order. */
enum ReadingOrder {
  FORWARD,
  BACKWARD,
  /** It does not give that order. */
  OTHER;

  /** In which direction an index has to be read for the wanted order, if it can be. */
  static ReadingOrder of(
      KeyPattern pattern,
      long multikey,
      long unordered,
      IndexBounds bounds,
      @Nullable KeyPattern sort) {
    if (sort == null) {
      return FORWARD;
    }
    Set<String> fixed =
        pattern.fields().subList(0, bounds.fixed()).stream()
            .map(KeyPattern.Field::path)
            .collect(Collectors.toSet());
    // Ranges are ascending, so what is read is in the index's own order; fields with one value each
    // do not count in it.
    int at = bounds.fixed();
    ReadingOrder order = null;
    for (KeyPattern.Field wanted : sort.fields()) {
      if (fixed.contains(wanted.path())) {
        continue;
      }
      if (at >= pattern.size()
          || ((unordered >>> at) & 1) != 0
          || !pattern.fields().get(at).path().equals(wanted.path())) {
        return OTHER;
      }
      boolean many = ((multikey >>> at) & 1) != 0;
      if (many && bounds.bounded() > at) {
        // A document comes where one of its elements within the bounds is, not where its least one
        // is.
        return OTHER;
      }
      ReadingOrder here =
          pattern.fields().get(at).descending() == wanted.descending() ? FORWARD : BACKWARD;
      if (order != null && order != here) {
        return OTHER;
      }
      order = here;
      at++;
    }
    return order == null ? FORWARD : order;
  }
}
