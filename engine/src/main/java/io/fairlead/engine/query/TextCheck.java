// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.text.TextQuery;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Slice;
import java.util.function.Consumer;

/**
 * {@code $text}. What a document's texts are is known to the index alone, so the plan finds the
 * documents, and says of each whether it found it that way.
 */
record TextCheck(TextQuery query) implements Check {
  @Override
  public boolean document(byte[] bytes, int offset, Evaluation evaluation) {
    return evaluation.foundByWords;
  }

  @Override
  public boolean value(Slice value, Evaluation evaluation) {
    return true;
  }

  @Override
  public Predicate predicate() {
    return new Predicate.Text(query);
  }

  @Override
  public void eachPath(Consumer<FieldPath> action) {}
}
