// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.storage;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a {@link Node}: byte strings in unsigned order, kept as densely as they allow, since
 * what a search costs is the memory that it has to wait for.
 *
 * <ul>
 *   <li>A run: short keys that are as far from one another as record numbers are. Nothing is kept
 *       but the first and the distance, and a search is a subtraction.
 *   <li>Packed: the bytes that all keys begin with once (two words of them at most), then for each
 *       key a word of what is behind these, its head; and a second one, its tail, where there are
 *       keys that need it. Heads lie next to one another, tails behind them.
 *   <li>Loose: longer keys, as byte strings that lie anywhere, each with its head beside it; a
 *       search looks at the strings only where heads are equal. Where all heads would be equal they
 *       begin behind the bytes that all keys begin with.
 * </ul>
 *
 * <p>How many there are its node knows and passes on; there may be room for more. Keys that are run
 * or packed have no byte string until someone asks for it. What changes keys changes them in place.
 */
class Keys {
  private static final int STRIDE = 8;
  private static final byte[] NO_KEY = new byte[0];

  /** The distance in a run of one: further than any other word is. */
  private static final byte NO_DISTANCE = 62;

  /** A beginning that packed keys share, and what is behind it, have at most two words. */
  private static final int TWO_WORDS = 2 * Words.BYTES;

  /** The heads, then the tails if there are any, {@link #room} of each; null in a run. */
  private long @Nullable [] words;

  /** The keys themselves where they are loose. */
  private byte @Nullable [][] bytes;

  private short room; // small, like the distance, so that a node is a line of the cache

  /** Whether words and strings are another node's too, which must not see a change of them. */
  private boolean borrowed;

  /** The first key of a run. */
  private long first;

  /** The distance in a run, a power of two. */
  private byte distanceBits = NO_DISTANCE;

  /** How many bytes all keys begin with alike and the heads leave out. */
  private int shared;

  /** The words of these bytes where keys are packed. */
  private long beginning;

  private long beginningTail;

  /** Where {@code key[from, to)} is among the {@code size}, or {@code -(insertion point) - 1}. */
  final int search(byte[] key, int from, int to, int size) {
    long[] all = words;
    if (all == null) {
      return searchRun(Words.of(key, from, to), size);
    }
    if (shared != 0) {
      int order = size == 0 ? 0 : compareBeginning(key, from, to);
      if (order != 0) {
        return order < 0 ? -1 : -size - 1;
      }
    }
    long head = Words.of(key, from + shared, to);
    int at = lesser(all, head, size);
    if (at == size || all[at] != head) {
      return -at - 1;
    }
    if (Words.isWhole(head)) {
      return at;
    }
    byte[][] loose = bytes;
    if (loose == null) {
      return searchTails(all, head, Words.of(key, from + shared + Words.BYTES, to), at, size);
    }
    return searchLoose(loose, at, lesser(all, head + 1, size), key, from, to);
  }

  private int searchRun(long word, int size) {
    long beyond = word - first;
    if (beyond < 0 || size == 0) {
      return -1;
    }
    long at = beyond >>> distanceBits;
    if (at >= size) {
      return -size - 1;
    }
    return beyond == at << distanceBits ? (int) at : -(int) at - 2;
  }

  private int compareBeginning(byte[] key, int from, int to) {
    int end = Math.min(to, from + shared);
    byte[][] loose = bytes;
    if (loose != null) {
      return Arrays.compareUnsigned(key, from, end, loose[0], 0, shared);
    }
    int order = Long.compare(head(key, from, end), beginning);
    return order == 0 && shared > Words.BYTES
        ? Long.compare(Words.of(key, from + Words.BYTES, end), beginningTail)
        : order;
  }

  private static long head(byte[] key, int from, int to) {
    return Words.of(key, from, Math.min(to, from + Words.BYTES));
  }

  /**
   * How many of the heads are less. Eight at a time are passed over by the last of them: these
   * loads depend on nothing, so that the processor waits for memory once and not at every step.
   */
  private static int lesser(long[] heads, long head, int size) {
    int lesser = 0;
    for (int last = STRIDE - 1; last < size; last += STRIDE) {
      lesser += (int) ((heads[last] - head) >>> 63) * STRIDE;
    }
    while (lesser < size && heads[lesser] < head) {
      lesser++;
    }
    return lesser;
  }

  private int searchTails(long[] all, long head, long tail, int equal, int size) {
    int at = equal;
    while (at < size && all[at] == head) {
      long other = all[room + at];
      if (other >= tail) {
        return other == tail ? at : -at - 1;
      }
      at++;
    }
    return -at - 1;
  }

