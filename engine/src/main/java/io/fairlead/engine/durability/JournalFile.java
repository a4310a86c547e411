// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file to which the journal is written now, and how much of it is good. When the system may
 * have forgotten what it was given, the next one takes its place. Used by the journal's thread
 * alone.
 */
final class JournalFile {
  private static final Logger LOG = LoggerFactory.getLogger(JournalFile.class);

  private final DataDirectory directory;
  private final Disk disk;
  private Content written;
  private long generation;
  private Disk.DiskFile file;
  private FrameWriter frames;
  private long goodEnd;
  private long goodSequence;
  private boolean unusable;

  JournalFile(DataDirectory directory, Disk disk, Recovery.Found found) throws IOException {
    this.directory = directory;
    this.disk = disk;
    this.written = found.content();
    this.generation = found.generation();
    this.goodSequence = found.sequence();
    this.file = disk.open(directory.journal(generation));
    this.goodEnd = file.size();
    this.frames = new FrameWriter(file, goodSequence);
  }

  /** The number of the file among its kind. */
  long generation() {
    return generation;
  }

  /** The number of the last frame that is good. */
  long sequence() {
    return goodSequence;
  }

  /** How long what is good of the file is. */
  long bytes() {
    return goodEnd;
  }

  /**
   * Writes how {@code now} differs from what is written, and forces it.
   *
   * @return false when they are the same
   */
  boolean append(Content now) throws IOException {
    if (now.version() == written.version()) {
      return false;
    }
    if (unusable) {
      begin();
      unusable = false;
    }
    new StateWriter(frames).difference(written.collections(), now.collections());
    if (frames.end()) {
      force();
    }
    goodEnd = file.size();
    goodSequence = frames.sequence();
    written = now;
    return true;
  }

  private void force() throws IOException {
    try {
      file.force();
    } catch (IOException lost) {
      // What the system has forgotten of this file cannot be known: another takes its place.
      unusable = true;
      throw lost;
    }
  }

  /**
   * Goes on in the next file. When that fails, a beginning of it may have stayed, which says that
   * this one ends here: nothing more comes into this one, and the next append begins the other
   * anew.
   */
  void next() throws IOException {
    try {
      begin();
    } catch (IOException failed) {
      unusable = true;
      throw failed;
    }
  }

  private void begin() throws IOException {
    Disk.DiskFile next = Checkpoint.beginJournal(directory, disk, generation + 1, goodSequence);
    Disk.DiskFile old = file;
    generation++;
    file = next;
    frames = new FrameWriter(next, goodSequence);
    goodEnd = Frames.HEAD_BYTES;
    try {
      old.close();
    } catch (IOException failed) {
      LOG.warn("{}: a journal did not close cleanly", directory.path(), failed);
    }
  }

  /** Cuts off what an append has written before it failed. */
  void cutOff() {
    frames.restart(goodSequence);
    if (!unusable) {
      try {
        file.truncate(goodEnd);
      } catch (IOException alsoFailed) {
        unusable = true;
      }
    }
  }

  void close() throws IOException {
    file.close();
  }
}
