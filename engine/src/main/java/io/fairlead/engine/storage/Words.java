// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.storage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Byte strings as numbers. A word holds the first {@value #BYTES} bytes of a string, zeros behind
 * its end, and then how many bytes there are, or {@value #MORE} when these are more: the order of
 * two words that differ is the unsigned order of their strings, and equal words that are whole are
 * equal strings. Never negative, so that a difference has the sign of the order; the empty string
 * is 0.
 */
final class Words {
  /** How many bytes of a string a word holds. */
  static final int BYTES = 7;

  private static final int MORE = BYTES + 1;
  private static final int LENGTH_BITS = 7;
  private static final long LENGTH_MASK = (1 << LENGTH_BITS) - 1;
  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Words() {}

  /**
   * The word of {@code bytes[from, to)}; of nothing where {@code to} is not beyond {@code from}.
   */
  static long of(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length > BYTES) {
      return ((long) EIGHT_BYTES.get(bytes, from) >>> Byte.SIZE << LENGTH_BITS) | MORE;
    }
    return length <= 0 ? 0 : (beginning(bytes, from, length) >>> 1) | length;
  }

  /** The bytes at the upper end of a number, zeros behind. */
  private static long beginning(byte[] bytes, int from, int length) {
    int last = bytes.length - Long.BYTES;
    if (last >= 0) {
      long eight =
          from <= last
              ? (long) EIGHT_BYTES.get(bytes, from)
              : (long) EIGHT_BYTES.get(bytes, last) << (Byte.SIZE * (from - last));
      return eight & (-1L << (Byte.SIZE * (Long.BYTES - length)));
    }
    long beginning = 0;
    for (int i = 0; i < length; i++) {
      beginning |= (bytes[from + i] & 0xFFL) << (Byte.SIZE * (BYTES - i));
    }
    return beginning;
  }

  /** Whether the word holds all of its string. */
  static boolean isWhole(long word) {
    return (word & LENGTH_MASK) <= BYTES;
  }

  /** How many bytes the word holds. */
  static int length(long word) {
    return (int) Math.min(BYTES, word & LENGTH_MASK);
  }

  /**
   * Writes the bytes that the word holds to {@code bytes[at, at + length(word))}. What is behind
   * these may be written over too, so words are written from left to right.
   */
  static void write(long word, byte[] bytes, int at) {
    if (at + Long.BYTES <= bytes.length) {
      EIGHT_BYTES.set(bytes, at, word << 1);
      return;
    }
    int length = length(word);
    for (int i = 0; i < length; i++) {
      bytes[at + i] = (byte) (word >>> (LENGTH_BITS + Byte.SIZE * (BYTES - 1 - i)));
    }
  }
}
