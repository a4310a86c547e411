// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import io.fairlead.engine.key.BsonBytes;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A timestamp of zero among the fields of an inserted or replacing document means the present time,
 * as MongoDB has it; not in {@code _id}, and not in nested documents.
 */
public final class EmptyTimestamps {
  private EmptyTimestamps() {}

  /**
   * The document with the time in their place; the same bytes when it has none.
   *
   * @param time the value of a BSON timestamp: seconds and a counter
   */
  public static byte[] fill(byte[] document, LongSupplier time) {
    byte @Nullable [] filled = null;
    int element = BsonBytes.firstElement(0);
    while (document[element] != 0) {
      int type = BsonBytes.type(document, element);
      int value = BsonBytes.value(document, element);
      if (type == BsonBytes.TIMESTAMP && isZero(document, value) && !isId(document, element)) {
        if (filled == null) {
          filled = document.clone();
        }
        long now = time.getAsLong();
        for (int i = 0; i < Long.BYTES; i++) {
          filled[value + i] = (byte) (now >>> (8 * i));
        }
      }
      element = BsonBytes.after(document, type, value);
    }
    return filled == null ? document : filled;
  }

  private static boolean isZero(byte[] document, int value) {
    for (int i = 0; i < Long.BYTES; i++) {
      if (document[value + i] != 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isId(byte[] document, int element) {
    return BsonBytes.name(document, element).equals("_id");
  }
}
