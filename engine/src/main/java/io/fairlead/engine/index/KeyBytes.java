// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import io.fairlead.engine.key.KeyWriter;
import java.nio.ByteBuffer;

/** How the special kinds of index write what is no value of a document. */
public final class KeyBytes {
  /** Different from how a missing value begins, so that neither is the beginning of the other. */
  private static final int NUMBER = 0x1B;

  private KeyBytes() {}

  /** A hash, or the number of a cell: fixed in length, in the order of the numbers. */
  public static byte[] number(long number) {
    return ByteBuffer.allocate(9).put((byte) NUMBER).putLong(number ^ Long.MIN_VALUE).array();
  }

  /** What stands for an absent value. */
  static byte[] absent() {
    return new KeyWriter().missing().toBytes();
  }

  static byte[] text(String text) {
    return new KeyWriter().value(new org.bson.BsonString(text)).toBytes();
  }
}
