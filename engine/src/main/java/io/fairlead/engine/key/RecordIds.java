// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.key;

/**
 * Record ids as keys, and at the end of index entries, where they are found from behind.
 *
 * <p>Most collections number their records. Such an id has as many bytes as it needs, one to
 * {@value #LONGEST}: the first one begins with as many ones as bytes follow and then a zero, so
 * that greater ids are greater keys; the last three bits say the same, so that an entry needs
 * nothing behind its id.
 *
 * <p>Where a field orders the records its key is their id. Behind it an entry has a byte that ends
 * with three ones, as no number does, and before these the id's length; or, where that is too long,
 * five ones, and the length in four bytes before.
 */
public final class RecordIds {
  private static final int LONGEST = 7;
  private static final int LENGTH_BITS = 3;
  private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;

  /** What the last byte of an entry ends with when its record has no number. */
  private static final int KEYED = LENGTH_MASK;

  /** The last byte of an entry whose record's key is too long for one byte to tell. */
  private static final int LONG = 0xFF;

  private RecordIds() {}

  /**
   * The key of a record number.
   *
   * @param number 0 or more, less than 2^46
   */
  public static byte[] key(long number) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(number);
    int length = (bits + LENGTH_BITS + 6) / 7;
    if (length > LONGEST) {
      throw new IllegalArgumentException("no record has the number " + number);
    }
    long word = (number << LENGTH_BITS) | (length - 1);
    word |= ((1L << (length - 1)) - 1) << (7 * length + 1);
    byte[] key = new byte[length];
    for (int i = length - 1; i >= 0; i--) {
      key[i] = (byte) word;
      word >>>= Byte.SIZE;
    }
    return key;
  }

  /** The number of a record's key. */
  public static long number(byte[] key, int from, int to) {
    long word = 0;
    for (int i = from; i < to; i++) {
      word = (word << Byte.SIZE) | (key[i] & 0xFF);
    }
    return (word & ((1L << (7 * (to - from))) - 1)) >>> LENGTH_BITS;
  }

  /** An index entry: a key of the index and the number of the record. */
  public static byte[] entry(byte[] indexKey, byte[] number) {
    byte[] entry = new byte[indexKey.length + number.length];
    System.arraycopy(indexKey, 0, entry, 0, indexKey.length);
    System.arraycopy(number, 0, entry, indexKey.length, number.length);
    return entry;
  }

  /** An index entry: a key of the index and the key of a record that has no number. */
  public static byte[] keyedEntry(byte[] indexKey, byte[] record) {
    boolean isLong = record.length >= LONG >>> LENGTH_BITS;
    int end = indexKey.length + record.length;
    byte[] entry = new byte[end + (isLong ? 5 : 1)];
    System.arraycopy(indexKey, 0, entry, 0, indexKey.length);
    System.arraycopy(record, 0, entry, indexKey.length, record.length);
    if (isLong) {
      for (int shift = 24; shift >= 0; shift -= Byte.SIZE) {
        entry[end++] = (byte) (record.length >>> shift);
      }
      entry[end] = (byte) LONG;
    } else {
      entry[end] = (byte) ((record.length << LENGTH_BITS) | KEYED);
    }
    return entry;
  }

  /** Where in an index entry the record's id begins. */
  public static int start(byte[] entry) {
    int last = entry[entry.length - 1] & 0xFF;
    int length = last & LENGTH_MASK;
    if (length != KEYED) {
      return entry.length - length - 1;
    }
    if (last != LONG) {
      return entry.length - 1 - (last >>> LENGTH_BITS);
    }
    int end = entry.length - 5;
    int keyLength = 0;
    for (int i = end; i < end + 4; i++) {
      keyLength = (keyLength << Byte.SIZE) | (entry[i] & 0xFF);
    }
    return end - keyLength;
  }

  /** Where in an index entry the record's id ends. */
  public static int end(byte[] entry) {
    int last = entry[entry.length - 1] & 0xFF;
    if ((last & LENGTH_MASK) != KEYED) {
      return entry.length;
    }
    return entry.length - (last == LONG ? 5 : 1);
  }
}
