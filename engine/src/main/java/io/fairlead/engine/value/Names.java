// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import org.jspecify.annotations.Nullable;

/**
 * Names of fields as strings. The same few names come again and again, so a name that was met
 * lately is the same string, whose hash is known, and takes no memory. Any thread may ask.
 */
final class Names {
  private static final int SLOTS = 1024;

  /** Longer names are rare, and would keep memory. */
  private static final int LENGTH_MAX = 32;

  /** Written by any thread without order: a string is complete wherever it is seen. */
  private static final @Nullable String[] RECENT = new String[SLOTS];

  private Names() {}

  /** The name whose UTF-8 is {@code bytes[from, to)}. */
  static String of(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length > LENGTH_MAX) {
      return RawBytes.text(bytes, from, to);
    }
    int hash = 0;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + bytes[i];
    }
    int slot = (hash ^ (hash >>> 10)) & (SLOTS - 1);
    String recent = RECENT[slot];
    if (recent != null && isAscii(recent, bytes, from, length)) {
      return recent;
    }
    String name = RawBytes.text(bytes, from, to);
    RECENT[slot] = name;
    return name;
  }

  /** Whether the name is these bytes; names with other characters are always made anew. */
  private static boolean isAscii(String name, byte[] bytes, int from, int length) {
    if (name.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (name.charAt(i) != bytes[from + i]) {
        return false;
      }
    }
    return true;
  }
}
