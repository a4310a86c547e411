// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.sort;

import io.fairlead.engine.value.Slice;

/**
 * The values by which one document is sorted, one per part of the pattern; they point into the
 * document's bytes.
 */
public final class SortKey {
  final Slice[] values;

  SortKey(Slice[] values) {
    this.values = values;
  }

  public int size() {
    return values.length;
  }

  /** A value of the key; a missing one is null, an empty array is undefined. Not to be changed. */
  public Slice value(int part) {
    return values[part];
  }
}
