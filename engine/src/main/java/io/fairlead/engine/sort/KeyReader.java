// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.sort;

import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.ElementCursor;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Slice;
import org.jspecify.annotations.Nullable;

/**
 * Reads the value of a path by which a document is sorted: the smallest of an array's elements, or
 * the greatest; an empty array as undefined, what is missing as null, also beside elements of an
 * array that are no documents.
 */
final class KeyReader {
  private static final Slice NULL = new Slice(new byte[0], BsonTypes.NULL, 0);
  private static final Slice UNDEFINED = new Slice(new byte[0], BsonTypes.UNDEFINED, 0);

  private final FieldPath path;
  private final boolean smallest;
  private final BsonOrder order;
  private @Nullable Slice best;

  private KeyReader(FieldPath path, boolean smallest, BsonOrder order) {
    this.path = path;
    this.smallest = smallest;
    this.order = order;
  }

  static Slice read(byte[] bytes, int offset, FieldPath path, boolean smallest, BsonOrder order) {
    Slice slice = new Slice();
    if (!path.follow(bytes, offset, slice) && !slice.isArray()) {
      return slice.isMissing() ? NULL : slice;
    }
    KeyReader reader = new KeyReader(path, smallest, order);
    reader.document(bytes, offset, 0);
    Slice best = reader.best;
    return best == null ? NULL : best;
  }

  private void offer(Slice candidate) {
    Slice current = best;
    if (current == null) {
      best = candidate;
      return;
    }
    int comparison = order.compare(candidate, current);
    if (smallest ? comparison < 0 : comparison > 0) {
      best = candidate;
    }
  }

  private void document(byte[] bytes, int offset, int part) {
    Slice slice = new Slice();
    slice.moveToField(bytes, offset, path.name(part));
    reached(slice, part);
  }

  /** {@code slice} is what {@code part} led to. */
  private void reached(Slice slice, int part) {
    boolean last = part == path.size() - 1;
    if (slice.isArray()) {
      if (last) {
        elements(slice);
      } else {
        array(slice, part + 1);
      }
    } else if (last) {
      offer(slice.isMissing() ? NULL : slice);
    } else if (slice.isDocument()) {
      document(slice.bytes(), slice.start(), part + 1);
    } else {
      offer(NULL);
    }
  }

  private void elements(Slice array) {
    ElementCursor cursor = new ElementCursor(array.bytes(), array.start());
    boolean empty = true;
    while (cursor.next()) {
      empty = false;
      offer(cursor.into(new Slice()));
    }
    if (empty) {
      offer(UNDEFINED);
    }
  }

  private void array(Slice array, int part) {
    ElementCursor cursor = new ElementCursor(array.bytes(), array.start());
    int wanted = path.index(part);
    boolean found = false;
    for (int index = 0; cursor.next(); index++) {
      if (wanted >= 0) {
        if (index == wanted) {
          found = true;
          reached(cursor.into(new Slice()), part);
        }
      } else {
        found = true;
        if (cursor.type() == BsonTypes.DOCUMENT) {
          document(cursor.bytes(), cursor.valueStart(), part);
        } else {
          offer(NULL);
        }
      }
    }
    if (!found) {
      offer(NULL);
    }
  }
}
