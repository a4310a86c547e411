// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.plan;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keys from one, included, to another, not included.
 *
 * @param from empty is no bound
 * @param to null is no bound
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content, and never changed
public record ByteRange(byte[] from, byte @Nullable [] to) {
  private static final byte[] NOTHING = new byte[0];

  /** Every key. */
  public static final ByteRange ALL = new ByteRange(NOTHING, null);

  /** The keys that begin with {@code prefix}. */
  public static ByteRange startingWith(byte[] prefix) {
    return new ByteRange(prefix, after(prefix));
  }

  /**
   * The least key that is greater than every key that begins with {@code prefix}; null when there
   * is none.
   */
  public static byte @Nullable [] after(byte[] prefix) {
    for (int i = prefix.length - 1; i >= 0; i--) {
      if (prefix[i] != (byte) 0xFF) {
        byte[] next = Arrays.copyOf(prefix, i + 1);
        next[i]++;
        return next;
      }
    }
    return null;
  }

  public boolean isEmpty() {
    return to != null && Arrays.compareUnsigned(from, to) >= 0;
  }

  /** What lies in both. */
  public ByteRange and(ByteRange other) {
    byte[] greatestFrom = Arrays.compareUnsigned(from, other.from) >= 0 ? from : other.from;
    byte[] leastTo =
        to == null || (other.to != null && Arrays.compareUnsigned(other.to, to) < 0)
            ? other.to
            : to;
    return new ByteRange(greatestFrom, leastTo);
  }

  /**
   * The range of the same values when their keys are turned over. It begins behind all that starts
   * with the turned end, and ends behind all that starts with the turned beginning.
   */
  ByteRange turnedOver() {
    byte[] newFrom = to == null ? NOTHING : after(turn(to));
    return newFrom == null
        ? new ByteRange(NOTHING, NOTHING)
        : new ByteRange(newFrom, after(turn(from)));
  }

  /** This range for keys that have {@code prefix} before them. */
  ByteRange behind(byte[] prefix) {
    return new ByteRange(join(prefix, from), to == null ? after(prefix) : join(prefix, to));
  }

  static byte[] turn(byte[] bytes) {
    byte[] turned = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      turned[i] = (byte) ~bytes[i];
    }
    return turned;
  }

  private static byte[] join(byte[] a, byte[] b) {
    byte[] joined = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, joined, a.length, b.length);
    return joined;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ByteRange that
        && Arrays.equals(from, that.from)
        && Arrays.equals(to, that.to);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
  }

  @Override
  public String toString() {
    java.util.HexFormat hex = java.util.HexFormat.of();
    return "[" + hex.formatHex(from) + ", " + (to == null ? "" : hex.formatHex(to)) + ")";
  }
}
