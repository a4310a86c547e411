// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

/** Array indexes as the names they have in BSON. */
public final class Indexes {
  private static final String[] SMALL = new String[256];

  static {
    for (int i = 0; i < SMALL.length; i++) {
      SMALL[i] = Integer.toString(i);
    }
  }

  private Indexes() {}

  public static String text(int index) {
    return index < SMALL.length ? SMALL[index] : Integer.toString(index);
  }

  /** The index that a path part means, -1 when it is no index: digits without a leading zero. */
  public static int parse(String part) {
    int length = part.length();
    if (length == 0 || length > 9 || (length > 1 && part.charAt(0) == '0')) {
      return -1;
    }
    int index = 0;
    for (int i = 0; i < length; i++) {
      char c = part.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      index = index * 10 + (c - '0');
    }
    return index;
  }
}
