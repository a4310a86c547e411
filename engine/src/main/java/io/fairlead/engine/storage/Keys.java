// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.storage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The keys of a {@link Node}: byte strings in unsigned order, each with its beginning as a number
 * beside it, its head. A search goes through the heads, which lie next to one another, and looks at
 * a byte string, which lies anywhere, only where heads are equal.
 *
 * <p>How many there are its node knows and passes on; there may be room for more. What the methods
 * named by a participle return is new, the others change these keys in place.
 */
final class Keys {
  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int HEAD_BYTES = 7;
  private static final int LENGTH_BITS = 7;
  private static final long LENGTH_MASK = (1 << LENGTH_BITS) - 1;
  private static final int STRIDE = 8;

  private byte[][] bytes;

  /**
   * The first seven bytes of a key, behind its end zeros, then its length or 8 when it is longer
   * than these: the order of two heads that differ is that of their keys, and equal heads of short
   * keys are equal keys. Never negative, so that a difference has the sign of the order.
   */
  private long[] heads;

  private Keys(byte[][] bytes, long[] heads) {
    this.bytes = bytes;
    this.heads = heads;
  }

  /** No keys, with room for so many. */
  static Keys withRoom(int room) {
    return new Keys(new byte[room][], new long[room]);
  }

  static Keys of(byte[] only) {
    Keys keys = withRoom(1);
    keys.set(0, only);
    return keys;
  }

  byte[] at(int index) {
    return bytes[index];
  }

  void set(int index, byte[] key) {
    bytes[index] = key;
    heads[index] = head(key, 0, key.length);
  }

  /** How many there is room for. */
  int room() {
    return bytes.length;
  }

  /**
   * Where {@code key[from, to)} is among the first {@code size}, or {@code -(insertion point) - 1}.
   */
  int search(byte[] key, int from, int to, int size) {
    long head = head(key, from, to);
    int at = lesserHeads(head, size);
    if (at == size || heads[at] != head) {
      return -at - 1;
    }
    return isWhole(head) ? at : searchEqualHeads(key, from, to, at, size);
  }

  /**
   * How many of the heads are less. Eight at a time are passed over by the last of them: these
   * loads depend on nothing, so that the processor waits for memory once and not at every step.
   */
  private int lesserHeads(long head, int size) {
    int lesser = 0;
    for (int last = STRIDE - 1; last < size; last += STRIDE) {
      lesser += (int) ((heads[last] - head) >>> 63) * STRIDE;
    }
    while (lesser < size && heads[lesser] < head) {
      lesser++;
    }
    return lesser;
  }

  private int searchEqualHeads(byte[] key, int from, int to, int first, int size) {
    int low = first;
    int high = lesserHeads(heads[first] + 1, size) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      byte[] candidate = bytes[middle];
      int order = Arrays.compareUnsigned(candidate, 0, candidate.length, key, from, to);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }

  /** Whether the head is all there is of a key. */
  private static boolean isWhole(long head) {
    return (head & LENGTH_MASK) <= HEAD_BYTES;
  }

  private static long head(byte[] key, int from, int to) {
    int length = to - from;
    if (length > HEAD_BYTES) {
      return ((long) EIGHT_BYTES.get(key, from) >>> Byte.SIZE << LENGTH_BITS) | (HEAD_BYTES + 1);
    }
    long head = 0;
    for (int i = 0; i < length; i++) {
      head |= (key[from + i] & 0xFFL) << (Byte.SIZE * (HEAD_BYTES - 1 - i));
    }
    return (head << LENGTH_BITS) | length;
  }

  /** A copy of those in {@code [from, to)}; where {@code to} is beyond the room, with more room. */
  Keys copied(int from, int to) {
    return new Keys(Arrays.copyOfRange(bytes, from, to), Arrays.copyOfRange(heads, from, to));
  }

  /** A copy of the first {@code size} with one more at {@code at}. */
  Keys inserted(int at, byte[] key, int size) {
    Keys more = withRoom(size + 1);
    more.take(0, this, 0, at);
    more.set(at, key);
    more.take(at + 1, this, at, size - at);
    return more;
  }

  /** A copy of the first {@code size} without the one at {@code at}. */
  Keys removed(int at, int size) {
    Keys fewer = withRoom(size - 1);
    fewer.take(0, this, 0, at);
    fewer.take(at, this, at + 1, size - 1 - at);
    return fewer;
  }

  /** Puts one at {@code at} before those behind it; there must be room. */
  void insert(int at, byte[] key, int size) {
    take(at + 1, this, at, size - at);
    set(at, key);
  }

  /** Takes the one at {@code at} away; the place behind the last becomes {@code filler}'s. */
  void remove(int at, int size, byte[] filler) {
    take(at, this, at + 1, size - 1 - at);
    bytes[size - 1] = filler;
  }

  void grow(int room) {
    bytes = Arrays.copyOf(bytes, room);
    heads = Arrays.copyOf(heads, room);
  }

  /** Copies {@code count} of another's, from {@code from} on, to {@code at}. */
  void take(int at, Keys other, int from, int count) {
    System.arraycopy(other.bytes, from, bytes, at, count);
    System.arraycopy(other.heads, from, heads, at, count);
  }
}
