// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.key;

/**
 * Record ids as keys: the number of significant bytes, then these, so that greater ids are greater
 * keys and small ids are short. At the end of an index entry a byte tells how long the id before it
 * is.
 */
public final class RecordIds {
  /**
   * The last byte of an index entry whose record id is too long for one byte: four bytes before it
   * have the length.
   */
  private static final int LONG = 0xFF;

  private RecordIds() {}

  /**
   * The key of a record number.
   *
   * @param number 0 or more
   */
  public static byte[] key(long number) {
    int length = Math.max(1, (71 - Long.numberOfLeadingZeros(number)) / 8);
    byte[] key = new byte[length + 1];
    key[0] = (byte) length;
    for (int i = length; i > 0; i--) {
      key[i] = (byte) number;
      number >>>= 8;
    }
    return key;
  }

  /** The number of a record's key. */
  public static long number(byte[] key, int from, int to) {
    long number = 0;
    for (int i = from + 1; i < to; i++) {
      number = (number << 8) | (key[i] & 0xFF);
    }
    return number;
  }

  /** Ends an index entry: the record's id and its length. */
  public static byte[] entry(byte[] indexKey, byte[] record) {
    int tail = record.length < LONG ? 1 : 5;
    byte[] entry = new byte[indexKey.length + record.length + tail];
    System.arraycopy(indexKey, 0, entry, 0, indexKey.length);
    System.arraycopy(record, 0, entry, indexKey.length, record.length);
    if (tail == 1) {
      entry[entry.length - 1] = (byte) record.length;
    } else {
      int at = entry.length - 5;
      for (int shift = 24; shift >= 0; shift -= 8) {
        entry[at++] = (byte) (record.length >>> shift);
      }
      entry[at] = (byte) LONG;
    }
    return entry;
  }

  /** Where in an index entry the record's id begins. */
  public static int start(byte[] entry) {
    return end(entry) - length(entry);
  }

  /** Where in an index entry the record's id ends. */
  public static int end(byte[] entry) {
    return entry.length - ((entry[entry.length - 1] & 0xFF) == LONG ? 5 : 1);
  }

  private static int length(byte[] entry) {
    int last = entry[entry.length - 1] & 0xFF;
    if (last != LONG) {
      return last;
    }
    int length = 0;
    for (int i = entry.length - 5; i < entry.length - 1; i++) {
      length = (length << 8) | (entry[i] & 0xFF);
    }
    return length;
  }
}
