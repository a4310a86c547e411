// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A directory that one process has for itself, and the names in it. {@link #open} makes it when it
 * is not there.
 */
final class DataDirectory implements AutoCloseable {
  private static final String FORMAT = "fairlead data, format " + Frames.VERSION + "\n";
  private static final String JOURNAL = "journal-";
  private static final String CHECKPOINT = "checkpoint-";
  private static final String UNFINISHED = ".unfinished";

  /**
   * What this process has open: the system lets a lock go when any descriptor of its file is
   * closed, so that the file must not even be opened a second time.
   */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final Path real;
  private final FileChannel lockFile;
  private final FileLock lock;

  private DataDirectory(Path path, Path real, FileChannel lockFile, FileLock lock) {
    this.path = path;
    this.real = real;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /**
   * Takes the directory.
   *
   * @throws DataDirectoryException when another has it or its format is not this one
   */
  static DataDirectory open(Path path, Disk disk) throws IOException {
    create(path.toAbsolutePath(), disk);
    Path real = path.toRealPath();
    if (!OPEN.add(real)) {
      throw new DataDirectoryException(
          "the data directory " + path + " is open in this process already");
    }
    try {
      return lock(path, real, disk);
    } catch (IOException | RuntimeException failure) {
      OPEN.remove(real);
      throw failure;
    }
  }

  /** Makes a directory, and those above it, so that their names last. */
  private static void create(Path path, Disk disk) throws IOException {
    if (Files.isDirectory(path)) {
      return;
    }
    Path above = path.getParent();
    if (above != null) {
      create(above, disk);
    }
    Files.createDirectories(path);
    if (above != null) {
      disk.force(above);
    }
  }

  private static DataDirectory lock(Path path, Path real, Disk disk) throws IOException {
    FileChannel channel =
        FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new DataDirectoryException(
            "the data directory " + path + " is in use by another process");
      }
      DataDirectory directory = new DataDirectory(path, real, channel, lock);
      directory.requireFormat(disk);
      return directory;
    } catch (IOException | RuntimeException failure) {
      channel.close();
      throw failure;
    }
  }

  private void requireFormat(Disk disk) throws IOException {
    Path format = path.resolve("format");
    String found = Files.exists(format) ? Files.readString(format, StandardCharsets.UTF_8) : "";
    if (found.equals(FORMAT)) {
      return;
    }
    List<Path> others = list("");
    others.remove(path.resolve("lock"));
    others.remove(format);
    boolean begun = FORMAT.startsWith(found) && others.isEmpty();
    if (!begun) {
      throw new DataDirectoryException(
          Files.exists(format)
              ? "the data directory "
                  + path
                  + " says '"
                  + found.strip()
                  + "'; this version reads '"
                  + FORMAT.strip()
                  + "'"
              : path + " is not empty and not a data directory: it has " + others.getFirst());
    }
    try (Disk.DiskFile file = disk.create(format)) {
      file.write(ByteBuffer.wrap(FORMAT.getBytes(StandardCharsets.UTF_8)));
      file.force();
    }
    disk.force(path);
  }

  Path path() {
    return path;
  }

  Path journal(long generation) {
    return path.resolve(JOURNAL + generation);
  }

  Path checkpoint(long generation) {
    return path.resolve(CHECKPOINT + generation);
  }

  Path unfinishedCheckpoint(long generation) {
    return path.resolve(CHECKPOINT + generation + UNFINISHED);
  }

  /** The generations of which there is a journal, ascending. */
  List<Long> journals() throws IOException {
    return generations(JOURNAL);
  }

  /** The generations of which there is a whole checkpoint, ascending. */
  List<Long> checkpoints() throws IOException {
    return generations(CHECKPOINT);
  }

  /** Takes away what a newer checkpoint has made superfluous. */
  void forgetBefore(Disk disk, long newestGeneration) throws IOException {
    for (long old : checkpoints()) {
      if (old < newestGeneration) {
        disk.delete(checkpoint(old));
      }
    }
    for (long old : journals()) {
      if (old < newestGeneration) {
        disk.delete(journal(old));
      }
    }
  }

  /** Checkpoints that were not written to their end. */
  List<Path> unfinished() throws IOException {
    return list(CHECKPOINT).stream().filter(file -> file.toString().endsWith(UNFINISHED)).toList();
  }

  private List<Long> generations(String prefix) throws IOException {
    return list(prefix).stream()
        .map(file -> file.getFileName().toString().substring(prefix.length()))
        .filter(number -> number.chars().allMatch(Character::isDigit) && !number.isEmpty())
        .map(Long::valueOf)
        .sorted()
        .toList();
  }

  private List<Path> list(String prefix) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return new java.util.ArrayList<>(
          files.filter(file -> file.getFileName().toString().startsWith(prefix)).toList());
    }
  }

  @Override
  public void close() throws IOException {
    try {
      lock.release();
      lockFile.close();
    } finally {
      OPEN.remove(real);
    }
  }
}
