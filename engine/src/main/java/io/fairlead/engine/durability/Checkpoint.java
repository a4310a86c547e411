// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import io.fairlead.engine.storage.Tree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Writes whole contents, and the heads of the journals that follow them. */
final class Checkpoint {
  private Checkpoint() {}

  /** An empty journal, which is there after a loss of power, too. */
  static Disk.DiskFile beginJournal(
      DataDirectory directory, Disk disk, long generation, long firstSequence) throws IOException {
    Disk.DiskFile file = disk.create(directory.journal(generation));
    try {
      file.write(Frames.head(Frames.JOURNAL, generation, firstSequence));
      file.force();
      disk.force(directory.path());
      return file;
    } catch (IOException | RuntimeException failure) {
      try {
        file.close();
      } finally {
        disk.delete(directory.journal(generation));
      }
      throw failure;
    }
  }

  /**
   * Writes a checkpoint beside the others and gives it its name when it is whole.
   *
   * @param nextSequence the first frame of the journal of the same generation
   * @param givesUp asked now and then; true ends it without a checkpoint
   * @return its size in bytes; -1 when it was given up
   */
  static long write(
      DataDirectory directory,
      Disk disk,
      long generation,
      long nextSequence,
      Content content,
      BooleanSupplier givesUp)
      throws IOException {
    Path unfinished = directory.unfinishedCheckpoint(generation);
    long size;
    try {
      try (Disk.DiskFile file = disk.create(unfinished)) {
        file.write(Frames.head(Frames.CHECKPOINT, generation, nextSequence));
        FrameWriter frames = new FrameWriter(new Stoppable(file, givesUp), nextSequence);
        new StateWriter(frames).difference(Tree.empty(), content.collections());
        if (!frames.end()) {
          frames.endEmpty();
        }
        file.force();
        size = file.size();
      }
      disk.move(unfinished, directory.checkpoint(generation));
      disk.force(directory.path());
      return size;
    } catch (GivenUpException stopped) {
      disk.delete(unfinished);
      return -1;
    } catch (IOException | RuntimeException failure) {
      disk.delete(unfinished);
      throw failure;
    }
  }

  private static final class GivenUpException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private record Stoppable(Disk.DiskFile file, BooleanSupplier givesUp) implements Disk.DiskFile {
    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void write(java.nio.ByteBuffer bytes) throws IOException {
      if (givesUp.getAsBoolean()) {
        throw new GivenUpException();
      }
      file.write(bytes);
    }

    @Override
    public void read(java.nio.ByteBuffer into, long position) throws IOException {
      file.read(into, position);
    }

    @Override
    public void truncate(long size) throws IOException {
      file.truncate(size);
    }

    @Override
    public void force() throws IOException {
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
