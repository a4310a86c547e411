// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The little that is asked of a file system, so that a test can let it fail. */
public interface Disk {
  /** The system's own. */
  static Disk system() {
    return new SystemDisk();
  }

  /** A new empty file, in place of one that is there. */
  DiskFile create(Path path) throws IOException;

  /** A file that is there; what is written goes to its end. */
  DiskFile open(Path path) throws IOException;

  /** Puts {@code from} in the place of {@code to}, in one step. */
  void move(Path from, Path to) throws IOException;

  /** Takes a file away; nothing happens when there is none. */
  void delete(Path path) throws IOException;

  /** Makes the names in a directory last. */
  void force(Path directory) throws IOException;

  /** One open file. Used by one thread at a time. */
  interface DiskFile extends Closeable {
    long size() throws IOException;

    /** Appends all of it. */
    void write(ByteBuffer bytes) throws IOException;

    /** Reads what is there from a position on, until the buffer is full or the file ends. */
    void read(ByteBuffer into, long position) throws IOException;

    /** Cuts off what is behind; the next write goes there. */
    void truncate(long size) throws IOException;

    /** Returns when everything written would survive a loss of power. */
    void force() throws IOException;
  }
}
