// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The name of one field, made to be found in documents: its first eight bytes are one number, so
 * that most names are told apart by one comparison. Immutable.
 */
public final class FieldName {
  private static final int HEAD = Long.BYTES;

  /** A byte that UTF-8 does not have. */
  private static final byte NOWHERE = (byte) 0xFF;

  private final byte[] bytes;

  /** The first bytes of the name and of the NUL behind it, the first the lowest. */
  private final long head;

  /** Which bits of {@link #head} count. */
  private final long mask;

  private FieldName(byte[] bytes) {
    this.bytes = bytes;
    this.head = RawBytes.word(bytes, 0);
    this.mask = bytes.length < HEAD - 1 ? (1L << (8 * bytes.length + 8)) - 1 : -1;
  }

  /** Finds nothing where the name has a NUL, as no field's name has. */
  public static FieldName of(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        bytes[i] = NOWHERE;
      }
    }
    return new FieldName(bytes);
  }

  /** In UTF-8, but that a NUL is {@link #NOWHERE}; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  int length() {
    return bytes.length;
  }

  /**
   * Whether the name that stands in {@code document} at {@code at} is this one.
   *
   * @param word the eight bytes there
   */
  boolean isAt(byte[] document, int at, long word) {
    return ((word ^ head) & mask) == 0 && (bytes.length < HEAD || endsAt(document, at));
  }

  private boolean endsAt(byte[] document, int at) {
    int end = at + bytes.length;
    return end < document.length
        && document[end] == 0
        && Arrays.equals(document, at + HEAD, end, bytes, HEAD, bytes.length);
  }
}
