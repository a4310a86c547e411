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
 * <p>Where the heads of all keys would be equal, as those of ids made in the same second are, they
 * begin behind the bytes that all keys begin with.
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
   * The first seven bytes of a key behind the shared ones, behind the key's end zeros, then how
   * many bytes there are behind the shared ones or 8 when these are more than seven: the order of
   * two heads that differ is that of their keys, and equal heads of short keys are equal keys.
   * Never negative, so that a difference has the sign of the order.
   */
  private long[] heads;

  /** How many bytes all keys begin with alike and the heads leave out. */
  private int shared;

  private Keys(byte[][] bytes, long[] heads, int shared) {
    this.bytes = bytes;
    this.heads = heads;
    this.shared = shared;
  }

  /** No keys, with room for so many. */
  static Keys withRoom(int room) {
    return new Keys(new byte[room][], new long[room], 0);
  }

  static Keys of(byte[]... sorted) {
    Keys keys = withRoom(sorted.length);
    System.arraycopy(sorted, 0, keys.bytes, 0, sorted.length);
    keys.shareNothing(sorted.length);
    return keys;
  }

  /** The first keys of one node, those between, and the first keys of another. */
  static Keys joined(Keys left, int leftSize, Keys right, int rightSize, byte[]... between) {
    byte[][] all = new byte[leftSize + between.length + rightSize][];
    System.arraycopy(left.bytes, 0, all, 0, leftSize);
    System.arraycopy(between, 0, all, leftSize, between.length);
    System.arraycopy(right.bytes, 0, all, leftSize + between.length, rightSize);
    return of(all);
  }

  byte[] at(int index) {
    return bytes[index];
  }

  /** How many there is room for. */
  int room() {
    return bytes.length;
  }

  /**
   * Where {@code key[from, to)} is among the first {@code size}, or {@code -(insertion point) - 1}.
   */
  int search(byte[] key, int from, int to, int size) {
    if (shared != 0) {
      int order =
          size == 0
              ? 0
              : Arrays.compareUnsigned(key, from, Math.min(to, from + shared), bytes[0], 0, shared);
      if (order != 0) {
        return order < 0 ? -1 : -size - 1;
      }
    }
    long head = head(key, from + shared, to);
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

  /** Whether the head is all there is of a key behind the shared bytes. */
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
    return (head << LENGTH_BITS) | Math.max(0, length);
  }

  /** A copy of those in {@code [from, to)}; where {@code to} is beyond the room, with more room. */
  Keys copied(int from, int to) {
    return new Keys(
        Arrays.copyOfRange(bytes, from, to), Arrays.copyOfRange(heads, from, to), shared);
  }

  /** A copy of the first {@code size} with one more at {@code at}. */
  Keys inserted(int at, byte[] key, int size) {
    Keys more = new Keys(new byte[size + 1][], new long[size + 1], shared);
    copy(0, more, 0, at);
    copy(at, more, at + 1, size - at);
    more.put(at, key, size + 1);
    return more;
  }

  /** A copy of the first {@code size} without the one at {@code at}. */
  Keys removed(int at, int size) {
    Keys fewer = new Keys(new byte[size - 1][], new long[size - 1], shared);
    copy(0, fewer, 0, at);
    copy(at + 1, fewer, at, size - 1 - at);
    return fewer;
  }

  /** Puts one at {@code at} before those behind it; there must be room. */
  void insert(int at, byte[] key, int size) {
    copy(at, this, at + 1, size - at);
    put(at, key, size + 1);
  }

  /** Takes the one at {@code at} away; the place behind the last becomes {@code filler}'s. */
  void remove(int at, int size, byte[] filler) {
    copy(at + 1, this, at, size - 1 - at);
    bytes[size - 1] = filler;
  }

  void grow(int room) {
    bytes = Arrays.copyOf(bytes, room);
    heads = Arrays.copyOf(heads, room);
  }

  /** Puts one in the place of that at {@code at}, among {@code size}. */
  void put(int at, byte[] key, int size) {
    bytes[at] = key;
    if (shared != 0 && !startsAlike(key, at, size)) {
      shareNothing(size);
      return;
    }
    heads[at] = head(key, shared, key.length);
    shareMore(size);
  }

  private boolean startsAlike(byte[] key, int at, int size) {
    if (size == 1 || key.length < shared) {
      return false;
    }
    byte[] another = bytes[at == 0 ? 1 : 0];
    return Arrays.mismatch(key, 0, shared, another, 0, shared) < 0;
  }

  private void shareNothing(int size) {
    shared = 0;
    makeHeads(size);
    shareMore(size);
  }

  /** Where all heads are equal, begins them where the first and the last key differ. */
  private void shareMore(int size) {
    if (size > 1 && heads[0] == heads[size - 1] && !isWhole(heads[0])) {
      shared = Arrays.mismatch(bytes[0], bytes[size - 1]);
      makeHeads(size);
    }
  }

  private void makeHeads(int size) {
    for (int i = 0; i < size; i++) {
      heads[i] = head(bytes[i], shared, bytes[i].length);
    }
  }

  private void copy(int from, Keys to, int at, int count) {
    System.arraycopy(bytes, from, to.bytes, at, count);
    System.arraycopy(heads, from, to.heads, at, count);
  }
}
