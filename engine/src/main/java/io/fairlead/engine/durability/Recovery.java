// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import io.fairlead.engine.error.EngineException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BSONException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a data directory: the newest checkpoint, then what the journals add. Behind the last whole
 * group of the last journal there may be the beginning of one that was being written when the
 * process ended: nobody was told that it is safe, and it is cut off. Whatever else is not as it was
 * written is damage, which is reported with the file and the place, and never guessed around.
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private final DataDirectory directory;
  private final Disk disk;
  private final StateReader state = new StateReader();

  Recovery(DataDirectory directory, Disk disk) {
    this.directory = directory;
    this.disk = disk;
  }

  /**
   * What was found, and where to go on.
   *
   * @param generation of the journal to append to
   * @param sequence of the next frame
   * @param checkpointBytes the size of the checkpoint that was read
   */
  record Found(Content content, long generation, long sequence, long checkpointBytes) {}

  /** Reads everything; in a new directory, makes an empty checkpoint and journal first. */
  Found run() throws IOException {
    for (Path unfinished : directory.unfinished()) {
      disk.delete(unfinished);
    }
    if (directory.isNew()) {
      begin();
    }
    List<Long> checkpoints = directory.checkpoints();
    if (checkpoints.isEmpty()) {
      throw new DataDirectoryException(withoutCheckpoint());
    }
    long newest = checkpoints.getLast();
    List<Long> journals = new ArrayList<>(directory.journals());
    journals.removeIf(generation -> generation < newest);
    requireUnbroken(newest, journals);
    dropBegun(journals);
    long bytes = readCheckpoint(newest);
    long sequence = readJournals(journals);
    directory.forgetBefore(disk, newest);
    return new Found(new Content(1, build()), journals.getLast(), sequence, bytes);
  }

  /** The format comes last: it says that there is something that may be missed. */
  private void begin() throws IOException {
    Checkpoint.beginJournal(directory, disk, 1, 1).close();
    Checkpoint.write(directory, disk, 1, 1, Content.EMPTY, () -> false);
    directory.writeFormat(disk);
  }

  private String withoutCheckpoint() throws IOException {
    List<Long> journals = directory.journals();
    return journals.isEmpty()
        ? "the data directory "
            + directory.path()
            + " holds neither checkpoint nor journal: its files have been taken away"
        : directory.checkpoint(journals.getFirst())
            + " is missing: without it "
            + directory.journal(journals.getFirst())
            + " cannot be read";
  }

  private void requireUnbroken(long newest, List<Long> journals) {
    long expected = newest;
    for (long generation : journals) {
      if (generation != expected) {
        throw new DataDirectoryException(directory.journal(expected) + " is missing");
      }
      expected++;
    }
    if (journals.isEmpty()) {
      throw new DataDirectoryException(directory.journal(newest) + " is missing");
    }
  }

  /**
   * A last journal that was being made when the process ended has no whole head and says nothing.
   */
  private void dropBegun(List<Long> journals) throws IOException {
    Path last = directory.journal(journals.getLast());
    boolean begun;
    try (Disk.DiskFile file = disk.open(last)) {
      begun = FrameReader.of(file) == null && file.size() <= Frames.HEAD_BYTES;
    }
    if (begun && journals.size() > 1) {
      disk.delete(last);
      journals.removeLast();
    }
  }

  private long readCheckpoint(long generation) throws IOException {
    Path path = directory.checkpoint(generation);
    try (Disk.DiskFile file = disk.open(path)) {
      FrameReader reader = reader(path, file, Frames.CHECKPOINT, generation);
      boolean complete = false;
      long position = reader.position();
      FrameReader.Frame frame;
      while ((frame = reader.next()) != null) {
        apply(path, position, frame);
        position = reader.position();
        complete = frame.last();
      }
      if (!complete || !reader.atEnd()) {
        throw damaged(path, "what is at byte " + reader.position() + " is not what was written");
      }
      return file.size();
    }
  }

  /** Reads the journals one after the other; the sequence of the next frame. */
  private long readJournals(List<Long> generations) throws IOException {
    long sequence = -1;
    for (int i = 0; i < generations.size(); i++) {
      Path path = directory.journal(generations.get(i));
      boolean isLast = i == generations.size() - 1;
      try (Disk.DiskFile file = disk.open(path)) {
        FrameReader reader = journal(path, file, generations.get(i));
        if (sequence >= 0 && reader.sequence() != sequence) {
          throw damaged(
              path,
              "it begins with frame " + reader.sequence() + " where " + sequence + " must follow");
        }
        long end =
            isLast
                ? endOfLast(path, file, generations.get(i))
                : firstSequence(generations.get(i + 1));
        replay(path, reader, end);
        sequence = end;
      }
    }
    return sequence;
  }

  private long firstSequence(long generation) throws IOException {
    Path path = directory.journal(generation);
    try (Disk.DiskFile file = disk.open(path)) {
      return journal(path, file, generation).sequence();
    }
  }

  private FrameReader journal(Path path, Disk.DiskFile file, long generation) throws IOException {
    return reader(path, file, Frames.JOURNAL, generation);
  }

  private static FrameReader reader(Path path, Disk.DiskFile file, byte kind, long generation)
      throws IOException {
    FrameReader reader = FrameReader.of(file);
    if (reader == null) {
      throw damaged(path, "its head is not what was written");
    }
    Frames.Head head = reader.head();
    if (head.version() != Frames.VERSION) {
      throw new DataDirectoryException(
          path + " has format " + head.version() + "; this version reads " + Frames.VERSION);
    }
    if (head.kind() != kind || head.generation() != generation) {
      throw damaged(path, "its head belongs to another file");
    }
    return reader;
  }

  /**
   * Does again what a journal says, group by group as it is read.
   *
   * @param end the sequence behind the last group that counts
   */
  private void replay(Path path, FrameReader reader, long end) throws IOException {
    boolean whole = true;
    while (reader.sequence() < end) {
      long position = reader.position();
      FrameReader.Frame frame = reader.next();
      if (frame == null) {
        throw damaged(path, "what is at byte " + position + " is not what was written");
      }
      apply(path, position, frame);
      whole = frame.last();
    }
    if (!whole || reader.sequence() != end) {
      throw damaged(path, "the write that ends at byte " + reader.position() + " is not whole");
    }
  }

  /**
   * Looks through the last journal and cuts off what is behind its last whole group; the sequence
   * that follows that group.
   */
  private long endOfLast(Path path, Disk.DiskFile file, long generation) throws IOException {
    FrameReader reader = journal(path, file, generation);
    long position = reader.position();
    long sequence = reader.sequence();
    FrameReader.Frame frame;
    while ((frame = reader.next()) != null) {
      if (frame.last()) {
        position = reader.position();
        sequence = reader.sequence();
      }
    }
    requireNothingBehind(path, reader);
    long cut = file.size() - position;
    if (cut > 0) {
      LOG.warn(
          "{}: the last {} bytes are of a write that was cut off before anybody was told that it"
              + " is safe; they are taken away",
          path,
          cut);
      file.truncate(position);
      file.force();
    }
    return sequence;
  }

  private static void requireNothingBehind(Path path, FrameReader reader) throws IOException {
    long intact = reader.atEnd() ? -1 : reader.intactBehind();
    if (intact >= 0) {
      throw damaged(
          path,
          "what is at byte "
              + reader.position()
              + " is not what was written, and at byte "
              + intact
              + " there is more that is");
    }
  }

  private void apply(Path path, long position, FrameReader.Frame frame) {
    try {
      state.apply(frame.content());
    } catch (BufferUnderflowException | BSONException malformed) {
      throw damaged(
          path, "an operation in the frame at byte " + position + " is not whole", malformed);
    } catch (DataDirectoryException senseless) {
      throw damaged(path, senseless.getMessage() + ", in the frame at byte " + position, senseless);
    }
  }

  private io.fairlead.engine.storage.Tree<io.fairlead.engine.collection.CollectionState> build() {
    try {
      return state.collections();
    } catch (EngineException | BSONException failure) {
      throw new DataDirectoryException(
          "what the data directory "
              + directory.path()
              + " holds cannot be built up: "
              + failure.getMessage(),
          failure);
    }
  }

  private static DataDirectoryException damaged(Path path, String how) {
    return damaged(path, how, null);
  }

  private static DataDirectoryException damaged(
      Path path, String how, @Nullable RuntimeException cause) {
    String message = path + " is damaged: " + how + ".";
    return cause == null
        ? new DataDirectoryException(message)
        : new DataDirectoryException(message, cause);
  }
}