  private static int searchLoose(byte[][] keys, int least, int end, byte[] key, int from, int to) {
    int low = least;
    int high = end - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      byte[] candidate = keys[middle];
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

  /** The key at {@code index}; not to be changed. */
  final byte[] key(int index) {
    if (bytes != null) {
      return bytes[index];
    }
    long[] all = words;
    long head = all == null ? first + ((long) index << distanceBits) : all[index];
    long tail = all == null || !hasTails(all) ? 0 : all[room + index];
    int headEnd = shared + Words.length(head);
    byte[] key = new byte[headEnd + Words.length(tail)];
    Words.write(beginning, key, 0);
    if (shared > Words.BYTES) {
      Words.write(beginningTail, key, Words.BYTES);
    }
    Words.write(head, key, shared);
    Words.write(tail, key, headEnd);
    return key;
  }

  private boolean hasTails(long[] all) {
    return all.length != room;
  }

  /** Becomes these keys, with room for no more. */
  final void setKeys(byte[]... sorted) {
    words = null;
    bytes = null;
    shared = 0;
    beginning = 0;
    beginningTail = 0;
    room = (short) sorted.length;
    if (sorted.length == 0) {
      return;
    }
    int longest = 0;
    for (byte[] key : sorted) {
      longest = Math.max(longest, key.length);
    }
    int alike = alike(sorted, longest);
    if (longest <= Words.BYTES) {
      pack(sorted, false);
      shorten(sorted.length);
    } else if (longest - Math.min(alike, TWO_WORDS) <= TWO_WORDS) {
      shared = Math.min(alike, TWO_WORDS);
      beginning = head(sorted[0], 0, shared);
      beginningTail = Words.of(sorted[0], Words.BYTES, shared);
      pack(sorted, longest - shared > Words.BYTES);
    } else {
      bytes = sorted;
      pack(sorted, false);
      if (isAllAlike(sorted.length)) {
        shared = alike;
        pack(sorted, false);
      }
    }
  }

  /** How many bytes all begin with alike; of one key so many that the rest is a word. */
  private static int alike(byte[][] sorted, int longest) {
    return sorted.length == 1
        ? Math.max(0, longest - Words.BYTES)
        : Math.max(0, Arrays.mismatch(sorted[0], sorted[sorted.length - 1]));
  }

  private void pack(byte[][] sorted, boolean withTails) {
    words = new long[withTails ? 2 * room : room];
    for (int i = 0; i < sorted.length; i++) {
      write(words, i, sorted[i]);
    }
  }

  private void write(long[] all, int at, byte[] key) {
    all[at] = Words.of(key, shared, key.length);
    if (hasTails(all)) {
      all[room + at] = Words.of(key, shared + Words.BYTES, key.length);
    }
  }

  /** Becomes a run if these words are one. */
  private void shorten(int size) {
    long[] heads = Objects.requireNonNull(words);
    long distance = size == 1 ? 1L << NO_DISTANCE : heads[1] - heads[0];
    if (Long.bitCount(distance) != 1) {
      return;
    }
    for (int i = 1; i < size; i++) {
      if (heads[i] - heads[i - 1] != distance) {
        return;
      }
    }
    first = heads[0];
    distanceBits = (byte) Long.numberOfTrailingZeros(distance);
    words = null;
  }

  private boolean isAllAlike(int size) {
    long[] heads = Objects.requireNonNull(words);
    return size > 1 && heads[0] == heads[size - 1] && !Words.isWhole(heads[0]);
  }

  /** Becomes the first keys of one node, those between, and the first keys of another. */
  final void setJoined(Keys left, int leftSize, Keys right, int rightSize, byte[]... between) {
    byte[][] all = new byte[leftSize + between.length + rightSize][];
    for (int i = 0; i < leftSize; i++) {
      all[i] = left.key(i);
    }
    System.arraycopy(between, 0, all, leftSize, between.length);
    for (int i = 0; i < rightSize; i++) {
      all[leftSize + between.length + i] = right.key(i);
    }
    setKeys(all);
  }

  /** Becomes a copy of those in {@code [from, to)} of others, with room for so many. */
  final void setCopy(Keys source, int from, int to, int newRoom) {
    room = (short) newRoom;
    shared = source.shared;
    beginning = source.beginning;
    beginningTail = source.beginningTail;
    distanceBits = source.distanceBits;
    first = source.first + ((long) from << distanceBits);
    words = source.words == null ? null : source.wordsOf(from, to, newRoom);
    bytes = null;
    if (source.bytes != null) {
      byte[][] copy = new byte[newRoom][];
      System.arraycopy(source.bytes, from, copy, 0, to - from);
      bytes = copy;
    }
  }

  /**
   * Becomes the keys of a node that does not change any more; copies them before the first change.
   */
  final void setSame(Keys source) {
    room = source.room;
    shared = source.shared;
    beginning = source.beginning;
    beginningTail = source.beginningTail;
    distanceBits = source.distanceBits;
    first = source.first;
    words = source.words;
    bytes = source.bytes;
    borrowed = true;
  }

  private void own() {
    if (borrowed) {
      words = words == null ? null : words.clone();
      bytes = bytes == null ? null : bytes.clone();
      borrowed = false;
    }
  }

  private long[] wordsOf(int from, int to, int newRoom) {
    long[] all = Objects.requireNonNull(words);
    if (!hasTails(all)) {
      return Arrays.copyOfRange(all, from, from + newRoom);
    }
    if (from == 0 && newRoom == room) {
      return all.clone();
    }
    long[] copy = new long[2 * newRoom];
    System.arraycopy(all, from, copy, 0, to - from);
    System.arraycopy(all, room + from, copy, newRoom, to - from);
    return copy;
  }

  /** Puts one at {@code at} before those behind it, among {@code size}. */
  final void insertKey(int at, byte[] key, int size) {
    own();
    if (size == 0) {
      setKeys(key);
      return;
    }
    if (words == null) {
      if (prolongs(at, key, size)) {
        return;
      }
      spread(size);
    }
    if (!fits(key)) {
      setInserted(at, key, size);
      return;
    }
    if (room <= size) {
      grow(size);
    }
    move(at, at + 1, size - at);
    write(Objects.requireNonNull(words), at, key);
    if (bytes != null) {
      bytes[at] = key;
    }
    // Packed keys that share as much as they can may have equal heads: their tails differ.
    if ((bytes != null || shared < TWO_WORDS) && isAllAlike(size + 1)) {
      setJoined(this, size + 1, this, 0);
    }
  }

  private void setInserted(int at, byte[] key, int size) {
    byte[][] all = new byte[size + 1][];
    for (int i = 0; i < size; i++) {
      all[i < at ? i : i + 1] = key(i);
    }
    all[at] = key;
    setKeys(all);
  }

  /** Whether a run goes on with that key, which then is in it. */
  private boolean prolongs(int at, byte[] key, int size) {
    long word = Words.of(key, 0, key.length);
    if (at < size || !Words.isWhole(word)) {
      return false;
    }
    if (size == 1 && Long.bitCount(word - first) == 1) {
      distanceBits = (byte) Long.numberOfTrailingZeros(word - first);
    }
    return word == first + ((long) size << distanceBits);
  }

  /** Turns a run into words. */
  private void spread(int size) {
    long[] heads = new long[size];
    for (int i = 0; i < size; i++) {
      heads[i] = first + ((long) i << distanceBits);
    }
    words = heads;
    room = (short) size;
  }

  /** Whether the key can be among these as they are kept. */
  private boolean fits(byte[] key) {
    if (bytes != null) {
      return key.length >= shared && Arrays.mismatch(key, 0, shared, bytes[0], 0, shared) < 0;
    }
    int rest = key.length - shared;
    return rest >= 0
        && rest <= (hasTails(Objects.requireNonNull(words)) ? TWO_WORDS : Words.BYTES)
        && compareBeginning(key, 0, key.length) == 0;
  }

  private void grow(int size) {
    int more = Math.min(Node.WIDTH, size + size / 2 + 4);
    words = wordsOf(0, size, more);
    room = (short) more;
    bytes = bytes == null ? null : Arrays.copyOf(bytes, more);
  }

  private void move(int from, int to, int count) {
    long[] all = Objects.requireNonNull(words);
    System.arraycopy(all, from, all, to, count);
    if (hasTails(all)) {
      System.arraycopy(all, room + from, all, room + to, count);
    }
    if (bytes != null) {
      System.arraycopy(bytes, from, bytes, to, count);
    }
  }

  /** Takes the one at {@code at} away. */
  final void removeKey(int at, int size) {
    own();
    if (words == null) {
      if (at == 0) {
        first += 1L << distanceBits;
        return;
      }
      if (at == size - 1) {
        return;
      }
      spread(size);
    }
    move(at + 1, at, size - 1 - at);
    if (bytes != null) {
      bytes[size - 1] = NO_KEY;
    }
  }

  /** Puts one in the place of that at {@code at}, among {@code size}. */
  final void replaceKey(int at, byte[] key, int size) {
    removeKey(at, size);
    insertKey(at, key, size - 1);
  }
}
