// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the frames of a file in order, up to the first that is not intact. Used by one thread. */
final class FrameReader {
  private static final int WINDOW = 1024 * 1024;

  /** How far ahead of what is expected the sequence of a later frame is believed. */
  private static final long BELIEVED = 1L << 32;

  private final Disk.DiskFile file;
  private final long size;
  private final Frames.Head head;
  private long at = Frames.HEAD_BYTES;
  private long sequence;
  private ByteBuffer window = ByteBuffer.allocate(WINDOW).limit(0);
  private long windowAt;

  /**
   * A frame.
   *
   * @param first whether its group begins with it
   * @param last whether its group ends with it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Frame(byte[] content, boolean first, boolean last) {}

  private FrameReader(Disk.DiskFile file, long size, Frames.Head head) {
    this.file = file;
    this.size = size;
    this.head = head;
    this.sequence = head.firstSequence();
  }

  /** Starts behind the head of a file; null when its head is not whole. */
  static @Nullable FrameReader of(Disk.DiskFile file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Frames.HEAD_BYTES);
    file.read(bytes, 0);
    if (bytes.hasRemaining()) {
      return null;
    }
    bytes.flip();
    boolean whole =
        bytes.getLong() == Frames.HEAD_MAGIC
            && bytes.getInt(Frames.HEAD_BYTES - 4)
                == Frames.crc(bytes.array(), 0, Frames.HEAD_BYTES - 4);
    if (!whole) {
      return null;
    }
    Frames.Head head =
        new Frames.Head(bytes.get(), bytes.getInt(), bytes.getLong(), bytes.getLong());
    return new FrameReader(file, file.size(), head);
  }

  Frames.Head head() {
    return head;
  }

  /** Where the next frame begins. */
  long position() {
    return at;
  }

  /** The sequence that the next frame must have. */
  long sequence() {
    return sequence;
  }

  boolean atEnd() {
    return at == size;
  }

  /** The next frame; null at the end, and where what comes is not an intact frame. */
  @Nullable Frame next() throws IOException {
    Frame frame = intact(at, sequence);
    if (frame != null) {
      at += Frames.BEFORE_CONTENT + frame.content().length + Frames.AFTER_CONTENT;
      sequence++;
    }
    return frame;
  }

  private @Nullable Frame intact(long position, long expected) throws IOException {
    if (size - position < Frames.BEFORE_CONTENT + Frames.AFTER_CONTENT) {
      return null;
    }
    ByteBuffer bytes = window(position, Frames.BEFORE_CONTENT);
    if (bytes.getInt() != Frames.MAGIC) {
      return null;
    }
    int length = bytes.getInt();
    long found = bytes.getLong();
    int flags = bytes.get();
    long whole = (long) Frames.BEFORE_CONTENT + length + Frames.AFTER_CONTENT;
    boolean plausible =
        length >= 0
            && length <= Frames.CONTENT_MAX
            && Frames.areKnown(flags)
            && size - position >= whole
            && (expected >= 0
                ? found == expected
                : found >= sequence && found - sequence < BELIEVED);
    if (!plausible) {
      return null;
    }
    bytes = window(position, (int) whole);
    byte[] checked = new byte[(int) whole - Frames.AFTER_CONTENT];
    bytes.get(checked);
    if (Frames.crc(checked, 0, checked.length) != bytes.getInt()) {
      return null;
    }
    byte[] content = Arrays.copyOfRange(checked, Frames.BEFORE_CONTENT, checked.length);
    return new Frame(content, Frames.isFirst(flags), Frames.isLast(flags));
  }

  /**
   * Where behind the frame that is not intact there is one that is and begins a group; -1 when
   * there is none, as behind a write that was cut off: later parts of the same group may have
   * reached the disk before it.
   */
  long intactBehind() throws IOException {
    for (long position = at + 1;
        size - position >= Frames.BEFORE_CONTENT + Frames.AFTER_CONTENT;
        position++) {
      if (window(position, 4).getInt() == Frames.MAGIC) {
        Frame frame = intact(position, -1);
        if (frame != null && frame.first()) {
          return position;
        }
      }
    }
    return -1;
  }

  /** A view that starts at a position of the file and has at least so many bytes. */
  private ByteBuffer window(long position, int bytes) throws IOException {
    boolean inside = position >= windowAt && position + bytes <= windowAt + window.limit();
    if (!inside) {
      if (window.capacity() < bytes) {
        window = ByteBuffer.allocate(Math.max(bytes, 2 * window.capacity()));
      }
      window.clear();
      file.read(window, position);
      window.flip();
      windowAt = position;
    }
    return window.position((int) (position - windowAt));
  }
}
