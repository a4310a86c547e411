// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The layout of journal and checkpoint files: a head, then frames. Numbers are big-endian.
 *
 * <pre>
 *   head   magic 8 · kind 1 · version 4 · generation 8 · sequence of the first frame 8 · CRC 4
 *   frame  magic 4 · length of the content 4 · sequence 8 · flags 1 · content · CRC 4
 * </pre>
 *
 * Every CRC is CRC-32C over all that is before it in its head or frame. What a group of frames says
 * counts only when its last one is there. The flags tell the last frame of a group (1) and the
 * first (2): a group is forced as a whole, so that only an intact first frame proves that what is
 * before it had been written to its end.
 */
final class Frames {
  static final int VERSION = 3;
  static final byte JOURNAL = 'J';
  static final byte CHECKPOINT = 'C';

  static final long HEAD_MAGIC = 0x46414952_4C454144L; // FAIRLEAD
  static final int HEAD_BYTES = 33;

  static final int MAGIC = 0xF1A1_7E57;
  static final int BEFORE_CONTENT = 17;
  static final int AFTER_CONTENT = 4;

  /** A frame holds at least one operation; a definition of many large filters is the longest. */
  static final int CONTENT_MAX = 1 << 30;

  private static final int LAST = 1;
  private static final int FIRST = 2;

  private Frames() {}

  static byte flags(boolean first, boolean last) {
    return (byte) ((first ? FIRST : 0) | (last ? LAST : 0));
  }

  static boolean isFirst(int flags) {
    return (flags & FIRST) != 0;
  }

  static boolean isLast(int flags) {
    return (flags & LAST) != 0;
  }

  static boolean areKnown(int flags) {
    return (flags & ~(FIRST | LAST)) == 0;
  }

  /** What the head of a file says. */
  record Head(byte kind, int version, long generation, long firstSequence) {}

  static ByteBuffer head(byte kind, long generation, long firstSequence) {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
    head.putLong(HEAD_MAGIC).put(kind).putInt(VERSION).putLong(generation).putLong(firstSequence);
    head.putInt(crc(head.array(), 0, head.position()));
    return head.flip();
  }

  static int crc(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }
}
