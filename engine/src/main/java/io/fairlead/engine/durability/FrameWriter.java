// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Collects operations and writes them to the end of a file as groups of frames. Used by one thread.
 */
final class FrameWriter {
  private static final int PART_BYTES = 1024 * 1024;
  private static final int ROOM = 64 * 1024;

  private final Disk.DiskFile file;
  private long sequence;
  private byte[] buffer = new byte[ROOM];
  private int size = Frames.BEFORE_CONTENT;
  private boolean inGroup;

  /**
   * Makes a writer.
   *
   * @param sequence of the next frame
   */
  FrameWriter(Disk.DiskFile file, long sequence) {
    this.file = file;
    this.sequence = sequence;
  }

  /** The sequence of the next frame. */
  long sequence() {
    return sequence;
  }

  /** Forgets the group that was begun, and numbers on from there. */
  void restart(long nextSequence) {
    sequence = nextSequence;
    size = Frames.BEFORE_CONTENT;
    inGroup = false;
  }

  void one(int value) {
    room(1);
    buffer[size++] = (byte) value;
  }

  void four(int value) {
    room(4);
    for (int shift = 24; shift >= 0; shift -= 8) {
      buffer[size++] = (byte) (value >>> shift);
    }
  }

  void eight(long value) {
    four((int) (value >>> 32));
    four((int) value);
  }

  void all(byte[] bytes) {
    room(bytes.length);
    System.arraycopy(bytes, 0, buffer, size, bytes.length);
    size += bytes.length;
  }

  /** An operation is complete: what has come together may be written. */
  void operation() throws IOException {
    if (size > PART_BYTES) {
      write(false);
    }
  }

  /**
   * Ends the group.
   *
   * @return false when it has no operation, in which case nothing was written
   */
  boolean end() throws IOException {
    if (size == Frames.BEFORE_CONTENT && !inGroup) {
      return false;
    }
    write(true);
    return true;
  }

  /** Writes a group that says nothing. */
  void endEmpty() throws IOException {
    write(true);
  }

  private void write(boolean last) throws IOException {
    int length = size - Frames.BEFORE_CONTENT;
    ByteBuffer head = ByteBuffer.wrap(buffer);
    head.putInt(Frames.MAGIC).putInt(length).putLong(sequence).put(Frames.flags(!inGroup, last));
    room(Frames.AFTER_CONTENT);
    four(Frames.crc(buffer, 0, size));
    file.write(ByteBuffer.wrap(buffer, 0, size));
    sequence++;
    size = Frames.BEFORE_CONTENT;
    inGroup = !last;
    if (buffer.length > 4 * PART_BYTES) {
      buffer = new byte[ROOM];
    }
  }

  private void room(int more) {
    if (size + more > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, size + more));
    }
  }
}
